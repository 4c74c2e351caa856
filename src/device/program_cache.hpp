#pragma once

#include "support/disk_cache.hpp"
#include "support/rooms.hpp"

#include <snug/device.hpp>

#include <filesystem>
#include <string_view>

namespace snug::device {

/// What the variable SNUG_OPENCL_CACHE names: none if that is empty. Without it, the folder `opencl` in the user's cache folder.
[[nodiscard]] std::filesystem::path program_cache_folder();

/// Programs as devices have compiled them, in a folder that any number of processes share. A program is known by its source and
/// options, and by device, platform and driver with their versions. At worst nothing is found and nothing kept.
class ProgramCache {
 public:
  /// An empty path is no cache.
  explicit ProgramCache(const std::filesystem::path& folder) : files_(folder, std::uint64_t{1} << 26, ".program") {}

  [[nodiscard]] static Digest key(std::string_view source, std::string_view options, const DeviceInfo& device);
  [[nodiscard]] bool usable() const noexcept { return files_.usable(); }
  [[nodiscard]] const support::DiskCache& files() const noexcept { return files_; }

 private:
  support::DiskCache files_;
};

}  // namespace snug::device
