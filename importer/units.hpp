#pragma once

#include <snug/assembly.hpp>

namespace snug::importer {

/// As the kernel's parameters spell it.
[[nodiscard]] const char* kernel_name(LengthUnit unit);

/// From now on readers give coordinates in this unit.
void set_kernel_unit(LengthUnit unit);

}  // namespace snug::importer
