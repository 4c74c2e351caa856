#pragma once

#include <snug/assembly.hpp>

namespace snug::importer {

/// From now on readers give coordinates in this unit.
void set_kernel_unit(LengthUnit unit);

}  // namespace snug::importer
