#pragma once

#include <snug/io.hpp>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <string>

#include "bytes.hpp"

namespace snug::fuzz {

/// What of a part survives a file that stores coordinates in single precision, or does not.
struct Kept {
  bool single_precision = false;
  [[nodiscard]] double operator()(double value) const {
    return single_precision ? static_cast<double>(static_cast<float>(value)) : value;
  }
  [[nodiscard]] Point3 operator()(const Point3& v) const { return {(*this)(v.x), (*this)(v.y), (*this)(v.z)}; }
};

inline void check_same_corners(const Mesh& before, const Mesh& after, std::size_t first, const Kept& kept) {
  FUZZ_CHECK(first + before.triangles().size() <= after.triangles().size());
  for (std::size_t t = 0; t < before.triangles().size(); ++t)
    for (std::size_t c = 0; c < 3; ++c)
      FUZZ_CHECK(kept(before.vertices()[before.triangles()[t][c]]) ==
                 after.vertices()[after.triangles()[first + t][c]]);
}

inline void check_same_mesh(const Mesh& before, const Mesh& after, const Kept& kept) {
  FUZZ_CHECK(before.vertices().size() == after.vertices().size());
  FUZZ_CHECK(before.triangles().size() == after.triangles().size());
  FUZZ_CHECK(before.surfaces().size() == after.surfaces().size());
  const auto same_bits = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  };
  for (std::size_t i = 0; i < before.vertices().size(); ++i) {
    const Point3 a = kept(before.vertices()[i]), b = after.vertices()[i];
    FUZZ_CHECK(same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z));
  }
  for (std::uint32_t t = 0; t < before.triangles().size(); ++t) {
    FUZZ_CHECK(before.triangles()[t] == after.triangles()[t]);
    FUZZ_CHECK(before.surface_of(t) == after.surface_of(t));
  }
}

/// Writes what was read, reads it again and compares what the format keeps. Not what is large: that takes time and
/// shows nothing more. OFF goes through PLY; COLLADA, which is not written, through GLB.
inline void check_round_trip(FileFormat format, const Assembly& before, const std::filesystem::path& folder,
                             bool ascii) {
  std::size_t triangles = 0, vertices = 0;
  for (const Part& part : before.parts()) {
    triangles += part.mesh.triangles().size();
    vertices += part.mesh.vertices().size();
  }
  if (before.parts().size() > 32 || triangles > 2000 || vertices > 5000) return;

  const FileFormat through = format == FileFormat::off   ? FileFormat::ply
                             : format == FileFormat::dae ? FileFormat::gltf
                                                         : format;
  const auto path = folder / ("written." + std::string(to_string(through)));
  const auto saved = save(before, path, {.format = through, .ascii = ascii});
  const bool binary_stl = through == FileFormat::stl && !ascii;
  const Kept kept{binary_stl};  // GLB keeps doubles beside its floats
  if (!saved) {                 // beyond what single precision can hold
    FUZZ_CHECK((binary_stl || through == FileFormat::gltf) &&
               (saved.error().code == IoError::Code::too_large || saved.error().code == IoError::Code::unsupported));
    return;
  }
  const auto loaded = load(path, {.units = before.units()});
  if (!loaded) std::fprintf(stderr, "%s\n", loaded.error().message().c_str());
  FUZZ_CHECK(loaded.has_value());
  const Assembly& after = loaded->assembly;
  FUZZ_CHECK(after.parts().size() == (binary_stl ? 1 : before.parts().size()));
  std::size_t first = 0;
  for (std::size_t p = 0; p < before.parts().size(); ++p) {
    const Part& part = before.parts()[p];
    const Part& copy = after.parts()[binary_stl ? 0 : p];
    if (through == FileFormat::stl) {
      check_same_corners(part.mesh, copy.mesh, binary_stl ? first : 0, kept);
      first += part.mesh.triangles().size();
      continue;
    }
    check_same_mesh(part.mesh, copy.mesh, kept);
    FUZZ_CHECK(through == FileFormat::obj || part.path == copy.path);
    FUZZ_CHECK(part.pose == copy.pose);
  }
}

}  // namespace snug::fuzz
