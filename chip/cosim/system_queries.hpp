#pragma once

#include "chip/cosim/stimulus.hpp"

#include "chip/image.hpp"

#include <memory>
#include <string>
#include <vector>

namespace snug::hardware {

/// Two shapes at their poses, as the chip's host prepares them, and the memory they lie in.
struct Query {
  std::string name;
  std::unique_ptr<chip::Image> image_owner;  ///< stays where it is: memory looks at its words
  chip::Image& image;
  std::unique_ptr<chip::Memory> memory;
  std::uint64_t host_hurry = 256;  ///< how often per 256 clocks the host looks at the chip
  std::uint64_t reset_after = 0;   ///< clocks after which everything is broken off, 0 for never
  bool whole_reset = false;        ///< of chip and bus, not by the register
  bool again = false;              ///< asked once more after a reset by the register, at once
  bool starts_twice = false;  ///< a start now and then that is ignored while the chip is busy, and else begins anew
};

/// What memory does to a query.
struct Trouble {
  static constexpr std::uint64_t k_never = ~0ULL;
  bool fickle = false;               ///< it takes requests and brings beats when it likes
  std::uint64_t slow = 0;            ///< hardly ever in its first so many clocks
  std::uint64_t error_at = k_never;  ///< the beat that is wrong
};

/// What is collided: headlights, smooth and edged solids, single triangles.
class Shapes {
 public:
  Shapes();
  ~Shapes();
  /// The `number`th of a run: kinds of memory, of shapes and of trouble take turns.
  [[nodiscard]] Query random_query(Random& random, const chip::Configuration& configuration,
                                   std::uint64_t number) const;
  /// Always the same few hundred clocks, with hits, in steady memory or in one that does as it likes.
  [[nodiscard]] Query short_query(Random& random, const chip::Configuration& configuration,
                                  const Trouble& trouble = {}) const;

 private:
  struct Part;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace snug::hardware
