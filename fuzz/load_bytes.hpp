#pragma once

#include "io/reader.hpp"

#include <snug/io.hpp>

#include <cstdint>
#include <span>

#include "bytes.hpp"

namespace snug::fuzz {

/// Reads arbitrary bytes as a file of the given format: an assembly that holds together, or an error that tells where.
inline void load_bytes(FileFormat format, const std::uint8_t* data, std::size_t size) {
  LoadOptions options;
  if (format != FileFormat::gltf) options.units = LengthUnit::millimetre;
  // Files beside this one cannot exist, so addresses in the input lead nowhere.
  auto source = io::ByteSource::from_memory(std::as_bytes(std::span(data, size)), "/nowhere/at/all/file", options);
  const auto loaded = io::load_as(format, source, options);
  if (!loaded) {
    const IoError& error = loaded.error();
    FUZZ_CHECK(!error.path.empty() && !error.text.empty() && error.text.size() < 1000);
    FUZZ_CHECK(error.byte.value_or(0) <= size);
    FUZZ_CHECK(error.line.value_or(0) <= size + 1);
    return;
  }
  FUZZ_CHECK(!loaded->parts().empty());
  for (const Part& part : loaded->parts()) {
    FUZZ_CHECK(!part.mesh.triangles().empty() && !part.path.empty());
    if (part.mesh.surfaces_by_crease()) continue;  // found by the mesh itself, not by the reader
    std::size_t grouped = 0;
    for (std::uint32_t s = 0; s < part.mesh.surfaces().size(); ++s) grouped += part.mesh.triangles_of(s).size();
    FUZZ_CHECK(grouped == part.mesh.triangles().size());
  }
}

}  // namespace snug::fuzz
