#include <snug/version.hpp>

namespace snug {
std::string_view version() noexcept { return SNUG_VERSION; }
}  // namespace snug
