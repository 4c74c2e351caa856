#include "ccd/sweep/face_octree.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace snug::ccd::sweep {

namespace {

/// Fewer pairs than this are looked at rather than divided.
constexpr std::size_t k_few_pairs = 1024;

class FaceOctree {
 public:
  FaceOctree(std::span<const SweptFace> faces, unsigned depth, const std::function<void(FacePair)>& visit,
             const CancelToken* cancel)
      : faces_(faces), depth_(depth), visit_(visit), cancel_(cancel) {}

  std::uint64_t descend() {
    Aabb root;
    for (std::uint32_t i = 0; i < faces_.size(); ++i) {
      stack_.push_back(i);
      root.include(faces_[i].box.lo);
      root.include(faces_[i].box.hi);
    }
    if (!root.empty()) visit_cell({root, k_everything}, 0, faces_.size(), 0);
    return cells_;
  }

 private:
  static constexpr double k_infinity = std::numeric_limits<double>::infinity();
  static constexpr Aabb k_everything{{-k_infinity, -k_infinity, -k_infinity}, {k_infinity, k_infinity, k_infinity}};

  struct Cell {
    Aabb box;
    Aabb own;  ///< half-open: lo belongs to it, hi to the next; the outermost cells have no end
  };

  [[nodiscard]] bool cancelled() const noexcept { return cancel_ != nullptr && cancel_->cancelled(); }

  [[nodiscard]] bool owns(const Aabb& own, const Aabb& a, const Aabb& b) const noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double p = std::max(a.lo[axis], b.lo[axis]);
      if (!(p >= own.lo[axis] && p < own.hi[axis])) return false;
    }
    return true;
  }

  /// The faces at [begin, end) of the stack reach into the cell.
  void visit_cell(const Cell& cell, std::size_t begin, std::size_t end, unsigned depth) {
    if (cancelled()) return;
    ++cells_;
    if (end - begin < 2 || faces_[stack_[begin]].body == faces_[stack_[end - 1]].body) return;
    if (depth == depth_ || pairs_at_most(begin, end) <= k_few_pairs) return list_pairs(cell, begin, end);

    const Point3 middle = 0.5 * cell.box.lo + 0.5 * cell.box.hi;
    octants_.resize(std::max(octants_.size(), end));
    std::size_t repeated = 0;
    for (std::size_t i = begin; i < end; ++i) {
      octants_[i] = octants_reached(faces_[stack_[i]].box, middle);
      repeated += static_cast<std::size_t>(std::popcount(octants_[i]));
    }
    // Faces as large as the cell are in every part of it: dividing would only repeat them.
    if (repeated > 4 * (end - begin)) return list_pairs(cell, begin, end);

    for (unsigned octant = 0; octant < 8; ++octant) {
      const std::size_t top = stack_.size();
      for (std::size_t i = begin; i < end; ++i)
        if ((octants_[i] >> octant & 1U) != 0) stack_.push_back(stack_[i]);
      visit_cell(part(cell, middle, octant), top, stack_.size(), depth + 1);
      stack_.resize(top);
    }
  }

  /// One bit each. Bit k of an octant's number tells the upper half along axis k.
  [[nodiscard]] static std::uint8_t octants_reached(const Aabb& box, const Point3& middle) noexcept {
    constexpr unsigned k_upper_x = 0xaa, k_upper_y = 0xcc, k_upper_z = 0xf0;
    const auto halves = [](double lo, double hi, double at, unsigned upper) {
      return (lo < at ? ~upper : 0U) | (hi >= at ? upper : 0U);
    };
    return static_cast<std::uint8_t>(halves(box.lo.x, box.hi.x, middle.x, k_upper_x) &
                                     halves(box.lo.y, box.hi.y, middle.y, k_upper_y) &
                                     halves(box.lo.z, box.hi.z, middle.z, k_upper_z));
  }

  [[nodiscard]] static Cell part(const Cell& cell, const Point3& middle, unsigned octant) noexcept {
    Cell p = cell;
    ((octant & 1U) != 0 ? p.box.lo.x = p.own.lo.x = middle.x : p.box.hi.x = p.own.hi.x = middle.x);
    ((octant & 2U) != 0 ? p.box.lo.y = p.own.lo.y = middle.y : p.box.hi.y = p.own.hi.y = middle.y);
    ((octant & 4U) != 0 ? p.box.lo.z = p.own.lo.z = middle.z : p.box.hi.z = p.own.hi.z = middle.z);
    return p;
  }

  /// Faces of the first body times all others: what it is for two bodies, and little off for more.
  [[nodiscard]] std::size_t pairs_at_most(std::size_t begin, std::size_t end) const noexcept {
    const std::uint32_t first = faces_[stack_[begin]].body;
    std::size_t of_first = 0;
    while (faces_[stack_[begin + of_first]].body == first) ++of_first;
    return of_first * (end - begin - of_first);
  }

  void list_pairs(const Cell& cell, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !cancelled(); ++i) {
      const SweptFace& a = faces_[stack_[i]];
      for (std::size_t j = end; j-- > i + 1;) {  // from the far end, where the other bodies are
        const SweptFace& b = faces_[stack_[j]];
        if (a.body == b.body) break;
        if (a.box.overlaps(b.box) && owns(cell.own, a.box, b.box)) visit_({stack_[i], stack_[j]});
      }
    }
  }

  std::span<const SweptFace> faces_;
  unsigned depth_;
  const std::function<void(FacePair)>& visit_;
  const CancelToken* cancel_;
  std::vector<std::uint32_t> stack_;
  std::vector<std::uint8_t> octants_;  ///< reached by the face at the same place of the stack
  std::uint64_t cells_ = 0;
};

}  // namespace

std::uint64_t visit_face_pairs(std::span<const SweptFace> faces, unsigned depth,
                               const std::function<void(FacePair)>& visit, const CancelToken* cancel) {
  return FaceOctree(faces, depth, visit, cancel).descend();
}

}  // namespace snug::ccd::sweep
