#pragma once

#include "io/bytes/byte_sink.hpp"
#include "support/rooms.hpp"

#include <snug/assembly.hpp>
#include <snug/io.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace snug::io {

/// How far single precision moves the coordinates it takes.
class Rounding {
 public:
  float operator()(double value) noexcept {
    const auto out = static_cast<float>(value);
    most_ = std::max(most_, std::abs(static_cast<double>(out) - value));
    return out;
  }
  /// Notes it, if there was any. In the given unit.
  void note(ByteSink& sink, const std::string& part, LengthUnit unit) const;

 private:
  double most_ = 0;
};

/// Of all parts, as formats that hold one mesh count them.
struct Totals {
  std::uint64_t vertices = 0, triangles = 0;
};
[[nodiscard]] inline Totals count(const Assembly& assembly) {
  Totals totals;
  for (const Part& part : assembly.parts()) {
    totals.vertices += part.mesh.vertices().size();
    totals.triangles += part.mesh.triangles().size();
  }
  return totals;
}

// One function per format; each writes into the sink, save() finishes it. Parts are written posed, except in GLB, STEP and BREP.
// Surfaces are written wherever the format can hold them, those found by crease angle included: a posed, rounded copy
// might fall on the other side of the angle, and ids must not depend on that.
[[nodiscard]] Result<void, IoError> write_stl(ByteSink& sink, const Assembly& assembly, const SaveOptions& options);
[[nodiscard]] Result<void, IoError> write_obj(ByteSink& sink, const Assembly& assembly, const SaveOptions& options);
[[nodiscard]] Result<void, IoError> write_ply(ByteSink& sink, const Assembly& assembly, const SaveOptions& options);
[[nodiscard]] Result<void, IoError> write_glb(ByteSink& sink, const Assembly& assembly, const SaveOptions& options);
[[nodiscard]] Result<void, IoError> write_off(ByteSink& sink, const Assembly& assembly, const SaveOptions& options);
[[nodiscard]] Result<void, IoError> write_step(ByteSink& sink, const Assembly& assembly, const SaveOptions& options);
/// IGES or BREP, by way of STEP and the importer.
[[nodiscard]] Result<void, IoError> write_cad(ByteSink& sink, FileFormat format, const Assembly& assembly,
                                              const SaveOptions& options);

}  // namespace snug::io
