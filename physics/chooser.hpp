#pragma once

#include "physics/manifolds.hpp"

#include <cstdint>
#include <vector>

namespace snug::bullet {

/// Leaves few touches of each patch: the deepest, and then again and again one that is deep and far from those chosen. Those
/// told before are preferred where it makes little difference, so that a body at rest keeps its contacts, and with them what
/// the solver knows. More than the four that Bullet keeps, so that a body that rolls keeps some in common from step to step.
class Chooser {
 public:
  /// `reach`: no touch is further apart.
  void choose(std::vector<Touch>& touches, double reach);

  static constexpr std::size_t k_most = 16;

 private:
  void choose_of(std::size_t begin, std::size_t end, const std::vector<Touch>& touches, double reach);

  std::vector<std::uint64_t> known_;  ///< ids of the step before, ascending
  std::vector<Touch> left_;
  std::vector<double> nearest_;  ///< how far each is from those chosen, squared
  std::vector<std::size_t> chosen_;
};

}  // namespace snug::bullet
