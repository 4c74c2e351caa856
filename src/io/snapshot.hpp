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

/// Memory that a descriptor stands for, or where there is none, a file without a name. Empty, with errno, on failure.
[[nodiscard]] detail::Descriptor nameless_file();

/// Copies the whole source into a nameless_file().
[[nodiscard]] Result<Snapshot, IoError> take_snapshot(ByteSource& source);

}  // namespace snug::io
