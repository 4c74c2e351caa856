#pragma once

#include "support/rooms.hpp"

#include <snug/io.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snug::io {

/// Buffered writing into a temporary file beside `path`, which finish() renames; without finish() nothing is left
/// behind. After a failure (disk full, cancel) further writes do nothing and finish() returns the reason, so writers
/// need not check each call; long loops stop early by looking at ok().
class ByteSink {
 public:
  static Result<ByteSink, IoError> create(const std::filesystem::path& path, const SaveOptions& options);
  /// Into what is open already; finish() renames nothing. `path` is for messages. Closes the descriptor in the end.
  static ByteSink onto(int file, std::string path, const SaveOptions& options);

  ByteSink(ByteSink&& other) noexcept;
  ByteSink& operator=(ByteSink&&) = delete;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  ~ByteSink();

  void text(std::string_view bytes);
  void byte(char c) {
    if (buffer_.size() == buffer_.capacity()) flush();
    buffer_.push_back(c);
  }
  /// Shortest decimal text that reads back as the same double ("-0" for the negative zero).
  void number(double value);
  void integer(std::uint64_t value);
  /// Binary, little endian.
  template <class T>
  void binary(T value) {
    auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
    if constexpr (std::endian::native == std::endian::big) std::ranges::reverse(bytes);
    text({bytes.data(), bytes.size()});
  }

  /// Something the format cannot keep, for SaveOptions::problems.
  void note_loss(std::string part, std::string text) { losses_.push_back({std::move(part), std::move(text)}); }

  /// Progress towards `total`, in whatever unit the writer counts; looks at the cancel token.
  void progress(std::uint64_t done, std::uint64_t total);
  [[nodiscard]] bool ok() const noexcept { return !failure_; }
  [[nodiscard]] std::uint64_t offset() const noexcept { return flushed_ + buffer_.size(); }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] Failure<IoError> fail(IoError::Code code, std::string text) const;

  Result<void, IoError> finish();

 private:
  ByteSink(std::string path, const SaveOptions& options);
  void flush();
  void set_failure(IoError::Code code, std::string text);
  void put_in_place();
  void discard() noexcept;

  std::string path_;
  std::string temporary_;
  int file_ = -1;
  std::vector<char> buffer_;
  std::uint64_t flushed_ = 0;
  const SaveOptions* options_;
  double reported_ = 0;
  std::vector<Problem> losses_;
  std::optional<IoError> failure_;
};

/// Counts the steps of a writer's loops, of which there are `total`, and reports now and then.
class Steps {
 public:
  Steps(ByteSink& sink, std::uint64_t total) : sink_(sink), total_(total) {}
  /// To be called once per step; false when it is time to give up.
  bool next() {
    constexpr std::uint64_t k_report_every = 1 << 14;
    if (done_++ % k_report_every == 0) sink_.progress(done_, total_);
    return sink_.ok();
  }

 private:
  ByteSink& sink_;
  std::uint64_t total_, done_ = 0;
};

}  // namespace snug::io
