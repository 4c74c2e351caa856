#include "io/bytes/byte_sink.hpp"

#include "io/errors.hpp"
#include "support/assert.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <utility>

namespace snug::io {

namespace {

using Code = IoError::Code;
constexpr std::size_t k_buffer = std::size_t{1} << 16;

/// A name beside the target that nobody else uses: O_EXCL decides, the process id only makes tries few. Not made from
/// the target's name, which may be as long as names can be.
int create_beside(const std::filesystem::path& path, std::string& temporary) {
  const std::string stem = (path.parent_path() / ".snug-part-").string() + std::to_string(::getpid()) + '-';
  for (unsigned attempt = 0;; ++attempt) {
    temporary = stem + std::to_string(attempt);
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST || attempt == 1000) return file;
  }
}

/// What a link stands for, which is what a user who saves there means, whether it exists already or not.
std::filesystem::path followed(std::filesystem::path path) {
  constexpr int k_most_links = 40;  // as the kernel has it
  for (int i = 0; i < k_most_links; ++i) {
    std::error_code no_link;
    const std::filesystem::path target = std::filesystem::read_symlink(path, no_link);
    if (no_link) break;
    path = path.parent_path() / target;  // absolute targets replace the whole
  }
  return path;
}

/// So that the rename itself survives a power failure. Not every file system can, and the file is complete either way.
void sync_folder(const std::filesystem::path& folder) {
  const int file = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  (void)::fsync(file);
  ::close(file);
}

}  // namespace

ByteSink::ByteSink(std::string path, const SaveOptions& options) : path_(std::move(path)), options_(&options) {
  buffer_.reserve(k_buffer);
}

ByteSink::ByteSink(ByteSink&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      file_(std::exchange(other.file_, -1)),
      buffer_(std::move(other.buffer_)),
      flushed_(other.flushed_),
      options_(other.options_),
      reported_(other.reported_),
      losses_(std::move(other.losses_)),
      failure_(std::move(other.failure_)) {}

ByteSink::~ByteSink() { discard(); }

Result<ByteSink, IoError> ByteSink::create(const std::filesystem::path& path, const SaveOptions& options) {
  ByteSink sink(followed(path).string(), options);
  if (sink.path_.find('\0') != sink.path_.npos) return sink.fail(Code::unwritable, "has a zero byte in its name");
  struct stat status = {};
  const bool exists = ::stat(sink.path_.c_str(), &status) == 0;
  // Renaming onto a pipe, a device or a folder would replace it or fail after all the work.
  if (exists && !S_ISREG(status.st_mode)) return sink.fail(Code::unwritable, "exists and is not a file");
  if (!exists && errno == ELOOP) return sink.fail(Code::unwritable, "cannot be created: " + system_reason(ELOOP));
  sink.file_ = create_beside(sink.path_, sink.temporary_);
  if (sink.file_ < 0) return sink.fail(Code::unwritable, "cannot be created: " + system_reason(errno));
  if (exists && ::fchmod(sink.file_, status.st_mode & 0777) != 0)
    return sink.fail(Code::unwritable, "its mode cannot be kept: " + system_reason(errno));
  return sink;
}

ByteSink ByteSink::onto(int file, std::string path, const SaveOptions& options) {
  ByteSink sink(std::move(path), options);
  sink.file_ = file;
  return sink;
}

void ByteSink::text(std::string_view bytes) {
  while (!bytes.empty()) {
    if (buffer_.size() == buffer_.capacity()) flush();
    const std::size_t count = std::min(bytes.size(), buffer_.capacity() - buffer_.size());
    SNUG_ASSERT(count > 0);
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
    bytes.remove_prefix(count);
  }
}

void ByteSink::number(double value) {
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  text({digits.data(), end});
}

void ByteSink::integer(std::uint64_t value) {
  std::array<char, 24> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  text({digits.data(), end});
}

void ByteSink::flush() {
  SNUG_ASSERT(file_ >= 0 || buffer_.empty());
  for (std::size_t done = 0; done < buffer_.size() && !failure_;) {
    const ssize_t put = ::write(file_, buffer_.data() + done, buffer_.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return set_failure(Code::unwritable, "writing failed: " + system_reason(errno)), buffer_.clear();
    done += static_cast<std::size_t>(put);
  }
  flushed_ += buffer_.size();
  buffer_.clear();
}

void ByteSink::progress(std::uint64_t done, std::uint64_t total) {
  if (options_->cancel != nullptr && options_->cancel->cancelled())
    set_failure(Code::cancelled, "writing was cancelled");
  if (failure_ || !options_->progress || total == 0) return;
  reported_ = std::max(reported_, std::min(1.0, static_cast<double>(done) / static_cast<double>(total)));
  options_->progress(reported_);
}

Result<void, IoError> ByteSink::finish() {
  flush();
  if (!failure_ && !temporary_.empty()) put_in_place();
  discard();
  if (failure_) return Failure{*failure_};
  if (options_->problems != nullptr) std::ranges::move(losses_, std::back_inserter(*options_->problems));
  if (options_->progress && reported_ < 1) options_->progress(reported_ = 1);
  return {};
}

void ByteSink::put_in_place() {
  SNUG_ASSERT(file_ >= 0 && buffer_.empty() && !temporary_.empty());
  // On disk before it takes the place of what was there: else a power failure might leave neither. Some file systems
  // tell only now that they had no room, some cannot do it at all.
  const bool synced = ::fsync(file_) == 0 || errno == EINVAL || errno == ENOTSUP;
  const int sync_error = errno;
  const bool closed = ::close(std::exchange(file_, -1)) == 0;
  if (!synced || !closed)
    return set_failure(Code::unwritable, "writing failed: " + system_reason(synced ? errno : sync_error));
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
    return set_failure(Code::unwritable, "cannot be put in place: " + system_reason(errno));
  temporary_.clear();
  sync_folder(std::filesystem::path(path_).parent_path());
}

void ByteSink::set_failure(Code code, std::string text) {
  if (!failure_) failure_ = IoError{code, path_, std::nullopt, std::nullopt, std::move(text)};
}

void ByteSink::discard() noexcept {
  if (file_ >= 0) ::close(std::exchange(file_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

Failure<IoError> ByteSink::fail(Code code, std::string text) const { return failure(code, path_, std::move(text)); }

}  // namespace snug::io
