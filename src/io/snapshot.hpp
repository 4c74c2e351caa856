#pragma once

#include "io/byte_source.hpp"
#include "support/descriptor.hpp"

#include <snug/mesh.hpp>

namespace snug::io {

/// A file as it was at one moment: what is hashed is what is read afterwards, whatever happens to the file meanwhile.
struct Snapshot {
  detail::Descriptor file;  ///< at its beginning; nobody can write to it any more where the system knows how to seal
  ContentHash hash;
};

/// Copies the whole source into memory that a descriptor stands for, or where there is none, into a file without a name.
[[nodiscard]] Result<Snapshot, IoError> take_snapshot(ByteSource& source);

}  // namespace snug::io
