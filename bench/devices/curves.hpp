#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace snug::bench::devices {

/// Step after step of a scene: what it took the processor, one device and two, in microseconds.
struct CurvePoint {
  std::uint64_t step = 0;
  std::uint64_t work = 0;  ///< rays, or pairs of bodies
  double processor = 0, one = 0, two = 0;
};
struct Curve {
  std::string scene, query;
  std::vector<CurvePoint> points;
};

/// "scene,query,step,work,processor_us,one_device_us,two_devices_us", a line for each point.
[[nodiscard]] std::string curves_csv(const std::vector<Curve>& curves);

/// A small picture in letters: p for the processor, 1 and 2 for devices; * where several meet.
[[nodiscard]] std::string curve_text(const Curve& curve);

}  // namespace snug::bench::devices
