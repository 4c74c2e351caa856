#include "io/byte_source.hpp"

#include "io/errors.hpp"
#include "support/assert.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace snug::io {

namespace {

using Code = IoError::Code;

std::string reason(int error) { return std::generic_category().message(error); }

Failure<IoError> open_failure(std::string path, int error) {
  if (error == ENOENT || error == ENOTDIR) return failure(Code::not_found, std::move(path), "no such file");
  return failure(Code::unreadable, std::move(path), "cannot be opened: " + reason(error));
}

std::string kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
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
      failure_(std::move(other.failure_)) {}

ByteSource::~ByteSource() {
  if (file_ >= 0) ::close(file_);
}

Result<ByteSource, IoError> ByteSource::open(const std::filesystem::path& path, const LoadOptions& options) {
  std::string name = path.string();
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return open_failure(std::move(name), errno);
  // Looked at before opening, since opening a device can have effects, and again after it, since the name may by then
  // stand for something else. O_NONBLOCK keeps a pipe without a writer from blocking us in between.
  if (!S_ISREG(status.st_mode))
    return io::failure(Code::not_a_file, std::move(name), "expected a file, found " + kind_of(status.st_mode));
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return open_failure(std::move(name), errno);
  ByteSource source(std::move(name), 0, options);
  source.file_ = file;
  if (::fstat(file, &status) != 0) return source.fail(Code::unreadable, "cannot be examined: " + reason(errno));
  if (!S_ISREG(status.st_mode))
    return source.fail(Code::not_a_file, "expected a file, found " + kind_of(status.st_mode));
  source.size_ = static_cast<std::uint64_t>(status.st_size);
  if (source.size_ == 0) return source.fail(Code::truncated, "the file is empty");
  if (source.size_ > options.max_file_bytes)
    return source.fail(Code::too_large, counted(source.size_, "byte", "bytes") + ", the limit is " +
                                            std::to_string(options.max_file_bytes));
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
  if (file_ >= 0) return read_file(out.data(), count);
  std::memcpy(out.data(), memory_ + offset_, count);
  offset_ += count;
  return count;
}

std::size_t ByteSource::read_file(char* out, std::size_t count) {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got = ::pread(file_, out + done, count - done, static_cast<off_t>(offset_ + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return set_failure(Code::unreadable, "reading failed: " + reason(errno)), 0;
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

bool ByteSource::poll() {
  if (failure_) return false;
  if (options_->cancel != nullptr && options_->cancel->cancelled()) {
    set_failure(Code::cancelled, "reading was cancelled");
    return false;
  }
  if (options_->progress && size_ > 0) {
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

Result<std::string, IoError> read_all(ByteSource& source, std::uint64_t most) {
  if (source.remaining() > most)
    return source.fail(Code::too_large,
                       counted(source.remaining(), "byte", "bytes") + ", the limit is " + std::to_string(most));
  std::string text(static_cast<std::size_t>(source.remaining()), '\0');
  constexpr std::size_t k_chunk = std::size_t{1} << 20;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t got = source.read({text.data() + at, std::min(k_chunk, text.size() - at)});
    if (got == 0) return Failure{source.failure().value_or(IoError{})};
    at += got;
  }
  return text;
}

}  // namespace snug::io
