#include "io/snapshot.hpp"

#include "support/sha256.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <vector>

namespace snug::io {

namespace {

using detail::Descriptor;

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

Result<Snapshot, IoError> take_snapshot(ByteSource& source) {
  const auto failed = [&] {
    return source.fail(IoError::Code::too_large,
                       "there is no room for a copy of it: " + std::generic_category().message(errno));
  };
  Snapshot snapshot{nameless_file(), {}};
  if (!snapshot.file) return failed();
  detail::Sha256 hash;
  std::vector<char> chunk(std::size_t{1} << 20);
  source.seek(0);
  while (const std::size_t count = source.read(chunk)) {
    hash.update(std::as_bytes(std::span(chunk.data(), count)));
    if (!write_all(snapshot.file.get(), chunk.data(), count)) return failed();
  }
  if (const auto& broken = source.failure()) return Failure{*broken};
  if (::lseek(snapshot.file.get(), 0, SEEK_SET) != 0) return failed();
#if defined(F_ADD_SEALS)
  ::fcntl(snapshot.file.get(), F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
#endif
  snapshot.hash = hash.finish();
  return snapshot;
}

}  // namespace snug::io
