#pragma once

#include <snug/export.hpp>

#include <string_view>

namespace snug {

/// Version of the library in use, "major.minor.patch".
[[nodiscard]] SNUG_API std::string_view version() noexcept;

}  // namespace snug
