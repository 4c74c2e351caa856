#include "judge_support.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace snug::judge {

std::size_t scaled(std::size_t count) {
  static const double percent = [] {
    const char* text = std::getenv("SNUG_TEST_SCALE");
    const double value = text != nullptr ? std::strtod(text, nullptr) : 100.0;
    const double tenfold = std::getenv("SNUG_LONG") != nullptr ? 10.0 : 1.0;
    return tenfold * (value > 0 ? value : 100.0);
  }();
  return std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(count) * percent / 100.0));
}

double nudge(double value, int ulps) {
  const double end = ulps < 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  for (int i = 0; i != std::abs(ulps); ++i) value = std::nextafter(value, end);
  return value;
}

std::string to_hex(const Point3& p) {
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(), "{%a, %a, %a}", p.x, p.y, p.z);
  return text.data();
}

std::string to_hex(const Triangle& t) {
  return "{{{" + to_hex(t[0]) + ", " + to_hex(t[1]) + ", " + to_hex(t[2]) + "}}}";
}

std::string to_hex(const Triangle& a, const Triangle& b) { return "\n  a = " + to_hex(a) + "\n  b = " + to_hex(b); }

Triangle reordered(const Triangle& t, std::size_t order) {
  static constexpr std::array<std::array<std::size_t, 3>, 6> orders{
      {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};
  const auto& o = orders[order];
  return {{t[o[0]], t[o[1]], t[o[2]]}};
}

}  // namespace snug::judge
