#pragma once

#include "physics/headless/scene_shapes.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace snug::headless {

/// How much bodies overlap at one instant.
struct Interpenetration {
  double volume = 0;        ///< of what each two parts have in common, added up; in the assembly's unit
  double error = 0;         ///< bound on its rounding
  std::uint64_t pairs = 0;  ///< pairs of parts that have points in common
};

/// Tells how deep bodies are in one another, independently of how contacts are found: the common volume of each two closed
/// parts, by the columns of docs/verdicts.md. Parts that are not closed have no volume and count for nothing. Two that rest
/// where they were are not measured again.
class Judge {
 public:
  explicit Judge(SceneShapes shapes);
  explicit Judge(const WorldScene& scene) : Judge(SceneShapes(scene)) {}
  ~Judge();
  /// `present`: which parts are there. Pairs of fixed parts are passed over.
  [[nodiscard]] Interpenetration judge(std::span<const Pose> poses, const std::vector<bool>& present, unsigned threads);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace snug::headless
