// The Verilated triangle unit of every configuration.

#include "chip/cosim/triangle_rtl.hpp"
#include "chip_triangle_tops.hpp"  // by CMake: includes the tops and lists them

#include <string_view>

namespace snug::hardware {

TriangleUnitUnderTest make_triangle_unit(const Configuration& configuration) {
  TriangleUnitUnderTest made;
#define SNUG_CHIP_TOP(config)                          \
  if (std::string_view(configuration.name) == #config) \
    made.unit = std::make_unique<TriangleRtl<Vtriangle_##config>>(configuration);
  SNUG_CHIP_TRIANGLE_TOPS
#undef SNUG_CHIP_TOP
  return made;
}

}  // namespace snug::hardware
