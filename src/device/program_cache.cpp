#include "device/program_cache.hpp"

#include "support/sha256.hpp"

#include <snug/importer.hpp>

#include <cstdlib>

namespace snug::device {

std::filesystem::path program_cache_folder() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here changes the environment
  if (const char* const named = std::getenv("SNUG_OPENCL_CACHE")) return named;
  const auto folder = user_cache_folder();
  return folder.empty() ? folder : folder / "opencl";
}

Digest ProgramCache::key(std::string_view source, std::string_view options, const DeviceInfo& device) {
  Sha256 hash;
  for (const std::string_view part :
       {std::string_view("snug.program/1"), source, options, std::string_view(device.platform),
        std::string_view(device.vendor), std::string_view(device.name), std::string_view(device.version),
        std::string_view(device.driver)}) {
    hash.update_u64(part.size());
    hash.update(std::as_bytes(std::span(part)));
  }
  return hash.finish();
}

}  // namespace snug::device
