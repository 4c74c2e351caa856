#include "units.hpp"

#include <Interface_Static.hxx>
#include <UnitsMethods.hxx>

namespace snug::importer {

const char* kernel_name(LengthUnit unit) {
  switch (unit) {
    case LengthUnit::micrometre:
      return "UM";
    case LengthUnit::millimetre:
      return "MM";
    case LengthUnit::centimetre:
      return "CM";
    case LengthUnit::metre:
      return "M";
    case LengthUnit::inch:
      return "INCH";
    case LengthUnit::foot:
      return "FT";
  }
  return "MM";
}

void set_kernel_unit(LengthUnit unit) {
  Interface_Static::SetCVal("xstep.cascade.unit", kernel_name(unit));
  UnitsMethods::SetCasCadeLengthUnit(metres_per(unit), UnitsMethods_LengthUnit_Meter);
}

}  // namespace snug::importer
