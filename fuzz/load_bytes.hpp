#pragma once

#include "io/reader.hpp"

#include <snug/io.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

#include "bytes.hpp"
#include "round_trip.hpp"

namespace snug::fuzz {

/// A folder of this process, in memory where there is such a thing, removed at exit.
inline const std::filesystem::path& folder() {
  struct Folder {
    std::filesystem::path path;
    Folder() {
      const char* const base = std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : "/tmp";
      std::string pattern = std::string(base) + "/snug-fuzz-XXXXXX";
      FUZZ_CHECK(::mkdtemp(pattern.data()) != nullptr);
      path = pattern;
    }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder k_folder;
  return k_folder.path;
}

/// What stands in a text behind a zero byte becomes the file "a.bin" beside it, for glTF to name.
inline std::string_view split_off_buffer(std::string_view bytes) {
  const std::size_t zero = bytes.find('\0');
  if (!bytes.starts_with('{') || zero == bytes.npos) return bytes;
  const std::string_view rest = bytes.substr(zero + 1);
  std::ofstream(folder() / "a.bin", std::ios::binary).write(rest.data(), static_cast<std::streamsize>(rest.size()));
  return bytes.substr(0, zero);
}

inline void check_error(const IoError& error, std::uint64_t size) {
  FUZZ_CHECK(!error.path.empty() && !error.text.empty() && error.text.size() < 1000);
  FUZZ_CHECK(error.byte.value_or(0) <= size);
  FUZZ_CHECK(error.line.value_or(1) <= size + 1 && error.line.value_or(1) > 0);
  switch (error.code) {
    case IoError::Code::malformed:
    case IoError::Code::truncated:
    case IoError::Code::out_of_range:
    case IoError::Code::non_finite:
      FUZZ_CHECK(error.line || error.byte || error.text == "the file is empty");
      break;
    default:
      break;
  }
}

inline void check_assembly(const Assembly& assembly) {
  FUZZ_CHECK(!assembly.parts().empty());
  for (const Part& part : assembly.parts()) {
    const Mesh& mesh = part.mesh;
    FUZZ_CHECK(!mesh.triangles().empty() && !part.path.empty());
    for (const Point3& v : mesh.vertices())
      for (const double c : {v.x, v.y, v.z}) FUZZ_CHECK(std::abs(c) <= k_max_coordinate);
    for (const Index3& t : mesh.triangles()) FUZZ_CHECK(std::ranges::max(t) < mesh.vertices().size());
    if (mesh.surfaces_by_crease()) continue;  // found by the mesh itself, not by the reader
    std::size_t grouped = 0;
    for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) grouped += mesh.triangles_of(s).size();
    FUZZ_CHECK(grouped == mesh.triangles().size());
  }
}

/// Reads arbitrary bytes as a file of the given format: an assembly that holds together and comes back from what the
/// format's writer makes of it, or an error that tells where.
inline void load_bytes(FileFormat format, const std::uint8_t* data, std::size_t size) {
  LoadOptions options;
  if (format != FileFormat::gltf) options.units = LengthUnit::millimetre;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (format == FileFormat::gltf) bytes = split_off_buffer(bytes);
  const auto name = (folder() / "input").string() + '.' + std::string(to_string(format));
  auto source = io::ByteSource::from_memory(std::as_bytes(std::span(bytes)), name, options);
  // As the format at hand, even where the content looks like another.
  const auto seen =
      io::recognise(bytes.substr(0, io::k_head_bytes), bytes.size(), "." + std::string(to_string(format)));
  FUZZ_CHECK(seen.has_value());
  const auto loaded = seen == format ? io::load_source(source, options) : io::load_as(format, source, options);
  if (!loaded) {
    check_error(loaded.error(), size);
    return;
  }
  check_assembly(loaded->assembly);
  check_round_trip(format, loaded->assembly, folder(), size % 2 == 0);
}

}  // namespace snug::fuzz
