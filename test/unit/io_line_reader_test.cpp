#include "io/text/line_reader.hpp"

#include "io/bytes/binary_reader.hpp"
#include "unit/io_support.hpp"

namespace snug::io {
namespace {

const LoadOptions k_options;

ByteSource memory(std::string_view text) {
  return ByteSource::from_memory(std::as_bytes(std::span(text)), "text", k_options);
}

std::vector<std::string> lines_of(std::string_view text, bool join = false) {
  ByteSource source = memory(text);
  LineReader lines(source);
  std::vector<std::string> out;
  while (lines.next()) {
    EXPECT_TRUE(!join || lines.join_continuation());
    out.push_back(std::to_string(lines.number()) + ":" + std::string(lines.line()));
  }
  EXPECT_FALSE(lines.failure());
  return out;
}

using Lines = std::vector<std::string>;

TEST(LineReader, KnowsLineEndsAndTheByteOrderMark) {
  EXPECT_EQ(lines_of("a\nb\n"), (Lines{"1:a", "2:b"}));
  EXPECT_EQ(lines_of("a\r\n\r\nb"), (Lines{"1:a", "2:", "3:b"}));
  EXPECT_EQ(lines_of("\xEF\xBB\xBFone\ntwo"), (Lines{"1:one", "2:two"}));
  EXPECT_EQ(lines_of("\n\n"), (Lines{"1:", "2:"}));
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("\xEF\xBB\xBF"), Lines{"1:"});
}

TEST(LineReader, JoinsContinuedLines) {
  EXPECT_EQ(lines_of("a \\\nb\\\r\nc\nd", true), (Lines{"1:a  b c", "4:d"}));
  EXPECT_EQ(lines_of("a\\", true), Lines{"1:a "});
  EXPECT_EQ(lines_of("a\\\n", true), Lines{"1:a "});
}

TEST(LineReader, LinesLongerThanAChunkAreWhole) {
  std::string text;
  Lines expected;
  for (std::size_t i = 1; i < 8; ++i) {
    const std::string line(i * 200'000, static_cast<char>('a' + i));
    text += line + '\n';
    expected.push_back(std::to_string(i) + ":" + line);
  }
  EXPECT_EQ(lines_of(text), expected);
  text.pop_back();
  EXPECT_EQ(lines_of(text), expected);
}

TEST(LineReader, EveryLengthAroundAChunkIsRead) {
  constexpr std::size_t k_chunk = std::size_t{1} << 18;
  for (std::size_t length = k_chunk - 3; length < k_chunk + 4; ++length) {
    const std::string first(length, 'x');
    EXPECT_EQ(lines_of(first + "\nlast"), (Lines{"1:" + first, "2:last"}));
    EXPECT_EQ(lines_of(first), Lines{"1:" + first});
  }
}

TEST(LineReader, RefusesEndlessLines) {
  const std::string text = "short\n" + std::string(k_max_line_bytes + 300'000, 'x');
  ByteSource source = memory(text);
  LineReader lines(source);
  EXPECT_TRUE(lines.next());
  EXPECT_FALSE(lines.next());
  ASSERT_TRUE(lines.failure());
  EXPECT_EQ(lines.failure()->message(), "text:2: a line is longer than 16777216 bytes");
  EXPECT_FALSE(lines.next());
}

TEST(LineReader, RefusesEndlessContinuation) {
  std::string text;
  for (int i = 0; i < 3; ++i) text.append(k_max_line_bytes / 2, 'x').append("\\\n");
  ByteSource source = memory(text);
  LineReader lines(source);
  ASSERT_TRUE(lines.next());
  EXPECT_FALSE(lines.join_continuation());
  ASSERT_TRUE(lines.failure());
  EXPECT_EQ(*lines.failure()->line, 1);
}

TEST(LineReader, TellsWhereBinaryDataStarts) {
  const std::string_view text = "head\r\nend_header\n\x01\x02\x03\x04";
  ByteSource source = memory(text);
  LineReader lines(source);
  while (lines.next() && lines.line() != "end_header") continue;
  ASSERT_EQ(lines.next_offset(), 17U);
  source.seek(lines.next_offset());
  BinaryReader binary(source);
  std::uint32_t value = 0;
  ASSERT_TRUE(binary.read(value, std::endian::big));
  EXPECT_EQ(value, 0x01020304U);
  EXPECT_FALSE(binary.read(value));
  EXPECT_EQ(binary.offset(), text.size());
}

TEST(BinaryReader, TakesRecordsAcrossChunks) {
  std::string text(7 * 100'000, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i % 251);
  ByteSource source = memory(text);
  BinaryReader in(source);
  ASSERT_EQ(in.take(5).size(), 5U);
  std::string got = text.substr(0, 5);
  for (;;) {
    const std::string_view records = in.take_records(7, 1'000'000);
    if (records.empty()) break;
    EXPECT_EQ(records.size() % 7, 0U);
    got += records;
  }
  EXPECT_EQ(in.remaining(), 2U);
  EXPECT_TRUE(text.starts_with(got));
  EXPECT_EQ(got.size(), text.size() - 2);
  EXPECT_TRUE(in.skip(2));
  EXPECT_FALSE(in.skip(1));
}

}  // namespace
}  // namespace snug::io
