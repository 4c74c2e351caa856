// The Verilated chip, with the stack it is built with.

#include "chip/cosim/system_rtl.hpp"
#include "chip_system_tops.hpp"  // by CMake: includes the tops and lists them

namespace snug::hardware {

SystemUnderTest make_system(std::string_view configuration) {
  SystemUnderTest made;
#define SNUG_CHIP_TOP(config, depth)                           \
  if (configuration == #config) {                              \
    made.unit = std::make_unique<SystemRtl<Vchip_##config>>(); \
    made.stack_depth = depth;                                  \
  }
  SNUG_CHIP_SYSTEM_TOPS
#undef SNUG_CHIP_TOP
  return made;
}

}  // namespace snug::hardware
