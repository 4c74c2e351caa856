#pragma once

#include <snug/snug.hpp>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace snug::test {

/// Two bodies and what is known about them. Lengths belong to scale one and grow with the bodies.
struct GoldenCase {
  std::string name;  ///< with the tracker and number where users met it
  MeshInput a, b;
  Tolerances tolerances = {};
  Verdict verdict = Verdict::clear;
  std::optional<double> depth = std::nullopt;
  double lower_share = 1;  ///< how much of the depth a ball can show: less than all of it in a pointed overlap
  std::optional<double> volume = std::nullopt;
  std::optional<double> gap = std::nullopt;
  std::optional<double> patch_area = std::nullopt;
  std::size_t patch_corners = 0;  ///< of the one and only loop, where patch_area is given
  bool duplicate = false;
};
inline std::ostream& operator<<(std::ostream& out, const GoldenCase& c) { return out << c.name; }

[[nodiscard]] std::vector<GoldenCase> golden_cases();

}  // namespace snug::test
