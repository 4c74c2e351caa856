// One Verilated triangle unit, Vtop, that is not part of the build: a mutant, RTL that counts its lines, or gates.

#include "chip/cosim/triangle_rtl.hpp"

#include <Vtop.h>
#if VM_COVERAGE
#include <verilated_cov.h>
#endif

namespace snug::hardware {

TriangleUnitUnderTest make_triangle_unit(const Configuration& configuration) {
  auto unit = std::make_unique<TriangleRtl<Vtop>>(configuration);
  TriangleUnitUnderTest made;
#if VM_COVERAGE
  made.write_coverage = [&context = unit->context()](const std::string& file) {
    context.coveragep()->write(file.c_str());
  };
#endif
  made.unit = std::move(unit);
  return made;
}

}  // namespace snug::hardware
