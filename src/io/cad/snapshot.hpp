#pragma once

#include "io/bytes/byte_source.hpp"
#include "support/descriptor.hpp"
#include "support/rooms.hpp"
#include "support/sha256.hpp"

#include <snug/mesh.hpp>

#include <cerrno>
#include <functional>
#include <string>
#include <string_view>

namespace snug::io {

/// A file as it was at one moment: what is hashed is what is read afterwards, whatever happens to the file meanwhile.
struct Snapshot {
  support::Descriptor file;  ///< at its beginning; nobody can write to it any more where the system knows how to seal
  ContentHash hash;
};

/// Memory that a descriptor stands for, or where there is none, a file without a name. Empty, with errno, on failure.
[[nodiscard]] support::Descriptor nameless_file();

/// Copies into a nameless_file(), one thing behind the other.
class SnapshotWriter {
 public:
  SnapshotWriter() : file_(nameless_file()), error_(errno) {}

  /// The whole source; `also` gets each piece of it. The error is the source's, or that there is no room.
  [[nodiscard]] Result<void, IoError> append(ByteSource& source,
                                             const std::function<void(std::string_view)>& also = {});
  /// The error is in words.
  [[nodiscard]] Result<void, std::string> append(std::string_view bytes);
  [[nodiscard]] Result<Snapshot, std::string> finish();

 private:
  support::Descriptor file_;
  int error_;
  support::Sha256 hash_;
};

/// Copies the whole source.
[[nodiscard]] Result<Snapshot, IoError> take_snapshot(ByteSource& source);

}  // namespace snug::io
