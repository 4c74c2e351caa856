#pragma once

#include "io/cad/snapshot.hpp"
#include "support/rooms.hpp"

#include <vector>

namespace snug::io {

/// A STEP file and those that it names, directly or by way of these, one behind the other in one descriptor; at its end a
/// list of them as snug-import reads it (importer/input.hpp). Its hash is that of all.
struct StepBundle {
  Snapshot snapshot;
  std::uint64_t list_bytes = 0;                 ///< 0: the file names no other, and there is no list
  std::vector<ReferencedFile> referenced = {};  ///< those that are in it
};

/// Files are opened only if they lie in the folder of the source or below it. One that cannot be had, or is no STEP file, is
/// listed with the reason; the importer knows whether it is missed. Together they must fit into the limit of memory.
[[nodiscard]] Result<StepBundle, IoError> bundle_step(ByteSource& source, const LoadOptions& options);

}  // namespace snug::io
