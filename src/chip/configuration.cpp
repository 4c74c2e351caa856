#include "chip/configuration.hpp"

namespace snug::detail::chip {

const Configuration* find_configuration(std::string_view name) noexcept {
  for (const Configuration& configuration : configurations())
    if (configuration.name == name) return &configuration;
  return nullptr;
}

}  // namespace snug::detail::chip
