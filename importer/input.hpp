#pragma once

#include <cstdint>
#include <streambuf>
#include <string>
#include <unordered_map>
#include <vector>

// In the sandbox nothing can be opened. Files that a STEP file names stand on descriptor 0 behind it, put there by whoever
// started this program, with a list of them at the end.

namespace snug::importer {

/// Bytes of descriptor 0.
struct Piece {
  std::uint64_t begin = 0, bytes = 0;
};

class Input {
 public:
  /// The last `list_bytes` of descriptor 0 list the files there, in their order, a line each: size in bytes, a tab and the
  /// name. The first is the file to read. "-", a tab, a name, a tab and words stand for a file that cannot be had, and why.
  /// Without a list, the whole is one file. Throws if the list does not fit.
  explicit Input(std::uint64_t list_bytes);

  [[nodiscard]] const Piece& file() const { return file_; }
  /// Null if there is none of this name.
  [[nodiscard]] const Piece* find(const std::string& name) const;
  /// Why a file cannot be had.
  [[nodiscard]] std::string why_missing(const std::string& name) const;

 private:
  void read_list(std::string_view list, std::uint64_t end);

  Piece file_;
  std::unordered_map<std::string, Piece> others_;
  std::unordered_map<std::string, std::string> missing_;
};

/// A piece as UTF-8: bytes that are no part of a UTF-8 sequence are read as Latin-1.
class Utf8Text final : public std::streambuf {
 public:
  explicit Utf8Text(const Piece& piece) : next_(piece.begin), end_(piece.begin + piece.bytes) {}
  /// Bytes read as Latin-1 so far.
  [[nodiscard]] std::uint64_t latin1_bytes() const { return latin1_bytes_; }

 private:
  int_type underflow() override;

  std::uint64_t next_, end_, latin1_bytes_ = 0;
  std::string raw_, text_;
};

}  // namespace snug::importer
