#pragma once

#include "support/rooms.hpp"
#include "support/sha256.hpp"

#include <snug/io.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct stat;

namespace snug::io {

/// The bytes of a regular file, or of a piece of memory that stands for one (fuzzing, tests, buffers inside a GLB).
/// Files are read, never mapped: one that shrinks under a mapping would kill the process. The size is that at opening;
/// a file that turns out shorter or longer is an error. Progress is reported and the cancel token looked at in every
/// read. After a failure read() gives nothing more; failure() tells why, and load() looks at it after every reader, so
/// a reader that only sees "the data ended" cannot hide a failing disk or a cancel.
/// A source that hashes does so as bytes are read, so that the hash is of what a reader saw.
/// Neither the options nor the memory are copied: both must outlive the source.
class ByteSource {
 public:
  /// Fails for what is missing, not a regular file (never blocks on a pipe), unreadable, empty or larger than
  /// options.max_file_bytes.
  static Result<ByteSource, IoError> open(const std::filesystem::path& path, const LoadOptions& options);
  /// A file named relative to a folder that lies in it or below, whatever links say and whoever moves them meanwhile;
  /// `refused` if it does not. `name` is for messages.
  static Result<ByteSource, IoError> open_beneath(const std::filesystem::path& folder,
                                                  const std::filesystem::path& relative, std::string name,
                                                  const LoadOptions& options);
  static ByteSource from_memory(std::span<const std::byte> bytes, std::string path, const LoadOptions& options);

  ByteSource(ByteSource&& other) noexcept;
  ByteSource& operator=(ByteSource&&) = delete;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ~ByteSource();

  /// As the caller gave it; for messages.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// The file's name without folder and last suffix; names the part of a file that names none itself. Never empty.
  [[nodiscard]] std::string stem() const;
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Where the next read() starts.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  [[nodiscard]] std::uint64_t remaining() const noexcept { return size_ - offset_; }

  /// Fills `out` unless the data ends before; returns how many bytes it wrote. Zero at the end or after a failure.
  std::size_t read(std::span<char> out);
  /// Precondition: offset <= size().
  void seek(std::uint64_t offset) noexcept;

  /// Fails if it is larger than these options allow: others than it was opened with.
  [[nodiscard]] Result<void, IoError> within_limit(const LoadOptions& options) const;
  /// Starts again from the beginning: under other options, without a failure, hashing or not.
  void restart(const LoadOptions& options, bool hashing);
  /// The SHA-256 of all bytes, hex, if it hashes: what nobody has read yet is read now. Otherwise empty. Fails as read() does, and if
  /// the file was written to since it was opened. To be called once, at the end.
  [[nodiscard]] Result<std::string, IoError> finish();

  /// Progress of this source is reported as low + (high - low) * offset / size. Initially [0, 0.9]: the rest is for
  /// building the meshes. A source of minor size beside others (glTF buffers) takes a share of its own.
  void set_progress_range(double low, double high) noexcept { low_ = low, high_ = high; }
  /// Reports progress and looks at the cancel token; false when cancelled. read() calls it; a reader does so only when
  /// it works for long without reading.
  bool poll();

  [[nodiscard]] const std::optional<IoError>& failure() const noexcept { return failure_; }
  /// An error about this file as a whole.
  [[nodiscard]] Failure<IoError> fail(IoError::Code code, std::string text) const;

 private:
  /// What changes when a file is written to; its system keeps the time of the change, which nobody can set back.
  struct State {
    std::int64_t size = 0, modified_s = 0, modified_ns = 0, changed_s = 0, changed_ns = 0;
    friend bool operator==(const State&, const State&) = default;
  };

  ByteSource(std::string path, std::uint64_t size, const LoadOptions& options);
  /// Takes over an open file, if that is a regular one of allowed size.
  static Result<ByteSource, IoError> adopt(int file, std::string name, const LoadOptions& options);
  [[nodiscard]] static State state_of(const struct stat& status) noexcept;
  std::size_t read_file(char* out, std::size_t count);
  /// Bytes that were read from there; those that were not hashed yet, and are next, are.
  void hash(const char* bytes, std::uint64_t from, std::size_t count) noexcept;
  void set_failure(IoError::Code code, std::string text);

  std::string path_;
  int file_ = -1;  ///< descriptor, or -1 for memory
  const std::byte* memory_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t offset_ = 0;
  const LoadOptions* options_;
  double low_ = 0, high_ = 0.9;
  double reported_ = 0;
  State opened_;  ///< the file's when it was opened
  std::optional<support::Sha256> sha256_;
  std::uint64_t hashed_ = 0;  ///< bytes from the beginning that are in it
  std::optional<IoError> failure_;
};

/// The next `count` bytes in one piece. Precondition: count <= source.remaining().
[[nodiscard]] Result<std::string, IoError> read_piece(ByteSource& source, std::uint64_t count);

}  // namespace snug::io
