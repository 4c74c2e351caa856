#pragma once

#include "io/byte_sink.hpp"

#include <snug/assembly.hpp>
#include <snug/io.hpp>

namespace snug::io {

// One function per format; each writes into the sink, save() finishes it. Parts are written posed, except in GLB.
// Surfaces are written wherever the format can hold them, those found by crease angle included: a posed, rounded copy
// might fall on the other side of the angle, and ids must not depend on that.
[[nodiscard]] Result<void, IoError> write_stl(ByteSink& sink, const Assembly& assembly, const SaveOptions& options);
[[nodiscard]] Result<void, IoError> write_obj(ByteSink& sink, const Assembly& assembly, const SaveOptions& options);
[[nodiscard]] Result<void, IoError> write_ply(ByteSink& sink, const Assembly& assembly, const SaveOptions& options);
[[nodiscard]] Result<void, IoError> write_glb(ByteSink& sink, const Assembly& assembly, const SaveOptions& options);

}  // namespace snug::io
