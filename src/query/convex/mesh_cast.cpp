#include <snug/cast.hpp>

#include "bvh/descent.hpp"
#include "query/convex/convex_cast.hpp"

#include <utility>

// A mesh moved against a mesh: both trees at once, by the times at which boxes may meet.

namespace snug {

namespace {

using namespace query;

class TwoTrees {
 public:
  TwoTrees(const MeshInFrame& still, const MeshInFrame& moving, const Vec3& way, const CancelToken* cancel) noexcept
      : cancel_(cancel),
        still_(still),
        moving_(moving),
        way_(way),
        first_(way),
        margin_((still.margin() + moving.margin()) + 2 * k_cast_gap) {}

  void run() {
    if (still_.tree().empty() || moving_.tree().empty()) return;
    const Place a = place(still_, 0, 0), b = place(moving_, 0, 0);
    const double at = enter(a.box, b.box);
    if (at <= limit()) open(a, b);
  }
  [[nodiscard]] const std::optional<CastMeeting>& best() const noexcept { return first_.best(); }
  [[nodiscard]] std::uint32_t triangle_still() const noexcept { return first_.ids().second; }
  [[nodiscard]] std::uint32_t triangle_moving() const noexcept { return first_.ids().first; }

 private:
  /// One box of a tree.
  struct Place {
    std::uint32_t node, lane;
    FrameBox box;
    bool block;
    [[nodiscard]] double size() const noexcept { return (box.half.x + box.half.y) + box.half.z; }
  };
  static Place place(const MeshInFrame& mesh, std::uint32_t node, std::uint32_t lane) noexcept {
    const ObbNode& n = mesh.tree().nodes[node];
    return {node, lane, mesh.box(n, lane), lane >= n.inner};
  }
  [[nodiscard]] double limit() const noexcept { return first_.limit(); }

  /// The earliest time at which the boxes may meet, by the six directions of their sides.
  [[nodiscard]] double enter(const FrameBox& a, const FrameBox& b) const noexcept {
    constexpr double never = std::numeric_limits<double>::infinity();
    double enter = 0, leave = never;
    const Vec3 between = b.centre - a.centre;
    for (const auto* box : {&a, &b})
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec3& axis = box->axis[i];
        const double sum = (box->half[i] + (box == &a ? b : a).reach(axis)) + margin_;
        if (!narrow_about(dot(axis, between), dot(axis, way_), sum, enter, leave)) return never;
      }
    if (first_.best()) {  // what is met later than the best so far mostly keeps away along its normal
      const Vec3& axis = first_.best()->normal;
      const double sum = (a.reach(axis) + b.reach(axis)) + margin_;
      if (!narrow_about(dot(axis, between), dot(axis, way_), sum, enter, leave)) return never;
    }
    return enter;
  }

  void open(const Place& a, const Place& b) {
    if (first_.settled() || (cancel_ != nullptr && cancel_->cancelled())) return;
    if (a.block && b.block) return compare(a, b);
    const bool open_a = opens_first(a.block, a.size(), b.block, b.size());
    const MeshInFrame& mesh = open_a ? still_ : moving_;
    const Place& parent = open_a ? a : b;
    const std::uint32_t index = mesh.tree().nodes[parent.node].first_node + parent.lane;
    struct Child {
      double bound;
      Place place;
    };
    std::array<Child, k_lanes> children;
    std::size_t count = 0;
    for (std::uint32_t lane = 0; lane < mesh.tree().nodes[index].count; ++lane) {
      const Place child = place(mesh, index, lane);
      const double bound = open_a ? enter(child.box, b.box) : enter(a.box, child.box);
      if (bound > limit()) continue;
      std::size_t at = count++;
      for (; at > 0 && children[at - 1].bound > bound; --at) children[at] = children[at - 1];
      children[at] = {bound, child};
    }
    for (std::size_t i = 0; i < count && children[i].bound <= limit(); ++i)
      open_a ? open(children[i].place, b) : open(a, children[i].place);
  }

  static const TriangleBlock& block_of(const MeshInFrame& mesh, const Place& place) noexcept {
    const ObbNode& node = mesh.tree().nodes[place.node];
    return mesh.tree().blocks[node.first_block + (place.lane - node.inner)];
  }

  void compare(const Place& a, const Place& b) noexcept {
    const TriangleBlock &block_a = block_of(still_, a), &block_b = block_of(moving_, b);
    std::array<Triangle, k_lanes> of_b;
    for (std::uint32_t j = 0; j < block_b.count; ++j) of_b[j] = moving_.triangle(block_b.id[j]);
    for (std::uint32_t i = 0; i < block_a.count; ++i) {
      const Triangle corners = still_.triangle(block_a.id[i]);
      for (std::uint32_t j = 0; j < block_b.count; ++j)
        if (!first_.settled() && may_meet(corners, of_b[j]))
          first_.compare(Convex(corners.corner), Convex(of_b[j].corner), {block_b.id[j], block_a.id[i]});
    }
  }
  /// By the boxes of two triangles and along their normals.
  [[nodiscard]] bool may_meet(const Triangle& a, const Triangle& b) const noexcept {
    double enter = 0, leave = limit();
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [lo_a, hi_a] = std::minmax({a[0][i], a[1][i], a[2][i]});
      const auto [lo_b, hi_b] = std::minmax({b[0][i], b[1][i], b[2][i]});
      const double reach = 0.5 * ((hi_a - lo_a) + (hi_b - lo_b)) + margin_;
      if (!narrow_about(0.5 * ((lo_b + hi_b) - (lo_a + hi_a)), way_[i], reach, enter, leave)) return false;
    }
    for (const Triangle* t : {&a, &b}) {
      const Vec3 n = cross((*t)[1] - (*t)[0], (*t)[2] - (*t)[0]);
      const auto [lo_a, hi_a] = std::minmax({dot(n, a[0]), dot(n, a[1]), dot(n, a[2])});
      const auto [lo_b, hi_b] = std::minmax({dot(n, b[0]), dot(n, b[1]), dot(n, b[2])});
      const double reach = length_of(n) * margin_;
      if (!narrow((lo_a - hi_b) - reach, (hi_a - lo_b) + reach, dot(n, way_), enter, leave)) return false;
    }
    return true;
  }
  const CancelToken* cancel_;
  const MeshInFrame& still_;
  const MeshInFrame& moving_;
  Vec3 way_;
  FirstOfMany<std::pair<std::uint32_t, std::uint32_t>> first_;  ///< moving, still
  double margin_;
};

}  // namespace

std::optional<ShapeCastHit> query::cast_meshes(const Posed& moving, const Vec3& motion, const Posed& other,
                                               const CancelToken* cancel) {
  const auto reached = boxes_meet(posed_bounds(moving), motion, posed_bounds(other), 1);
  if (!reached) return std::nullopt;
  const Ball ball = ball_of(moving), of_other = ball_of(other);
  const double scale = PairScale(ball, of_other, max_abs(motion)).scale;
  const MeshInFrame mesh(moving, of_other.centre, nullptr, scale);
  const MeshInFrame still(other, of_other.centre, nullptr, scale);
  TwoTrees search(still, mesh, scale * motion, cancel);
  search.run();
  std::optional<ShapeCastHit> hit;
  if (!search.best()) return hit;
  const CastMeeting& met = *search.best();
  hit.emplace();
  hit->t = met.t, hit->gap = met.gap / scale;
  hit->on_moving = mesh.to_world(met.on_moving), hit->on_other = mesh.to_world(met.on_still);
  hit->normal = met.normal;
  hit->triangle_moving = search.triangle_moving(), hit->triangle_other = search.triangle_still();
  move_up_to(*reached, motion, *hit);
  return hit;
}

}  // namespace snug
