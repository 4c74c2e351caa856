#include "io/bytes/byte_source.hpp"

#include "io/errors.hpp"
#include "support/assert.hpp"

#include <fcntl.h>
#if defined(__linux__)
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace snug::io {

namespace {

using Code = IoError::Code;

Failure<IoError> open_failure(std::string path, int error) {
  if (error == ENOENT || error == ENOTDIR) return failure(Code::not_found, std::move(path), "no such file");
  return failure(Code::unreadable, std::move(path), "cannot be opened: " + system_reason(error));
}

std::string kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

/// As openat(), but fails with EXDEV for what does not lie below the folder. The kernel checks each step as it takes it
/// (Linux 5.6); elsewhere the file is opened first and then asked where it lies, so that no link can change in between.
int openat_beneath(int folder, const std::filesystem::path& relative, int flags) {
  flags |= O_CLOEXEC;
#if defined(SYS_openat2)
  open_how how = {};
  how.flags = static_cast<std::uint64_t>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const long opened = ::syscall(SYS_openat2, folder, relative.c_str(), &how, sizeof how);
  if (opened >= 0) return static_cast<int>(opened);
  if (errno != ENOSYS && errno != EPERM) return -1;  // a sandbox that does not know the call forbids it
#endif
  const int file = ::openat(folder, relative.c_str(), flags);
  if (file < 0) return -1;
  const auto place = [](int descriptor) {
    std::error_code unknown;
    return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), unknown);
  };
  const std::filesystem::path base = place(folder), found = place(file);
  const auto [rest, ignored] = std::ranges::mismatch(base, found);
  if (!base.empty() && (rest == base.end() || rest->empty())) return file;
  ::close(file);
  errno = EXDEV;
  return -1;
}

}  // namespace

ByteSource::ByteSource(std::string path, std::uint64_t size, const LoadOptions& options)
    : path_(std::move(path)), size_(size), options_(&options) {}

ByteSource::ByteSource(ByteSource&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      memory_(other.memory_),
      size_(other.size_),
      offset_(other.offset_),
      options_(other.options_),
      low_(other.low_),
      high_(other.high_),
      reported_(other.reported_),
      opened_(other.opened_),
      sha256_(other.sha256_),
      hashed_(other.hashed_),
      failure_(std::move(other.failure_)) {}

ByteSource::~ByteSource() {
  if (file_ >= 0) ::close(file_);
}

Result<ByteSource, IoError> ByteSource::open(const std::filesystem::path& path, const LoadOptions& options) {
  std::string name = path.string();
  if (name.find('\0') != name.npos)
    return io::failure(Code::not_found, std::move(name), "no such file: its name has a zero byte");
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return open_failure(std::move(name), errno);
  // Looked at before opening, since opening a device can have effects, and again after it, since the name may by then
  // stand for something else. O_NONBLOCK keeps a pipe without a writer from blocking us in between.
  if (!S_ISREG(status.st_mode))
    return io::failure(Code::not_a_file, std::move(name), "expected a file, found " + kind_of(status.st_mode));
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return open_failure(std::move(name), errno);
  return adopt(file, std::move(name), options);
}

Result<ByteSource, IoError> ByteSource::open_beneath(const std::filesystem::path& folder,
                                                     const std::filesystem::path& relative, std::string name,
                                                     const LoadOptions& options) {
  const int base = ::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (base < 0) return open_failure(std::move(name), errno);
  // First without opening what it leads to, for the same reason as above.
  const auto [file, error] = [&]() -> std::pair<int, int> {
    const int found = openat_beneath(base, relative, O_PATH);
    if (found < 0) return {-1, errno};
    struct stat status = {};
    const bool regular = ::fstat(found, &status) == 0 && S_ISREG(status.st_mode);
    if (!regular) return {found, 0};  // adopt() tells what it is
    ::close(found);
    const int opened = openat_beneath(base, relative, O_RDONLY | O_NONBLOCK);
    return {opened, opened < 0 ? errno : 0};
  }();
  ::close(base);
  if (file >= 0) return adopt(file, std::move(name), options);
  if (error == EXDEV) return io::failure(Code::refused, std::move(name), "leads out of the folder by a symbolic link");
  return open_failure(std::move(name), error);
}

Result<ByteSource, IoError> ByteSource::adopt(int file, std::string name, const LoadOptions& options) {
  struct stat status = {};
  ByteSource source(std::move(name), 0, options);
  source.file_ = file;
  if (::fstat(file, &status) != 0) return source.fail(Code::unreadable, "cannot be examined: " + system_reason(errno));
  if (!S_ISREG(status.st_mode))
    return source.fail(Code::not_a_file, "expected a file, found " + kind_of(status.st_mode));
  source.size_ = static_cast<std::uint64_t>(status.st_size);
  source.opened_ = state_of(status);
  if (source.size_ == 0) return source.fail(Code::truncated, "the file is empty");
  if (auto small = source.within_limit(options); !small) return Failure{std::move(small).error()};
  return source;
}

ByteSource ByteSource::from_memory(std::span<const std::byte> bytes, std::string path, const LoadOptions& options) {
  ByteSource source(std::move(path), bytes.size(), options);
  source.memory_ = bytes.data();
  return source;
}

std::string ByteSource::stem() const {
  std::string name = std::filesystem::path(path_).stem().string();
  return name.empty() ? "part" : name;
}

std::size_t ByteSource::read(std::span<char> out) {
  const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), remaining()));
  if (count == 0 || failure_ || !poll()) return 0;
  const std::uint64_t from = offset_;
  if (file_ >= 0) {
    if (read_file(out.data(), count) == 0) return 0;
  } else {
    SNUG_ASSERT(memory_ != nullptr && offset_ + count <= size_);
    std::memcpy(out.data(), memory_ + offset_, count);
    offset_ += count;
  }
  if (sha256_) hash(out.data(), from, count);
  return count;
}

std::size_t ByteSource::read_file(char* out, std::size_t count) {
  SNUG_ASSERT(offset_ + count <= size_);
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got = ::pread(file_, out + done, count - done, static_cast<off_t>(offset_ + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return set_failure(Code::unreadable, "reading failed: " + system_reason(errno)), 0;
    if (got == 0) {
      offset_ += done;
      return set_failure(Code::truncated, "the file became shorter while it was read"), 0;
    }
    done += static_cast<std::size_t>(got);
  }
  offset_ += done;
  char more = 0;
  if (offset_ == size_ && ::pread(file_, &more, 1, static_cast<off_t>(size_)) > 0)
    return set_failure(Code::malformed, "the file became longer while it was read"), 0;
  return done;
}

void ByteSource::seek(std::uint64_t offset) noexcept {
  SNUG_ASSERT(offset <= size_);
  offset_ = std::min(offset, size_);
}

Result<void, IoError> ByteSource::within_limit(const LoadOptions& options) const {
  if (size_ <= options.max_file_bytes) return {};
  return fail(Code::too_large,
              counted(size_, "byte", "bytes") + ", the limit is " + std::to_string(options.max_file_bytes));
}

void ByteSource::restart(const LoadOptions& options, bool hashing) {
  options_ = &options;
  offset_ = hashed_ = 0;
  low_ = reported_ = 0, high_ = 0.9;
  failure_.reset();
  sha256_.reset();
  if (hashing) sha256_.emplace();
}

void ByteSource::hash(const char* bytes, std::uint64_t from, std::size_t count) noexcept {
  SNUG_ASSERT(sha256_ && hashed_ <= size_);
  if (from > hashed_ || from + count <= hashed_) return;
  const auto known = static_cast<std::size_t>(hashed_ - from);
  sha256_->update(std::as_bytes(std::span(bytes + known, count - known)));
  hashed_ = from + count;
}

Result<std::string, IoError> ByteSource::finish() {
  if (sha256_ && hashed_ < size_) {
    seek(hashed_);
    std::vector<char> chunk(std::size_t{1} << 16);
    while (read(chunk) > 0) continue;
  }
  if (failure_) return Failure{*failure_};
  struct stat status = {};
  if (file_ >= 0 && (::fstat(file_, &status) != 0 || state_of(status) != opened_))
    return fail(Code::unreadable, "the file changed while it was read");
  return sha256_ ? support::to_hex(sha256_->finish()) : std::string();
}

ByteSource::State ByteSource::state_of(const struct stat& status) noexcept {
  return {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec};
}

bool ByteSource::poll() {
  if (failure_) return false;
  if (options_->cancel != nullptr && options_->cancel->cancelled()) {
    set_failure(Code::cancelled, "reading was cancelled");
    return false;
  }
  if (options_->progress && size_ > 0) {
    SNUG_ASSERT(offset_ <= size_ && low_ <= high_);
    const double share = low_ + (high_ - low_) * (static_cast<double>(offset_) / static_cast<double>(size_));
    // After a seek back, or where ranges meet, the share stands still rather than fall.
    reported_ = std::max(reported_, share);
    options_->progress(reported_);
  }
  return true;
}

void ByteSource::set_failure(Code code, std::string text) {
  if (!failure_) failure_ = IoError{code, path_, std::nullopt, offset_, std::move(text)};
}

Failure<IoError> ByteSource::fail(Code code, std::string text) const {
  return io::failure(code, path_, std::move(text));
}

Result<std::string, IoError> read_piece(ByteSource& source, std::uint64_t count) {
  SNUG_ASSERT(count <= source.remaining());
  std::string text(static_cast<std::size_t>(count), '\0');
  constexpr std::size_t k_chunk = std::size_t{1} << 20;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t got = source.read({text.data() + at, std::min(k_chunk, text.size() - at)});
    if (got == 0) return Failure{source.failure().value_or(IoError{})};
    at += got;
  }
  return text;
}

}  // namespace snug::io
