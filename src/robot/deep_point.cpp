#include "robot/deep_point.hpp"

#include "geometry/vec_ops.hpp"
#include "robot/inside.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace snug::robot {

namespace {

using namespace detail;

// Points that one search looks at. Enough to go down to a leaf of the largest trees several times; a proof that is not
// found is found in the halves of the range.
constexpr int k_most_looks = 96;

/// Looks for points of `guest` deep inside `host`.
class DeepSearch {
 public:
  DeepSearch(const Solid& host, const Pose& pose_host, const Solid& guest, const Pose& pose_guest,
             const MotionBounds& motion, bool guest_is_b, Scratch& scratch)
      : host_(host),
        guest_(guest),
        pose_host_(pose_host),
        pose_guest_(pose_guest),
        motion_(motion),
        guest_is_b_(guest_is_b),
        scratch_(scratch),
        rounding_(4 * rounding(host, pose_host, guest, pose_guest)) {}

  /// True if the sample proves a collision.
  bool proves(std::uint32_t sample) {
    return margin(guest_.inside().samples()[sample].point).spare > 0 && passes_through(sample);
  }

  bool run() { return !guest_.inside().nodes().empty() && descend(0, look_at(0)); }

  [[nodiscard]] std::uint32_t best() const noexcept { return best_; }
  [[nodiscard]] double best_spare() const noexcept { return best_spare_; }

 private:
  struct Margin {
    double depth = 0;   ///< inside the host; negative outside
    double motion = 0;  ///< against it
    double spare = 0;   ///< how much deeper it is than it moves
  };
  [[nodiscard]] Margin margin(const Point3& own) const {
    const Point3 world = pose_guest_.apply(own);
    Margin out{.depth = host_.inside().depth(in_frame(pose_host_, world)),
               .motion = motion_.of_point(guest_is_b_, world)};
    out.spare = out.depth - out.motion - rounding_;
    return out;
  }
  Margin look_at(std::uint32_t node) {
    ++looks_;
    const std::uint32_t sample = guest_.inside().nodes()[node].middle;
    const Margin out = margin(guest_.inside().samples()[sample].point);
    if (out.depth > 0 && out.spare > best_spare_) best_spare_ = out.spare, best_ = sample;
    return out;
  }

  /// The deeper child first.
  bool descend(std::uint32_t id, const Margin& here) {
    const Inside& inside = guest_.inside();
    const Inside::Node& node = inside.nodes()[id];
    if (here.spare > 0 && passes_through(node.middle)) return true;
    // No point of the node is deeper or moves less than this.
    if (here.depth + node.radius - rounding_ <= std::max(0.0, here.motion - motion_.turn() * node.radius)) return false;
    if (node.right == 0) {
      for (std::uint32_t i = node.begin; i < node.end && looks_ < k_most_looks; ++i) {
        if (i == node.middle) continue;
        ++looks_;
        const Margin own = margin(inside.samples()[i].point);
        if (own.depth > 0 && own.spare > best_spare_) best_spare_ = own.spare, best_ = i;
        if (own.spare > 0 && passes_through(i)) return true;
      }
      return false;
    }
    if (looks_ >= k_most_looks) return false;
    std::array<std::uint32_t, 2> children{id + 1, node.right};
    std::array<Margin, 2> margins{look_at(children[0]), look_at(children[1])};
    const auto promise = [&](std::size_t i) { return margins[i].spare + inside.nodes()[children[i]].radius; };
    const std::size_t first = promise(1) > promise(0) ? 1 : 0;
    return descend(children[first], margins[first]) || descend(children[1 - first], margins[1 - first]);
  }

  bool passes_through(std::uint32_t sample) {
    if (host_.inside().closed()) return true;
    if (!keeps_off_holes()) return false;
    const std::uint32_t shell = guest_.inside().samples()[sample].shell;
    return std::ranges::any_of(guest_.inside().extremes(shell), [&](const Point3& p) {
      const Margin own = margin(p);
      return -own.depth > own.motion + rounding_;
    });
  }
  bool keeps_off_holes() {
    if (!off_holes_) {
      const auto& holes = host_.inside().holes();
      const double reach = std::min(motion_.most(true), motion_.most(false));
      off_holes_ = !holes || !within(*guest_.mesh(), pose_guest_, *holes, pose_host_, reach + rounding_, scratch_);
    }
    return *off_holes_;
  }

  const Solid &host_, &guest_;
  const Pose &pose_host_, &pose_guest_;
  const MotionBounds& motion_;
  bool guest_is_b_;
  Scratch& scratch_;
  double rounding_;
  int looks_ = 0;
  std::optional<bool> off_holes_;
  std::uint32_t best_ = DeepPoint::k_none;
  double best_spare_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

bool collide_throughout(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b,
                        const MotionBounds& motion, const DeepPoint& from, DeepPoint& found, Scratch& scratch) {
  DeepSearch of_b(a, pose_a, b, pose_b, motion, true, scratch), of_a(b, pose_b, a, pose_a, motion, false, scratch);
  if (from.sample != DeepPoint::k_none) {
    found = from;
    if ((from.of_b ? of_b : of_a).proves(from.sample)) return true;
  }
  const bool by_b = of_b.run(), proved = by_b || of_a.run();
  const bool use_b = by_b || (!proved && of_b.best_spare() >= of_a.best_spare());
  const DeepSearch& best = use_b ? of_b : of_a;
  if (best.best() != DeepPoint::k_none) found.sample = best.best(), found.of_b = use_b;
  return proved;
}

}  // namespace snug::robot
