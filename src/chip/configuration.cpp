#include "chip/configuration.hpp"

namespace snug::chip {

const Configuration* find_configuration(std::string_view name) noexcept {
  for (const Configuration& configuration : configurations())
    if (configuration.name == name) return &configuration;
  return nullptr;
}

}  // namespace snug::chip
