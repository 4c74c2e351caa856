#pragma once

#include "support/rooms.hpp"

#include <string_view>

namespace snug::page {

/// The viewer without data: viewer/dist/page.html, put into the library when it is built.
[[nodiscard]] std::string_view page_template() noexcept;

}  // namespace snug::page
