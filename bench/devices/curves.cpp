#include "bench/devices/curves.hpp"

#include "bench/measure.hpp"
#include "bench/report/row.hpp"

#include <algorithm>
#include <array>

namespace snug::bench::devices {

std::string curves_csv(const std::vector<Curve>& curves) {
  std::string out = "scene,query,step,work,processor_us,one_device_us,two_devices_us\n";
  for (const Curve& curve : curves)
    for (const CurvePoint& p : curve.points)
      out += curve.scene + ',' + curve.query + ',' + std::to_string(p.step) + ',' + std::to_string(p.work) + ',' +
             fixed(p.processor, 1) + ',' + fixed(p.one, 1) + ',' + fixed(p.two, 1) + '\n';
  return out;
}

std::string curve_text(const Curve& curve) {
  constexpr std::size_t k_columns = 60, k_lines = 12;
  const auto& points = curve.points;
  double most = 0;
  for (const CurvePoint& p : points) most = std::max({most, p.processor, p.one, p.two});
  if (!(most > 0)) return {};
  const std::size_t columns = std::min(points.size(), k_columns);
  std::array<std::string, k_lines> lines;
  lines.fill(std::string(columns, ' '));
  for (std::size_t c = 0; c < columns; ++c) {
    // The mean of the steps of a column.
    const std::size_t first = c * points.size() / columns, end = (c + 1) * points.size() / columns;
    std::array<double, 3> mean{};
    for (std::size_t i = first; i < end; ++i)
      mean[0] += points[i].processor, mean[1] += points[i].one, mean[2] += points[i].two;
    for (std::size_t k = 0; k < 3; ++k) {
      const double height = mean[k] / static_cast<double>(end - first) / most * k_lines;
      char& at = lines[k_lines - 1 - std::min(static_cast<std::size_t>(height), k_lines - 1)][c];
      at = at == ' ' ? "p12"[k] : '*';
    }
  }
  std::string out = curve.scene + ", " + curve.query + ": us of a step, of " + short_number(most) +
                    " at the top; steps " + std::to_string(points.front().step) + " to " +
                    std::to_string(points.back().step) + '\n';
  for (const std::string& line : lines) out += "  |" + line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  return out + "  +" + std::string(columns, '-') + '\n';
}

}  // namespace snug::bench::devices
