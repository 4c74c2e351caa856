// One Verilated top, Vtop, that is not part of the build: a mutant, RTL that counts its lines, or gates.

#include "chip/cosim/rtl_unit.hpp"
#include "chip/cosim/units.hpp"

#include <Vtop.h>
#if !SNUG_CHIP_GATES
#include <Vtop___024root.h>
#endif
#if VM_COVERAGE
#include <verilated_cov.h>
#endif

namespace snug::hardware {

UnitsUnderTest make_units(const Configuration& configuration) {
#if SNUG_CHIP_GATES
  auto unit = std::make_unique<RtlUnit<Vtop, NoSums>>(configuration, "gates");
#else
  auto unit = std::make_unique<RtlUnit<Vtop, SumsInside>>(configuration, "RTL");
#endif
  UnitsUnderTest made;
#if VM_COVERAGE
  made.write_coverage = [&context = unit->context()](const std::string& file) {
    context.coveragep()->write(file.c_str());
  };
#endif
  made.units.push_back(std::move(unit));
  return made;
}

}  // namespace snug::hardware
