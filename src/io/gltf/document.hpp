#pragma once

#include "io/bytes/byte_source.hpp"
#include "io/json/json.hpp"
#include "support/rooms.hpp"

#include <snug/io.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snug::io {

/// The JSON of a glTF file, the data that came with it, and the place where the first thing that is wrong is kept.
///
/// The read_… functions look up a member, check it and return false after storing an error; an absent member that is not
/// required leaves the target as it was. They never trust a number to be an index, or an array to be one.
class GltfDocument {
 public:
  /// Text or GLB, whichever the source holds. Checks the version and the required extensions.
  static Result<GltfDocument, IoError> read(ByteSource& source, const LoadOptions& options);

  [[nodiscard]] JsonView root() const noexcept { return json_.root(); }
  /// Items of a top-level array; zero if there is none.
  [[nodiscard]] std::size_t count(std::string_view array) const;
  /// Precondition: i < count(array). It is an object.
  [[nodiscard]] JsonView item(std::string_view array, std::size_t i) const;

  /// A whole number from 0 to 2^53.
  bool read_whole(JsonView object, std::string_view key, std::uint64_t& out, bool required = false);
  /// An index into a top-level array.
  bool read_index(JsonView object, std::string_view key, std::string_view array, std::optional<std::uint32_t>& out);
  bool read_indices(JsonView object, std::string_view key, std::string_view array, std::vector<std::uint32_t>& out);
  /// Exactly out.size() finite numbers; `present` tells whether they were there.
  bool read_numbers(JsonView object, std::string_view key, std::span<double> out, bool& present);
  bool read_string(JsonView object, std::string_view key, std::string& out);
  bool read_flag(JsonView object, std::string_view key, bool& out);
  /// A member that is an object, if it is there.
  bool read_object(JsonView object, std::string_view key, std::optional<JsonView>& out);

  /// Stores an error about a place in the JSON and returns false. Only the first one counts.
  bool fail(IoError::Code code, JsonView at, std::string text);
  bool fail(IoError error);
  /// Precondition: something failed.
  [[nodiscard]] Failure<IoError> failure() const { return Failure{*error_}; }

  /// Charges memory that is about to be taken, in proportion to what the file brought and was made use of: a small file
  /// that asks for much, by naming the same data over and over, is refused, whatever it is padded with.
  bool charge(std::uint64_t bytes, JsonView at);
  void add_bytes_used(std::uint64_t bytes) noexcept { bytes_used_ += bytes; }
  /// Notes data that is about to be read into memory; all of it together has to keep to max_file_bytes.
  bool hold(std::uint64_t bytes, JsonView at);

  /// What lengths are handed out in. The file's own are metres.
  [[nodiscard]] LengthUnit unit() const noexcept { return unit_; }
  void set_unit(LengthUnit unit) noexcept { unit_ = unit; }

  [[nodiscard]] ByteSource& source() const noexcept { return *source_; }
  [[nodiscard]] const LoadOptions& options() const noexcept { return *options_; }
  [[nodiscard]] const std::optional<std::string>& binary_chunk() const noexcept { return binary_chunk_; }
  [[nodiscard]] std::uint64_t binary_chunk_offset() const noexcept { return binary_chunk_offset_; }
  [[nodiscard]] std::vector<std::string>& problems() noexcept { return problems_; }

 private:
  GltfDocument(ByteSource& source, const LoadOptions& options) : source_(&source), options_(&options) {}
  bool read_text();
  bool read_chunks();
  bool parse(std::uint64_t chunk_offset, bool is_text);
  bool check_lists();
  bool check_version();
  bool check_extensions();

  ByteSource* source_;
  const LoadOptions* options_;
  LengthUnit unit_ = LengthUnit::metre;
  std::string text_;
  std::vector<std::uint64_t> line_starts_;
  std::optional<std::uint64_t> chunk_offset_;  ///< of the JSON inside a GLB; absent for text
  Json json_;
  std::optional<std::string> binary_chunk_;
  std::uint64_t binary_chunk_offset_ = 0;
  std::uint64_t bytes_used_ = 0, bytes_charged_ = 0, bytes_held_ = 0;
  std::vector<std::string> problems_;
  std::optional<IoError> error_;
};

}  // namespace snug::io
