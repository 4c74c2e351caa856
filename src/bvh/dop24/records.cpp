#include "bvh/dop24/records.hpp"

#include "support/assert.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

namespace snug::bvh {

namespace {

using Code = DopRecordsError::Code;

constexpr std::array<char, 8> k_magic{'S', 'N', 'U', 'G', 'D', 'O', 'P', '1'};
constexpr std::uint32_t k_dop_k = 24;

Failure<DopRecordsError> refused(Code code, std::uint64_t node = 0) { return {DopRecordsError{code, node}}; }

/// Numbers one after the other, from the lowest bit of the lowest byte on.
class BitWriter {
 public:
  explicit BitWriter(std::byte* to) noexcept : to_(to) {}
  void put(std::uint64_t value, unsigned bits) noexcept {
    SNUG_ASSERT(bits <= 64);
    for (unsigned i = 0; i < bits; ++i, ++at_)
      if ((value >> i & 1U) != 0) to_[at_ / 8] |= std::byte{1} << at_ % 8;
  }

 private:
  std::byte* to_;
  std::size_t at_ = 0;
};

class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> from) noexcept : from_(from) {}
  std::uint64_t get(unsigned bits) noexcept {
    SNUG_ASSERT(bits <= 64 && at_ + bits <= 8 * from_.size());
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bits; ++i, ++at_)
      value |= static_cast<std::uint64_t>(from_[at_ / 8] >> at_ % 8 & std::byte{1}) << i;
    return value;
  }
  std::int64_t get_signed(unsigned bits) noexcept {
    SNUG_ASSERT(bits > 0);
    const std::uint64_t value = get(bits), sign = std::uint64_t{1} << (bits - 1);
    return static_cast<std::int64_t>((value ^ sign) - sign);
  }
  [[nodiscard]] bool rest_is_zero() noexcept {
    while (at_ < 8 * from_.size())
      if (get(1) != 0) return false;
    return true;
  }

 private:
  std::span<const std::byte> from_;
  std::size_t at_ = 0;
};

/// What can be wrong with links and coefficients.
std::optional<DopRecordsError> fault(const DopRecords& r, std::uint64_t triangles) {
  SNUG_ASSERT(!r.links.empty() && r.coefficients.size() == k_dop_k * r.links.size());
  std::vector<bool> led_to(r.links.size(), false), held(triangles, false);
  led_to[0] = true;
  for (std::uint64_t node = 0; node < r.links.size(); ++node) {
    const DopLinks& links = r.links[node];
    if (!led_to[node]) return DopRecordsError{Code::wrong_child, node};
    if (links.leaf()) {
      if (links.left >= triangles || held[links.left]) return DopRecordsError{Code::wrong_triangle, node};
      held[links.left] = true;
      continue;
    }
    for (const std::uint32_t child : {links.left, links.right}) {
      if (child <= node || child >= r.links.size() || led_to[child]) return DopRecordsError{Code::wrong_child, node};
      led_to[child] = true;
      for (std::size_t i = 0; i < k_dop_k; ++i)
        if (r.coefficients[k_dop_k * child + i] > r.coefficients[k_dop_k * node + i])
          return DopRecordsError{Code::child_sticks_out, child};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string DopRecordsError::message() const {
  constexpr std::array<const char*, 8> k_words{"the image of a DOP-tree ends early",
                                               "bytes follow the last record of the image of a DOP-tree",
                                               "not the image of a DOP-tree, or of another version",
                                               "wrong link of node ",
                                               "wrong triangle of node ",
                                               "beyond its parent: node ",
                                               "bits where none belong: node ",
                                               "a coefficient is too wide: node "};
  const std::string words = k_words.at(static_cast<std::size_t>(code));
  return words.back() == ' ' ? words + std::to_string(node) : words;
}

Result<std::vector<std::byte>, DopRecordsError> write_dop_records(const DopRecords& r) {
  if (r.width < k_least_record_width || r.width > k_most_record_width || r.links.empty() || r.links.size() % 2 == 0 ||
      r.coefficients.size() != k_dop_k * r.links.size() || !std::isfinite(r.scale) || !std::isfinite(r.enlargement))
    return refused(Code::wrong_header);
  const std::size_t bytes = record_bytes(r.width);
  std::vector<std::byte> image(k_burst_bytes + bytes * r.links.size());
  std::memcpy(image.data(), k_magic.data(), k_magic.size());
  BitWriter header(image.data() + k_magic.size());
  for (const std::uint64_t field :
       {std::uint64_t{k_dop_k}, std::uint64_t{r.width}, std::uint64_t{k_burst_bytes}, std::uint64_t{bytes},
        std::uint64_t{r.links.size()}, std::uint64_t{(r.links.size() + 1) / 2}})
    header.put(field, 32);
  header.put(std::bit_cast<std::uint64_t>(r.scale), 64);
  header.put(std::bit_cast<std::uint64_t>(r.enlargement), 64);
  const std::int64_t limit = std::int64_t{1} << (r.width - 1);
  for (std::size_t node = 0; node < r.links.size(); ++node) {
    BitWriter record(image.data() + k_burst_bytes + bytes * node);
    for (std::size_t i = 0; i < k_dop_k; ++i) {
      const std::int64_t c = r.coefficients[k_dop_k * node + i];
      if (c < -limit || c >= limit) return refused(Code::coefficient_too_wide, node);
      record.put(static_cast<std::uint64_t>(c), r.width);
    }
    record.put(r.links[node].left, 32);
    record.put(r.links[node].right, 32);
  }
  return image;
}

Result<DopRecords, DopRecordsError> read_dop_records(std::span<const std::byte> image) {
  if (image.size() < k_burst_bytes) return refused(Code::truncated);
  if (std::memcmp(image.data(), k_magic.data(), k_magic.size()) != 0) return refused(Code::wrong_header);
  BitReader header(image.subspan(k_magic.size(), k_burst_bytes - k_magic.size()));
  const std::uint64_t k = header.get(32), width = header.get(32), burst = header.get(32), bytes = header.get(32);
  const std::uint64_t nodes = header.get(32), triangles = header.get(32);
  DopRecords r;
  r.scale = std::bit_cast<double>(header.get(64)), r.enlargement = std::bit_cast<double>(header.get(64));
  if (k != k_dop_k || width < k_least_record_width || width > k_most_record_width || burst != k_burst_bytes ||
      bytes != record_bytes(static_cast<unsigned>(width)) || triangles == 0 || nodes != 2 * triangles - 1 ||
      !std::isfinite(r.scale) || !std::isfinite(r.enlargement) || !header.rest_is_zero())
    return refused(Code::wrong_header);
  // Compared before anything is allocated: a header may promise what it likes.
  const std::uint64_t there = (image.size() - k_burst_bytes) / bytes;
  if (there < nodes) return refused(Code::truncated);
  if (image.size() != k_burst_bytes + bytes * nodes) return refused(Code::too_long);
  r.width = static_cast<unsigned>(width);
  r.links.resize(nodes), r.coefficients.resize(k_dop_k * nodes);
  for (std::uint64_t node = 0; node < nodes; ++node) {
    BitReader record(image.subspan(k_burst_bytes + bytes * node, bytes));
    for (std::size_t i = 0; i < k_dop_k; ++i) r.coefficients[k_dop_k * node + i] = record.get_signed(r.width);
    r.links[node].left = static_cast<std::uint32_t>(record.get(32));
    r.links[node].right = static_cast<std::uint32_t>(record.get(32));
    if (!record.rest_is_zero()) return refused(Code::padding, node);
  }
  if (const auto wrong = fault(r, triangles)) return Failure<DopRecordsError>{*wrong};
  return r;
}

}  // namespace snug::bvh
