#include "io/bytes/binary_reader.hpp"
#include "io/bytes/two_stages.hpp"
#include "io/stl/stl.hpp"
#include "io/weld.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace snug::io {

namespace {

using Code = IoError::Code;
constexpr std::size_t k_stl_header = 80, k_record = 50, k_normal = 12;

/// Text or binary, for files whose size does not settle it: binary files that are cut off, or have bytes to spare. A
/// zero byte stands in every count below 2^24 and in most floats, and in no text.
bool looks_like_text(std::string_view head) { return head.find('\0') == std::string_view::npos; }

FloatTriangle load_corners(const char* from) {
  FloatTriangle triangle;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&triangle, from, sizeof triangle);
  } else {
    for (auto& corner : triangle)
      for (float& coordinate : corner) {
        coordinate = load_number<float>(from, std::endian::little);
        from += sizeof(float);
      }
  }
  return triangle;
}

/// What one stage of reading hands to the other.
struct Batch {
  std::array<FloatTriangle, 1024> corners;
  std::array<WeldPlan, 1024> plans;
  std::size_t count = 0;
  std::uint64_t end = 0;  ///< offset in the file
};

}  // namespace

Result<RawAssembly, IoError> read_stl(ByteSource& source, const LoadOptions&) {
  std::array<char, k_head_bytes> buffer;
  const std::string_view head(buffer.data(), source.read(buffer));
  if (const auto& failed = source.failure()) return Failure{*failed};
  source.seek(0);
  if (is_binary_stl(head, source.size()) || !looks_like_text(head)) return read_stl_binary(source);
  return read_stl_text(source);
}

Result<RawAssembly, IoError> read_stl_binary(ByteSource& source) {
  BinaryReader in(source);
  std::uint32_t count = 0;
  if (!in.skip(k_stl_header) || !in.read(count)) return in.fail_at_end("a header of 84 bytes");
  const std::uint64_t expected = k_record * std::uint64_t{count};
  if (count == 0) return in.fail_at(k_stl_header, Code::malformed, "expected triangles, found a count of zero");
  if (in.remaining() < expected)
    return in.fail_at(source.size(), Code::truncated,
                      "expected " + counted(count, "triangle", "triangles") +
                          " of 50 bytes, found the end of the file "
                          "after " +
                          std::to_string(in.remaining() / k_record));
  // A few bytes more are padding; room for a triangle more means that the count is wrong.
  const std::uint64_t spare = in.remaining() - expected;
  if (spare >= k_record)
    return in.fail_at(k_stl_header + 4 + expected, Code::malformed,
                      "expected the end of the file after " + counted(count, "triangle", "triangles") + ", found " +
                          counted(spare, "more byte", "more bytes"));

  RawAssembly out;
  RawPart& part = out.parts.emplace_back();
  // The count is no more than the file has room for. Closed meshes have half as many vertices as triangles.
  VertexWelder welder(count / 2 + count / 32 + 16);
  std::vector<Index3>& triangles = part.mesh.triangles;
  reserve_large(triangles, count);
  // Reading and comparing on this thread, looking up on another: each takes about half of the time.
  constexpr std::uint32_t k_worth_a_thread = 1U << 16;
  std::uint64_t left = count;
  std::optional<FloatTriangle> last;
  std::optional<Failure<IoError>> failed;
  std::optional<std::uint64_t> full_at;
  const auto load_batch = [&](Batch& batch) {
    const std::uint64_t at = in.offset();
    const std::string_view records = in.take_records(k_record, std::min<std::uint64_t>(left, batch.corners.size()));
    if (left > 0 && records.empty()) failed = in.fail_at_end("a triangle of 50 bytes");
    if (records.empty()) return false;
    batch.count = records.size() / k_record;
    batch.end = in.offset();
    for (std::size_t i = 0; i < batch.count; ++i)
      batch.corners[i] = load_corners(records.data() + i * k_record + k_normal);
    const std::span<const FloatTriangle> corners(batch.corners.data(), batch.count);
    if (const auto bad = plan_welding(last ? &*last : nullptr, corners, batch.plans.data())) {
      failed = in.fail_at(at + *bad / 3 * k_record + k_normal + *bad % 3 * 12, Code::non_finite,
                          "expected a finite vertex, found NaN or infinity");
      return false;
    }
    last = corners.back();
    left -= batch.count;
    return true;
  };
  const auto weld_batch = [&](const Batch& batch) {
    if (full_at) return;
    welder.ids({batch.corners.data(), batch.count}, batch.plans.data(), triangles);
    if (welder.full()) full_at = batch.end;
  };
  in_two_stages<Batch>(count >= k_worth_a_thread, load_batch, weld_batch);
  if (full_at) return in.fail_at(*full_at, Code::too_large, "more vertices than 32-bit ids can name");
  if (failed) return std::move(*failed);
  part.mesh.vertices = welder.take();
  std::uint64_t collapsed = 0;
  for (const Index3& t : triangles) collapsed += has_twin_corners(t) ? 1 : 0;
  if (collapsed > 0) part.problems.push_back(collapsed_text(collapsed));
  if (spare > 0) out.problems.push_back(counted(spare, "byte", "bytes") + " behind the last triangle ignored");
  return out;
}

}  // namespace snug::io
