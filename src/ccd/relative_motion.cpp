#include "ccd/relative_motion.hpp"

#include "ccd/trajectory.hpp"
#include "geometry/vec_ops.hpp"
#include "model/motion_bound.hpp"
#include "model/quaternion.hpp"
#include "support/assert.hpp"
#include "support/trig.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::ccd {

namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();
constexpr double k_shortest = 0x1p-300;  ///< between keys: with coordinates up to 2^200 all products stay finite
constexpr double k_longest = 0x1p200;    ///< with coordinates of 2^-200 squares that underflow are less than the slack
constexpr double k_short = 1 - 0x1p-40;  ///< times are taken this much shorter than rounding tells

/// Taken from the first half of the piece, in which no turn exceeds a right angle: of a half turn the ends alone do not tell which
/// way it goes.
Vec3 spin_of(const Motion& motion, const Quaternion& at_begin, double begin, double end) noexcept {
  const double middle = begin + 0.5 * (end - begin);
  const bool halved = begin < middle && middle < end;
  const Quaternion turned = product(motion.at(halved ? middle : end).rotation(), conjugate(at_begin));
  const Vec3 v = turned.w < 0 ? -vector_part(turned) : vector_part(turned);
  const double length = length_of(v);
  if (!(length > 0)) return {};
  return (2 * angle_of(std::abs(turned.w), length) / ((halved ? middle : end) - begin) / length) * v;
}

MotionBlock block_of(const MotionPiece& p) noexcept {
  const auto at = [](const Vec3& v) { return Aabb{v, v}; };
  return {p.begin, p.end, at(p.drift), at(p.pivot_a), at(p.pivot_b), p.spin_rate_a, p.spin_rate_b, p.slack};
}

MotionBlock both(MotionBlock a, const MotionBlock& b) noexcept {
  a.end = b.end;
  for (const auto box : {&MotionBlock::drifts, &MotionBlock::pivots_a, &MotionBlock::pivots_b})
    (a.*box).include((b.*box).lo), (a.*box).include((b.*box).hi);
  for (const auto rate : {&MotionBlock::spin_rate_a, &MotionBlock::spin_rate_b, &MotionBlock::slack})
    a.*rate = std::max(a.*rate, b.*rate);
  return a;
}

}  // namespace

bool RelativeMotion::set(const Motion& a, double radius_a, const Motion& b, double radius_b, const TimeSpan& range,
                         double farthest) {
  if (!(range.length() <= k_longest)) return false;
  times_.assign({range.begin, range.end});
  for (const Motion* motion : {&a, &b})
    for (const PoseKey& key : motion->keys())
      if (range.begin < key.t && key.t < range.end) times_.push_back(key.t);
  std::ranges::sort(times_);
  const auto repeated = std::ranges::unique(times_);
  times_.erase(repeated.begin(), repeated.end());
  for (std::size_t i = 0; i + 1 < times_.size(); ++i)
    if (!(times_[i + 1] - times_[i] >= k_shortest)) return false;

  SNUG_ASSERT(times_.front() == range.begin && times_.back() == range.end);
  has_pivots_ = a.has_pivots() || b.has_pivots();
  pieces_.clear();
  Pose a0 = a.at(times_[0]), b0 = b.at(times_[0]);
  const std::size_t count = std::max<std::size_t>(times_.size() - 1, 1);  // an instant is a piece without length
  for (std::size_t i = 0; i < count; ++i) {
    MotionPiece piece;
    piece.begin = times_[i], piece.end = times_[std::min(i + 1, times_.size() - 1)];
    piece.pivot_a = pivot_at(a, piece.begin), piece.pivot_b = pivot_at(b, piece.begin);
    const double length = piece.end - piece.begin;
    const Pose a1 = a.at(piece.end), b1 = b.at(piece.end);
    if (length > 0) {
      piece.drift = (1 / length) * ((at_pivot(b1, piece.pivot_b) - at_pivot(a1, piece.pivot_a)) -
                                    (at_pivot(b0, piece.pivot_b) - at_pivot(a0, piece.pivot_a)));
      piece.spin_a = spin_of(a, a0.rotation(), piece.begin, piece.end);
      piece.spin_b = spin_of(b, b0.rotation(), piece.begin, piece.end);
      piece.spin_rate_a = length_of(piece.spin_a) * (1 + 0x1p-48);
      piece.spin_rate_b = length_of(piece.spin_b) * (1 + 0x1p-48);
      piece.slack = 0x1p-45 * farthest / length;
      piece.fastest =
          (length_of(piece.drift) + piece.slack) + (piece.spin_rate_a * (radius_a + length_of(piece.pivot_a)) +
                                                    piece.spin_rate_b * (radius_b + length_of(piece.pivot_b))) *
                                                       (1 + 0x1p-48);
    }
    pieces_.push_back(piece);
    a0 = a1, b0 = b1;
  }

  SNUG_ASSERT(pieces_.size() == count && pieces_.back().end == range.end);
  travelled_.assign(1, 0);
  for (const MotionPiece& piece : pieces_)
    travelled_.push_back(travelled_.back() + piece.fastest * (piece.end - piece.begin));

  depth_ = 0;
  for (std::size_t width = pieces_.size(); width > 1; width = (width + 1) / 2, ++depth_) {
    if (levels_.size() <= depth_) levels_.emplace_back();
    std::vector<MotionBlock>& level = levels_[depth_];
    level.clear();
    for (std::size_t i = 0; i < width; ++i) {
      if (depth_ == 0) {
        level.push_back(block_of(pieces_[i]));
      } else {
        const std::vector<MotionBlock>& below = levels_[depth_ - 1];
        level.push_back(2 * i + 1 < below.size() ? both(below[2 * i], below[2 * i + 1]) : below[2 * i]);
      }
    }
  }
  return true;
}

std::size_t RelativeMotion::piece_at(double t) const noexcept {
  if (pieces_.size() == 1) return 0;
  const auto after = std::ranges::upper_bound(pieces_, t, {}, &MotionPiece::begin);
  SNUG_ASSERT(!pieces_.empty());
  return after == pieces_.begin() ? 0 : static_cast<std::size_t>(after - pieces_.begin()) - 1;
}

double RelativeMotion::travel(const TimeSpan& span) const noexcept {
  const std::size_t first = piece_at(span.begin), last = piece_at(span.end);
  SNUG_ASSERT(first <= last && last + 1 < travelled_.size());
  const auto within = [&](std::size_t i, double from, double to) { return pieces_[i].fastest * (to - from); };
  if (first == last) return within(first, span.begin, span.end) * (1 + 0x1p-48);
  // The sum of many is off by a rounding for each of them, of the whole.
  const double rounding = 0x1p-52 * static_cast<double>(pieces_.size()) * travelled_.back();
  return (within(first, span.begin, pieces_[first].end) + within(last, pieces_[last].begin, span.end)) +
         (travelled_[last] - travelled_[first + 1] + rounding);
}

double RelativeMotion::speed(const MotionBlock& block, const ApproachBound& approach,
                             const MotionPiece& from) const noexcept {
  const Vec3& n = approach.direction;
  const Vec3 &lo = block.drifts.lo, &hi = block.drifts.hi;
  const double drift =
      (std::max(-n.x * lo.x, -n.x * hi.x) + std::max(-n.y * lo.y, -n.y * hi.y)) + std::max(-n.z * lo.z, -n.z * hi.z);
  double reach_a = approach.reach_a, reach_b = approach.reach_b;
  if (has_pivots_)
    reach_a += farthest_from(from.pivot_a, block.pivots_a), reach_b += farthest_from(from.pivot_b, block.pivots_b);
  return (drift + block.slack) + (block.spin_rate_a * reach_a + block.spin_rate_b * reach_b);
}

double RelativeMotion::clear_until(double t, std::size_t at, const ApproachBound& approach) const noexcept {
  const MotionPiece& piece = pieces_[at];
  SNUG_ASSERT(piece.begin <= t && t <= piece.end);
  SNUG_ASSERT(approach.count > 0);
  double by_bend = k_infinity, least = k_infinity;
  for (unsigned i = 0; i < approach.count; ++i) {
    const auto [gap, rate] = approach.gaps[i];
    least = std::min(least, gap);
    by_bend = std::min(by_bend, open_for(gap, rate, approach.bend));
  }
  const double by_speed = approach.most > 0 ? least / approach.most : k_infinity;
  const double until = time_after(t, std::max(by_bend, by_speed) * k_short);
  if (until < piece.end) return until;
  std::size_t i = at + 1;
  if (i == pieces_.size()) return k_infinity;
  // What is left of the gap is spent on what comes after.
  double left = (least - approach.most * (piece.end - t)) * k_short;
  if (!(left > 0)) return piece.end;
  while (i < pieces_.size()) {
    // Blocks that begin here, from the widest one that the gap lasts for.
    std::size_t level = 0;
    while (level + 1 < depth_ && (i >> level & 1U) == 0) ++level;
    for (;; --level) {
      const MotionBlock& block = levels_[level][i >> level];
      const double closes = speed(block, approach, piece) * (block.end - block.begin);
      if (closes < left) {
        left -= std::max(closes, 0.0);
        left *= k_short;
        i = std::min(((i >> level) + 1) << level, pieces_.size());
        break;
      }
      if (level == 0) return time_after(block.begin, left / speed(block, approach, piece) * k_short);
    }
  }
  return k_infinity;
}

}  // namespace snug::ccd
