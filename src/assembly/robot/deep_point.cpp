#include "assembly/robot/deep_point.hpp"

#include "assembly/robot/inside.hpp"
#include "assembly/robot/simple_solid.hpp"
#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"
#include "model/unposed.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace snug::robot {

namespace {

using namespace assembly;

// Points that one search looks at. Enough to go down to a leaf of the largest trees several times; a proof that is not
// found is found in the halves of the range.
constexpr int k_most_looks = 96;
// Halvings of the depth by which a simple host is eroded: the deepest point is found to 1/64 of the host's largest depth.
constexpr int k_erosions = 6;
// A step cannot gain more than its length; this many in a row are taken to be the most that an ascent makes.
constexpr double k_steps_ahead = 8;

/// The axes of a frame and the diagonals between them: along none of the axes may depth grow where two faces are equally near.
constexpr std::array<Vec3, 13> k_directions{{{1, 0, 0},
                                             {0, 1, 0},
                                             {0, 0, 1},
                                             {1, 1, 0},
                                             {1, -1, 0},
                                             {1, 0, 1},
                                             {1, 0, -1},
                                             {0, 1, 1},
                                             {0, 1, -1},
                                             {1, 1, 1},
                                             {1, 1, -1},
                                             {1, -1, 1},
                                             {-1, 1, 1}}};

/// Looks for points of `guest` deep inside `host`.
class DeepSearch {
 public:
  DeepSearch(const Solid& host, const Pose& pose_host, const Solid& guest, const Pose& pose_guest,
             const MotionBounds& motion, double clearance, bool guest_is_b, Scratch& scratch)
      : host_(host),
        guest_(guest),
        pose_host_(pose_host),
        pose_guest_(pose_guest),
        motion_(motion),
        // Of a mesh with holes what is near may be a cone.
        clearance_(host.has_holes() ? 0 : clearance),
        guest_is_b_(guest_is_b),
        scratch_(scratch),
        rounding_(4 * rounding(host, pose_host, guest, pose_guest)) {}

  struct Best {
    Point3 at;
    std::uint32_t shell = 0;
    double spare = -std::numeric_limits<double>::infinity();
  };
  /// The point with the largest margin of those that are inside; minus infinity if there is none.
  [[nodiscard]] const Best& best() const noexcept { return best_; }
  [[nodiscard]] Lasting found() const noexcept { return found_; }

  /// True if the point proves a collision.
  bool try_point(const Point3& own, std::uint32_t shell) { return proves(look_at(own, shell), shell); }

  bool run(const Point3& shared) {
    if (hopeless()) return false;
    if (!guest_.simple()) return (!guest_.inside().nodes().empty() && descend(0, look_at_middle(0))) || erode();
    const bool known = best_.spare > -std::numeric_limits<double>::infinity();
    return ascend(known ? best_.at : nearest_in(guest_.primitive(), unposed(pose_guest_, shared))) || erode();
  }

 private:
  struct Margin {
    double depth = 0;   ///< inside the host; negative outside
    double motion = 0;  ///< against it
    double spare = 0;   ///< how much deeper it is than it moves
  };
  /// Depths that neither prove anything nor rule out a point within `radius` need not be told apart.
  [[nodiscard]] Margin margin(const Point3& own, double radius) const {
    const Point3 world = pose_guest_.apply(own);
    Margin out{.motion = motion_.of_point(guest_is_b_, world)};
    out.depth = host_.depth(unposed(pose_host_, world), out.motion + clearance_ + radius + 2 * rounding_);
    out.spare = out.depth + clearance_ - out.motion - rounding_;
    return out;
  }
  Margin look_at(const Point3& own, std::uint32_t shell, double radius = 0) {
    ++looks_;
    const Margin out = margin(own, radius);
    if (out.depth > 0 && out.spare > best_.spare) best_ = {own, shell, out.spare};
    return out;
  }
  bool proves(const Margin& margin, std::uint32_t shell) {
    if (!(margin.depth > rounding_ && margin.spare > 0)) return false;
    found_ = std::max(found_, passes_through(shell) ? Lasting::collision : Lasting::inside_holes);
    return found_ == Lasting::collision;
  }

  /// True if no point of the guest can be as deep as it moves.
  [[nodiscard]] bool hopeless() const {
    const Aabb& box = guest_.bounds();
    const Point3 middle = middle_of(box);
    const double radius = 0.5 * length_of(box.hi - box.lo);
    const double least = motion_.of_point(guest_is_b_, pose_guest_.apply(middle)) - motion_.turn() * radius;
    return host_.largest_depth() + clearance_ <= std::max(least, 0.0);
  }

  // Guests that are meshes: samples of their surface, in a tree.

  Margin look_at_middle(std::uint32_t node) {
    const Inside::Node& own = guest_.inside().nodes()[node];
    const Inside::Sample& sample = guest_.inside().samples()[own.middle];
    return look_at(sample.point, sample.shell, own.radius);
  }
  /// The deeper child first.
  bool descend(std::uint32_t id, const Margin& here) {
    const Inside& inside = guest_.inside();
    const Inside::Node& node = inside.nodes()[id];
    if (proves(here, inside.samples()[node.middle].shell)) return true;
    // No point of the node is deeper or moves less than this.
    if (here.depth + node.radius + clearance_ - rounding_ <= std::max(0.0, here.motion - motion_.turn() * node.radius))
      return false;
    if (node.right == 0) {
      for (std::uint32_t i = node.begin; i < node.end && looks_ < k_most_looks; ++i)
        if (i != node.middle && try_point(inside.samples()[i].point, inside.samples()[i].shell)) return true;
      return false;
    }
    if (looks_ >= k_most_looks) return false;
    const std::array<std::uint32_t, 2> children{id + 1, node.right};
    const std::array<Margin, 2> margins{look_at_middle(children[0]), look_at_middle(children[1])};
    const auto promise = [&](std::size_t i) { return margins[i].spare + inside.nodes()[children[i]].radius; };
    const std::size_t first = promise(1) > promise(0) ? 1 : 0;
    return descend(children[first], margins[first]) || descend(children[1 - first], margins[1 - first]);
  }

  // Guests that are simple solids. Depth less motion is concave over them if the host is one, too.

  bool ascend(Point3 at) {
    const double size = max_abs(guest_.bounds().hi - guest_.bounds().lo);
    Margin here = look_at(at, 0, size);
    if (proves(here, 0)) return true;
    double step = 0.25 * size;
    while (looks_ < k_most_looks && here.spare + k_steps_ahead * step * (1 + motion_.turn()) > 0) {
      Margin best = here;
      Point3 best_at = at;
      for (const Vec3& direction : k_directions)
        for (const double signed_step : {step, -step}) {
          const Point3 next = nearest_in(guest_.primitive(), at + signed_step * direction);
          const Margin there = look_at(next, 0, size);
          if (proves(there, 0)) return true;
          if (there.spare > best.spare) best = there, best_at = next;
        }
      if (best.spare > here.spare)
        here = best, at = best_at;
      else
        step *= 0.5;
    }
    return false;
  }

  /// The deepest point of the guest in a simple host: the last one that is left in common while the host is eroded.
  bool erode() {
    if (!host_.simple()) return false;
    double low = 0, high = std::min(host_.largest_depth(), 2 * motion_.most(guest_is_b_));
    for (int i = 0; i < k_erosions; ++i) {
      const double depth = i == 0 ? high : 0.5 * (low + high);
      const auto left = eroded(host_.primitive(), depth);
      if (!left) return false;
      const Distance apart = distance(Shape(*left), pose_host_, guest_.shape(), pose_guest_, scratch_);
      if (try_point(unposed(pose_guest_, apart.on_b), 0)) return true;
      if (apart.value > 0) {
        // This point is as deep as the eroded host less its distance.
        high = depth;
        low = std::max(low, depth - apart.value);
      } else {
        if (i == 0) return false;
        low = depth;
      }
    }
    return false;
  }

  bool passes_through(std::uint32_t shell) {
    if (!host_.has_holes()) return true;
    const auto stays_outside = [&](const Point3& p) {
      const Margin own = margin(p, 0);
      return -own.depth > own.motion + rounding_;
    };
    return keeps_off_holes() && std::ranges::any_of(guest_.extremes(shell), stays_outside);
  }
  bool keeps_off_holes() {
    if (!off_holes_) {
      const auto& holes = host_.inside().holes();
      const double reach = std::min(motion_.most(true), motion_.most(false)) + rounding_;
      off_holes_ = holes && !within(guest_.shape(), pose_guest_, *holes, pose_host_, reach, scratch_);
    }
    return *off_holes_;
  }

  const Solid &host_, &guest_;
  const Pose &pose_host_, &pose_guest_;
  const MotionBounds& motion_;
  double clearance_;
  bool guest_is_b_;
  Scratch& scratch_;
  double rounding_;
  int looks_ = 0;
  std::optional<bool> off_holes_;
  Best best_;
  Lasting found_ = Lasting::nothing;
};

}  // namespace

Lasting collide_throughout(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b,
                           const MotionBounds& motion, double clearance, const Point3& shared,
                           const std::optional<DeepPoint>& from, std::optional<DeepPoint>& found, Scratch& scratch) {
  DeepSearch of_b(a, pose_a, b, pose_b, motion, clearance, true, scratch),
      of_a(b, pose_b, a, pose_a, motion, clearance, false, scratch);
  found = from;
  if (from && (from->of_b ? of_b : of_a).try_point(from->at, from->shell)) return Lasting::collision;
  const bool by_b = of_b.run(shared), proved = by_b || of_a.run(shared);
  const bool use_b = by_b || (!proved && of_b.best().spare >= of_a.best().spare);
  const DeepSearch::Best& best = (use_b ? of_b : of_a).best();
  if (best.spare > -std::numeric_limits<double>::infinity())
    found = DeepPoint{.at = best.at, .shell = best.shell, .of_b = use_b};
  return std::max(of_a.found(), of_b.found());
}

}  // namespace snug::robot
