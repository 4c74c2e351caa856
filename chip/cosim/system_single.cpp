// One Verilated chip, Vtop, that is not part of the build: a mutant, RTL that counts its lines, or gates.

#include "chip/cosim/system_rtl.hpp"

#include <Vtop.h>
#if VM_COVERAGE
#include <verilated_cov.h>
#endif

namespace snug::hardware {

SystemUnderTest make_system(std::string_view) {
  auto unit = std::make_unique<SystemRtl<Vtop>>();
  SystemUnderTest made;
  made.stack_depth = SNUG_CHIP_STACK_DEPTH;
#if VM_COVERAGE
  made.write_coverage = [&context = unit->context()](const std::string& file) {
    context.coveragep()->write(file.c_str());
  };
#endif
  made.unit = std::move(unit);
  return made;
}

}  // namespace snug::hardware
