#pragma once

#include "support/rooms.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace snug::geometry {

/// Memory for the limbs of LongInts: taken piece by piece, given back all at once or back to a mark. The first 16 KB lie in
/// the arena itself, so that what ends early never allocates.
class LimbArena {
 public:
  LimbArena() noexcept {}  // the limbs are left as they are
  LimbArena(const LimbArena&) = delete;
  LimbArena& operator=(const LimbArena&) = delete;

  [[nodiscard]] std::uint64_t* take(std::size_t limbs) {
    if (block_ != 0 || k_first - used_ < limbs) return take_more(limbs);
    used_ += limbs;
    return first_ + (used_ - limbs);
  }

  struct Mark {
    std::size_t block, used;
  };
  [[nodiscard]] Mark mark() const noexcept { return {block_, used_}; }
  /// Everything taken since the mark is gone.
  void release(Mark mark) noexcept {
    block_ = mark.block;
    used_ = mark.used;
  }

 private:
  static constexpr std::size_t k_first = 2048;
  [[nodiscard]] std::uint64_t* take_more(std::size_t limbs);
  struct Block {
    std::unique_ptr<std::uint64_t[]> limbs;
    std::size_t size = 0;
  };

  std::uint64_t first_[k_first];
  std::vector<Block> more_;
  std::size_t block_ = 0;  ///< 0: first_; k: more_[k-1]
  std::size_t used_ = 0;
};

/// Signed integer as long as it needs to be: for remainder sequences, whose lengths no caller knows beforehand, as WideInt
/// wants them. Sign and magnitude; the value never changes, copies share their limbs, which belong to an arena.
class LongInt {
 public:
  constexpr LongInt() noexcept = default;
  /// value * 2^shift.
  static LongInt make(LimbArena& arena, std::int64_t value, unsigned shift = 0);

  [[nodiscard]] constexpr int sign() const noexcept { return sign_; }
  [[nodiscard]] std::size_t bits() const noexcept;
  /// Where the limbs live; null for zero.
  [[nodiscard]] LimbArena* arena() const noexcept { return arena_; }
  /// The value times 2^-shift, rounded toward minus infinity; not beyond the range of doubles (asserted).
  [[nodiscard]] double rounded_down(std::size_t shift) const noexcept;

  [[nodiscard]] LongInt operator-() const noexcept {
    LongInt r = *this;
    r.sign_ = -sign_;
    return r;
  }
  friend LongInt operator+(const LongInt& a, const LongInt& b);
  friend LongInt operator-(const LongInt& a, const LongInt& b) { return a + -b; }
  friend LongInt operator*(const LongInt& a, const LongInt& b);
  [[nodiscard]] LongInt shifted_left(std::size_t bits) const;
  /// The bits shifted out must be zero.
  [[nodiscard]] LongInt shifted_right(std::size_t bits) const;

 private:
  LongInt(LimbArena* arena, const std::uint64_t* limb, std::size_t size, int sign) noexcept;

  LimbArena* arena_ = nullptr;
  const std::uint64_t* limb_ = nullptr;  ///< least significant first, the last one not zero
  std::uint32_t size_ = 0;
  int sign_ = 0;
};

}  // namespace snug::geometry
