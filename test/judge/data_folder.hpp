#pragma once

#include <cstdlib>
#include <filesystem>

namespace snug::judge {

/// Where data from elsewhere lies, which the project does not contain. It may be absent.
inline std::filesystem::path data_folder() {
  if (const char* folder = std::getenv("SNUG_DATA"); folder != nullptr && *folder != '\0') return folder;
  return std::filesystem::path(__FILE__).parent_path() / "../../../shared/data";
}

}  // namespace snug::judge
