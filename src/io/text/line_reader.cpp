#include "io/text/line_reader.hpp"

#include "io/errors.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cstring>

namespace snug::io {

namespace {

// Small enough to stay in the second-level cache between the kernel's copy and our scan.
constexpr std::size_t k_text_chunk = std::size_t{1} << 18;
constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";

/// One past the last LF in [begin, end), or begin.
const char* after_last_line_end(const char* begin, const char* end) {
  while (end != begin && end[-1] != '\n') --end;
  return end;
}

bool has_lone_cr_only(std::string_view text) {
  const bool has_cr = text.find('\r') != text.npos;
  // A single one at the end may be half of a CRLF.
  return has_cr && text.find('\n') == text.npos && text.find('\r') + 1 < text.size();
}

}  // namespace

LineReader::LineReader(ByteSource& source) : source_(source) {
  buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(k_text_chunk, source.remaining())) + 1);
  cursor_ = limit_ = end_ = buffer_.data();
}

std::uint64_t LineReader::next_offset() const noexcept {
  // The line end that fill() may have added behind the file's last byte is not in the file.
  return std::min(source_.offset() - static_cast<std::uint64_t>(end_ - cursor_) + (added_line_end_ ? 1 : 0),
                  source_.size());
}

bool LineReader::fill() {
  if (cursor_ != limit_) return true;
  if (failure() || added_line_end_) return false;
  const bool at_start = source_.offset() == 0;
  // What is left is the beginning of a line; search only what is new, so that a long line costs no more than its length.
  SNUG_ASSERT(cursor_ <= end_);
  std::size_t kept = static_cast<std::size_t>(end_ - cursor_);
  if (kept > 0) std::memmove(buffer_.data(), cursor_, kept);
  for (;;) {
    // One byte stays free for a missing last line end.
    if (kept + 1 >= buffer_.size()) {
      if (kept >= k_max_line_bytes) return refuse_long_line(passed_ + 1);
      buffer_.resize(std::min(2 * buffer_.size(), k_max_line_bytes + k_text_chunk));
    }
    char* const fresh = buffer_.data() + kept;
    const std::size_t got = source_.read({fresh, std::min(k_text_chunk, buffer_.size() - kept - 1)});
    if (source_.failure()) {
      cursor_ = limit_ = end_ = buffer_.data();
      return false;
    }
    const std::string_view read(fresh, got);
    if (at_start && kept == 0) ends_in_cr_ = has_lone_cr_only(read);
    if (ends_in_cr_) std::replace(fresh, fresh + got, '\r', '\n');
    cursor_ = buffer_.data();
    end_ = fresh + got;
    if (got == 0 || source_.remaining() == 0) {
      if (end_ == cursor_) return limit_ = end_, false;
      if (end_[-1] != '\n') {
        buffer_[static_cast<std::size_t>(end_ - cursor_)] = '\n';
        ++end_;
        added_line_end_ = true;
      }
      limit_ = end_;
    } else {
      const char* const found = after_last_line_end(fresh, end_);
      limit_ = found == fresh ? cursor_ : found;
    }
    if (at_start && std::string_view(cursor_, end_).starts_with(k_byte_order_mark) && limit_ != cursor_)
      cursor_ += k_byte_order_mark.size();
    if (cursor_ != limit_) return true;
    kept = static_cast<std::size_t>(end_ - buffer_.data());
  }
}

bool LineReader::next() {
  if (!fill()) return false;
  const auto length = static_cast<std::size_t>(limit_ - cursor_);
  const char* const stop = static_cast<const char*>(std::memchr(cursor_, '\n', length));
  SNUG_ASSERT(stop != nullptr && stop < limit_);
  line_ = {cursor_, stop};
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  cursor_ = stop + 1;
  number_ = ++passed_;
  return true;
}

bool LineReader::join_continuation() {
  if (!line_.ends_with('\\')) return true;
  const std::uint64_t first = number_;
  joined_.assign(line_);
  while (joined_.ends_with('\\')) {
    joined_.back() = ' ';
    if (!next()) break;
    joined_ += line_;
    if (joined_.size() > k_max_line_bytes) return refuse_long_line(first);
  }
  number_ = first;
  line_ = joined_;
  return !failure();
}

bool LineReader::refuse_long_line(std::uint64_t number) {
  failure_ = IoError{IoError::Code::too_large, source_.path(), number, std::nullopt,
                     "a line is longer than " + std::to_string(k_max_line_bytes) + " bytes"};
  cursor_ = limit_ = end_;
  return false;
}

Failure<IoError> LineReader::fail(IoError::Code code, std::string text) const {
  return failure_at_line(code, source_.path(), std::max<std::uint64_t>(number_, 1),
                         std::move(text));  // an empty file has a first line
}

Failure<IoError> LineReader::fail_at_end(std::string_view expected) const {
  if (failure()) return failure_here();
  return fail(IoError::Code::truncated, "expected " + std::string(expected) + ", found the end of the file");
}

}  // namespace snug::io
