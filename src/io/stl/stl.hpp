#pragma once

#include "io/reader.hpp"
#include "support/rooms.hpp"

namespace snug::io {

[[nodiscard]] Result<RawAssembly, IoError> read_stl_text(ByteSource& source);
[[nodiscard]] Result<RawAssembly, IoError> read_stl_binary(ByteSource& source);

}  // namespace snug::io
