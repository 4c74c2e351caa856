#pragma once

#include "bvh/dop24/links.hpp"
#include "support/rooms.hpp"

#include <snug/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// The memory image of a DOP-tree in fixed point, as the chip reads it: one header, then one record for each node.
//
//   header  one burst: the eight characters SNUGDOP1, then little-endian k, width, bytes of a burst, bytes of a record,
//           nodes and triangles, four bytes each, scale and enlargement, eight each; the rest is 0
//   record  24 coefficients of `width` bits, two's complement, then the links left and right, 32 bits each, packed from the
//           lowest bit on; padded with 0 to whole bursts
//
// Links are those of DopLinks. A burst has 512 bits: records of up to 18 bits take one, of up to 40 two, wider ones three.

namespace snug::bvh {

inline constexpr std::size_t k_burst_bytes = 64;
inline constexpr unsigned k_least_record_width = 5, k_most_record_width = 41;

[[nodiscard]] constexpr std::size_t record_bytes(unsigned width) noexcept {
  return (24 * width + 64 + 8 * k_burst_bytes - 1) / (8 * k_burst_bytes) * k_burst_bytes;
}
static_assert(record_bytes(18) == 64 && record_bytes(19) == 128 && record_bytes(40) == 128 && record_bytes(41) == 192);

struct DopRecords {
  unsigned width = 18;     ///< W: bits of a coefficient, its sign included
  double scale = 0;        ///< what coefficients were multiplied by
  double enlargement = 0;  ///< what was added to them before
  std::vector<DopLinks> links;
  std::vector<std::int64_t> coefficients;  ///< 24 for each node

  friend bool operator==(const DopRecords&, const DopRecords&) = default;
};

/// Why an image was refused.
struct DopRecordsError {
  enum class Code {
    truncated,            ///< shorter than its header, or than the header says
    too_long,             ///< bytes behind the last record
    wrong_header,         ///< not such an image, of another version, or with a field out of range
    wrong_child,          ///< a link that leads nowhere, backwards, or where another has led
    wrong_triangle,       ///< a leaf's triangle is not there or in another leaf too
    child_sticks_out,     ///< a coefficient of a child is larger than its parent's
    padding,              ///< bits that should be 0 are not
    coefficient_too_wide  ///< on writing: it does not fit
  } code;
  std::uint64_t node = 0;
  [[nodiscard]] std::string message() const;
};

[[nodiscard]] Result<std::vector<std::byte>, DopRecordsError> write_dop_records(const DopRecords& records);
/// Refuses whatever could lead a walk astray.
[[nodiscard]] Result<DopRecords, DopRecordsError> read_dop_records(std::span<const std::byte> image);

}  // namespace snug::bvh
