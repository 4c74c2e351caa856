#include "io/bytes/binary_reader.hpp"

#include "io/errors.hpp"
#include "support/assert.hpp"

namespace snug::io {

namespace {
// Small enough to stay in the second-level cache between the kernel's copy and our use.
constexpr std::size_t k_chunk = std::size_t{1} << 18;
}  // namespace

BinaryReader::BinaryReader(ByteSource& source) : source_(source) {}

bool BinaryReader::ensure(std::size_t count) {
  SNUG_ASSERT(begin_ <= end_ && end_ <= buffer_.size());
  if (end_ - begin_ >= count) return true;
  if (remaining() < count || source_.failure()) return false;
  if (buffer_.size() < count || buffer_.empty())
    buffer_.resize(std::max(count, static_cast<std::size_t>(std::min<std::uint64_t>(k_chunk, remaining()))));
  if (end_ > begin_) std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  end_ += source_.read({buffer_.data() + end_, buffer_.size() - end_});
  return end_ >= count;
}

std::string_view BinaryReader::take(std::size_t count) {
  SNUG_ASSERT(count > 0 && count <= k_max_piece);
  if (!ensure(count)) return {};
  const std::string_view bytes(buffer_.data() + begin_, count);
  begin_ += count;
  return bytes;
}

std::string_view BinaryReader::take_records(std::size_t size, std::uint64_t most) {
  SNUG_ASSERT(size > 0 && size <= k_max_piece);
  if (most == 0 || !ensure(size)) return {};
  const std::uint64_t count = std::min<std::uint64_t>(most, (end_ - begin_) / size);
  return take(static_cast<std::size_t>(std::min<std::uint64_t>(count, k_max_piece / size)) * size);
}

bool BinaryReader::skip(std::uint64_t count) {
  if (count > remaining()) return false;
  const std::uint64_t held = end_ - begin_;
  if (count <= held) {
    begin_ += static_cast<std::size_t>(count);
  } else {
    source_.seek(source_.offset() + (count - held));
    begin_ = end_ = 0;
  }
  return true;
}

Failure<IoError> BinaryReader::fail(IoError::Code code, std::string text) const {
  return fail_at(offset(), code, std::move(text));
}

Failure<IoError> BinaryReader::fail_at(std::uint64_t byte, IoError::Code code, std::string text) const {
  return failure_at_byte(code, source_.path(), byte, std::move(text));
}

Failure<IoError> BinaryReader::fail_at_end(std::string_view expected) const {
  if (const auto& failed = source_.failure()) return Failure{*failed};
  return fail_at(source_.size(), IoError::Code::truncated,
                 "expected " + std::string(expected) + ", found the end of the file");
}

}  // namespace snug::io
