#include "geometry/long_int.hpp"

#include "geometry/wide_int.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace snug::geometry {

std::uint64_t* LimbArena::take_more(std::size_t limbs) {
  std::size_t size = block_ == 0 ? k_first : more_[block_ - 1].size;
  while (size - used_ < limbs) {
    if (block_ == more_.size()) {
      const std::size_t next = std::max(2 * size, limbs);
      more_.push_back({std::make_unique_for_overwrite<std::uint64_t[]>(next), next});
    }
    size = more_[block_++].size;
    used_ = 0;
  }
  SNUG_ASSERT(used_ + limbs <= size);
  std::uint64_t* const begin = (block_ == 0 ? first_ : more_[block_ - 1].limbs.get()) + used_;
  used_ += limbs;
  return begin;
}

namespace {

/// a + b into out, which has room for one limb more than a.
void add_magnitudes(const std::uint64_t* a, std::size_t size_a, const std::uint64_t* b, std::size_t size_b,
                    std::uint64_t* out) noexcept {
  SNUG_ASSERT(size_a >= size_b);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < size_b; ++i) {
    const uint128 sum = static_cast<uint128>(a[i]) + b[i] + carry;
    out[i] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> 64);
  }
  for (std::size_t i = size_b; i < size_a; ++i) {
    out[i] = a[i] + carry;
    carry = static_cast<std::uint64_t>(out[i] < carry);
  }
  out[size_a] = carry;
}

/// a - b into out, of which a is not the smaller.
void subtract_magnitudes(const std::uint64_t* a, std::size_t size_a, const std::uint64_t* b, std::size_t size_b,
                         std::uint64_t* out) noexcept {
  SNUG_ASSERT(size_a >= size_b);
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < size_b; ++i) {
    const uint128 difference = static_cast<uint128>(a[i]) - b[i] - borrow;
    out[i] = static_cast<std::uint64_t>(difference);
    borrow = static_cast<std::uint64_t>(difference >> 64) & 1U;
  }
  for (std::size_t i = size_b; i < size_a; ++i) {
    out[i] = a[i] - borrow;
    borrow = static_cast<std::uint64_t>(a[i] < borrow);
  }
  SNUG_ASSERT(borrow == 0);
}

int compare_magnitudes(const std::uint64_t* a, std::size_t size_a, const std::uint64_t* b,
                       std::size_t size_b) noexcept {
  if (size_a != size_b) return size_a < size_b ? -1 : 1;
  for (std::size_t i = size_a; i-- > 0;)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

}  // namespace

LongInt::LongInt(LimbArena* arena, const std::uint64_t* limb, std::size_t size, int sign) noexcept
    : arena_(arena), limb_(limb) {
  while (size > 0 && limb[size - 1] == 0) --size;
  size_ = static_cast<std::uint32_t>(size);
  sign_ = size == 0 ? 0 : sign;
}

LongInt LongInt::make(LimbArena& arena, std::int64_t value, unsigned shift) {
  std::uint64_t* const limb = arena.take(1);
  *limb = value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  const LongInt unshifted(&arena, limb, 1, value < 0 ? -1 : 1);
  return shift == 0 ? unshifted : unshifted.shifted_left(shift);
}

std::size_t LongInt::bits() const noexcept {
  return size_ == 0 ? 0 : 64 * (size_ - std::size_t{1}) + static_cast<std::size_t>(std::bit_width(limb_[size_ - 1]));
}

double LongInt::rounded_down(std::size_t shift) const noexcept {
  if (sign_ == 0) return 0;
  const std::size_t all = bits();
  const std::size_t dropped = all > 53 ? all - 53 : 0;  // from the low end
  const std::size_t at = dropped / 64;
  const std::size_t within = dropped % 64;
  std::uint64_t head = limb_[at] >> within;
  if (within != 0 && at + 1 < size_) head |= limb_[at + 1] << (64 - within);
  head &= (std::uint64_t{1} << 53) - 1;
  bool inexact = (limb_[at] & ((std::uint64_t{1} << within) - 1)) != 0;
  for (std::size_t i = 0; i < at && !inexact; ++i) inexact = limb_[i] != 0;
  const auto exponent = static_cast<std::int64_t>(dropped) - static_cast<std::int64_t>(shift);
  SNUG_ASSERT(exponent < 970);
  if (exponent < -1074) return sign_ < 0 ? -std::numeric_limits<double>::min() : 0;
  double value = std::ldexp(static_cast<double>(head), static_cast<int>(exponent));
  if (sign_ < 0) value = -value;
  return inexact && sign_ < 0 ? std::nextafter(value, -std::numeric_limits<double>::infinity()) : value;
}

LongInt operator+(const LongInt& a, const LongInt& b) {
  if (a.sign_ == 0) return b;
  if (b.sign_ == 0) return a;
  const LongInt& longer = a.size_ >= b.size_ ? a : b;
  const LongInt& shorter = a.size_ >= b.size_ ? b : a;
  if (a.sign_ == b.sign_) {
    std::uint64_t* const out = a.arena_->take(longer.size_ + std::size_t{1});
    add_magnitudes(longer.limb_, longer.size_, shorter.limb_, shorter.size_, out);
    return {a.arena_, out, longer.size_ + std::size_t{1}, a.sign_};
  }
  const int order = compare_magnitudes(a.limb_, a.size_, b.limb_, b.size_);
  if (order == 0) return {};
  const LongInt& more = order > 0 ? a : b;
  const LongInt& less = order > 0 ? b : a;
  std::uint64_t* const out = a.arena_->take(more.size_);
  subtract_magnitudes(more.limb_, more.size_, less.limb_, less.size_, out);
  return {a.arena_, out, more.size_, more.sign_};
}

LongInt operator*(const LongInt& a, const LongInt& b) {
  if (a.sign_ == 0 || b.sign_ == 0) return {};
  const std::size_t size = std::size_t{a.size_} + b.size_;
  std::uint64_t* const out = a.arena_->take(size);
  std::fill_n(out, b.size_, 0);
  for (std::size_t i = 0; i < a.size_; ++i) {
    std::uint64_t carry = 0;
    if (a.limb_[i] != 0)  // mantissas in long fields of zeros are common
      for (std::size_t j = 0; j < b.size_; ++j) {
        const uint128 t = static_cast<uint128>(a.limb_[i]) * b.limb_[j] + out[i + j] + carry;
        out[i + j] = static_cast<std::uint64_t>(t);
        carry = static_cast<std::uint64_t>(t >> 64);
      }
    out[i + b.size_] = carry;
  }
  return {a.arena_, out, size, a.sign_ * b.sign_};
}

LongInt LongInt::shifted_left(std::size_t bits) const {
  if (sign_ == 0 || bits == 0) return *this;
  const std::size_t limbs = bits / 64, within = bits % 64;
  const std::size_t size = size_ + limbs + 1;
  std::uint64_t* const out = arena_->take(size);
  std::fill_n(out, limbs, 0);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    out[limbs + i] = limb_[i] << within | carry;
    carry = within == 0 ? 0 : limb_[i] >> (64 - within);
  }
  out[size - 1] = carry;
  return {arena_, out, size, sign_};
}

LongInt LongInt::shifted_right(std::size_t bits) const {
  if (sign_ == 0 || bits == 0) return *this;
  const std::size_t limbs = bits / 64, within = bits % 64;
  SNUG_ASSERT(limbs < size_ && (limb_[limbs] & ((std::uint64_t{1} << within) - 1)) == 0);
  if (limbs >= size_) return {};
  const std::size_t size = size_ - limbs;
  std::uint64_t* const out = arena_->take(size);
  for (std::size_t i = 0; i < size; ++i) {
    out[i] = limb_[limbs + i] >> within;
    if (within != 0 && limbs + i + 1 < size_) out[i] |= limb_[limbs + i + 1] << (64 - within);
  }
  return {arena_, out, size, sign_};
}

}  // namespace snug::geometry
