#pragma once

namespace snug::hardware {

/// A named configuration, as configs.yaml states it. Its keys are the members.
struct Configuration {
  const char* name;
  unsigned width;
  unsigned k;
  unsigned axes;
  unsigned multiplier_stages;

  /// Selection, multiplication, three levels of adders, correction, comparison.
  constexpr unsigned stages() const noexcept { return 6 + multiplier_stages; }
};

}  // namespace snug::hardware
