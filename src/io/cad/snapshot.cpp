#include "io/cad/snapshot.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <vector>

namespace snug::io {

namespace {

using support::Descriptor;

bool write_all(int file, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t done = ::write(file, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    count -= static_cast<std::size_t>(done);
  }
  return true;
}

}  // namespace

Descriptor nameless_file() {
#if defined(MFD_ALLOW_SEALING)
  if (const int memory = ::memfd_create("snug-cad", MFD_CLOEXEC | MFD_ALLOW_SEALING); memory >= 0)
    return Descriptor(memory);
#endif
  std::error_code failed;
  std::string name = (std::filesystem::temp_directory_path(failed) / "snug-cad-XXXXXX").string();
  if (failed) return {};
  Descriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (file) ::unlink(name.c_str());
  return file;
}

Result<void, std::string> SnapshotWriter::append(std::string_view bytes) {
  if (!file_ || !write_all(file_.get(), bytes.data(), bytes.size())) {
    const int error = file_ ? errno : error_;
    return Failure{"there is no room for a copy of it: " + std::generic_category().message(error)};
  }
  hash_.update(std::as_bytes(std::span(bytes)));
  return {};
}

Result<void, IoError> SnapshotWriter::append(ByteSource& source, const std::function<void(std::string_view)>& also) {
  std::vector<char> chunk(std::size_t{1} << 20);
  source.seek(0);
  while (const std::size_t count = source.read(chunk)) {
    const std::string_view piece(chunk.data(), count);
    if (auto done = append(piece); !done) return source.fail(IoError::Code::too_large, done.error());
    if (also) also(piece);
  }
  if (const auto& broken = source.failure()) return Failure{*broken};
  return {};
}

Result<Snapshot, std::string> SnapshotWriter::finish() {
  if (auto done = append(std::string_view()); !done) return Failure{done.error()};
  if (::lseek(file_.get(), 0, SEEK_SET) != 0) return Failure{std::generic_category().message(errno)};
#if defined(F_ADD_SEALS)
  ::fcntl(file_.get(), F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
#endif
  return Snapshot{std::move(file_), hash_.finish()};
}

Result<Snapshot, IoError> take_snapshot(ByteSource& source) {
  SnapshotWriter writer;
  if (auto done = writer.append(source); !done) return Failure{std::move(done).error()};
  auto snapshot = writer.finish();
  if (!snapshot) return source.fail(IoError::Code::too_large, snapshot.error());
  return std::move(*snapshot);
}

}  // namespace snug::io
