// The walk through two DOP-trees, for one instruction set: to be included with SNUG_LANES defined, behind the header that
// says how sums of lanes are compared with 0 there.

#include "query/pairs/dop/walk.hpp"

namespace snug::lanes::SNUG_LANES {

template <class Number>
class DopWalker {
 public:
  explicit DopWalker(DopWalk<Number>& walk) noexcept : w_(walk) {}

  bool run() {
    if (apart(0, 0)) return true;
    push(0, 0);
    while (w_.begin != w_.end) {
      const DopNodePair pair = w_.queue ? w_.pending[w_.begin++] : w_.pending[--w_.end];
      if (w_.begin == w_.end) w_.begin = w_.end = 0;
      if (!open(pair)) return false;
    }
    return true;
  }

 private:
  bool open(const DopNodePair& pair) {
    const DopLinks &a = w_.links_a[pair.a], &b = w_.links_b[pair.b];
    if (a.leaf() && b.leaf()) {
      ++w_.leaf_pairs;
      return w_.take(w_.context, a.left, b.left);
    }
    // The larger of two nodes is opened: its children are told from the other sooner.
    if (b.leaf() || (!a.leaf() && w_.images_a[pair.a]->size >= w_.images_b[pair.b]->size)) {
      if (!apart(a.right, pair.b)) push(a.right, pair.b);
      if (!apart(a.left, pair.b)) push(a.left, pair.b);
    } else {
      if (!apart(pair.a, b.right)) push(pair.a, b.right);
      if (!apart(pair.a, b.left)) push(pair.a, b.left);
    }
    return true;
  }

  void push(std::uint32_t a, std::uint32_t b) {
    if (w_.end == w_.room) w_.grow(w_.context, w_);
    w_.pending[w_.end++] = {a, b};
    if (w_.end - w_.begin > w_.most_pending) w_.most_pending = w_.end - w_.begin;
  }

  bool apart(std::uint32_t a, std::uint32_t b) {
    ++w_.node_pairs;
    DopImages<Number>* images_a = w_.images_a[a];
    DopImages<Number>* images_b = w_.images_b[b];
    if (images_a == nullptr) images_a = w_.image(w_.context, 0, a);
    if (images_b == nullptr) images_b = w_.image(w_.context, 1, b);
    if (apart_along(*images_a, *images_b, w_.last_group)) return true;
    for (unsigned group = 0; group < w_.groups; ++group) {
      if (group == w_.last_group || !apart_along(*images_a, *images_b, group)) continue;
      if (w_.last_group_first) w_.last_group = group;
      return true;
    }
    return false;
  }

  bool apart_along(DopImages<Number>& a, DopImages<Number>& b, unsigned group) {
    w_.axis_tests += k_axis_lanes;
    if ((a.ready >> group & 1U) == 0) w_.project(w_.context, 0, a, group);
    if ((b.ready >> group & 1U) == 0) w_.project(w_.context, 1, b, group);
    const Number *of_a = numbers(a, group), *of_b = numbers(b, group);
    return any_sum_positive(of_a, of_b + k_axis_lanes, of_a + k_axis_lanes, of_b);
  }

  static const Number* numbers(const DopImages<Number>& images, unsigned group) noexcept {
    return reinterpret_cast<const Number*>(&images + 1) + std::size_t{2 * k_axis_lanes} * group;
  }

  DopWalk<Number>& w_;
};

inline bool walk_dops(DopWalk<double>& walk) { return DopWalker<double>(walk).run(); }
inline bool walk_fixed_dops(DopWalk<std::int64_t>& walk) { return DopWalker<std::int64_t>(walk).run(); }

}  // namespace snug::lanes::SNUG_LANES
