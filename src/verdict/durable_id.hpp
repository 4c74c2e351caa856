#pragma once

#include <string>

namespace snug::detail {

/// The id of a finding, of the paths of its two parts alone: 16 hexadecimal digits.
[[nodiscard]] std::string durable_id(const std::string& a, const std::string& b);

}  // namespace snug::detail
