#pragma once

#include "unit/io_support.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace snug::test {

/// Reads bytes as a file of the given format; in millimetres where the format has no unit.
inline Result<Assembly, IoError> read_bytes(FileFormat format, std::string_view bytes, LoadOptions options = {}) {
  if (format != FileFormat::gltf && !options.units) options.units = LengthUnit::millimetre;
  auto source = io::ByteSource::from_memory(std::as_bytes(std::span(bytes)), "/nowhere/file.x", options);
  auto loaded = io::load_as(format, source, options);
  if (!loaded) return Failure{std::move(loaded).error()};
  return std::move(loaded->assembly);
}

/// Appends a number as binary data has it.
template <class T>
void put(std::string& out, T value, std::endian order = std::endian::little) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (order != std::endian::native) std::ranges::reverse(bytes);
  out.append(bytes.data(), bytes.size());
}

/// The text with the first occurrence of something replaced; it must be there.
inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, text.npos) << what;
  return at == text.npos ? text : text.replace(at, what.size(), by);
}

/// A bad file, and what must be said about it.
struct BadFile {
  const char* why;
  std::string bytes;
  IoError::Code code;
  const char* words;  ///< part of the message
};

inline void expect_refused(FileFormat format, const BadFile& bad) {
  SCOPED_TRACE(bad.why);
  const auto read = read_bytes(format, bad.bytes);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, bad.code) << read.error().message();
  EXPECT_EQ(read.error().path, "/nowhere/file.x");
  EXPECT_NE(read.error().message().find(bad.words), std::string::npos) << read.error().message();
}

}  // namespace snug::test
