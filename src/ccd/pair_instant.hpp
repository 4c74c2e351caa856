#pragma once

#include "ccd/moving_body.hpp"
#include "ccd/open_pair.hpp"
#include "ccd/relative_motion.hpp"
#include "support/rooms.hpp"

#include <array>
#include <optional>

namespace snug::ccd {

/// How closely a pair is looked at.
struct ContactResolution {
  double separation = 0;  ///< no farther apart than this counts as contact
  double farthest = 0;    ///< no coordinate of either body is ever larger

  /// Triangles that are farther apart than the separation by no more than this are in contact.
  [[nodiscard]] double tolerance() const noexcept { return 0x1p-40 * farthest; }
  /// The separation, and what rounding may add.
  [[nodiscard]] double margin() const noexcept { return separation + 0x1p-43 * farthest; }
};

/// Two moving bodies at an instant: which nodes and triangles are apart, and until when they are proved to stay so.
class PairInstant {
 public:
  /// Borrows all; the motion is that of both bodies. Of what comes after the end of the range nothing is asked.
  PairInstant(MovingBody& a, MovingBody& b, const RelativeMotion& motion, const ContactResolution& resolution,
              double range_end) noexcept;

  void move_to(double t) noexcept;
  [[nodiscard]] double t() const noexcept { return t_; }
  [[nodiscard]] const MovingBody& a() const noexcept { return a_; }
  [[nodiscard]] const MovingBody& b() const noexcept { return b_; }

  /// Until when two nodes stay apart; nothing if it costs less to open them now than to come back. `last`: a proof that lasts longer need
  /// not be the best.
  [[nodiscard]] std::optional<double> nodes_clear_until(OpenPair nodes, double last) const noexcept;

  struct Triangles {
    double clear_until = 0;                  ///< unless they are in contact
    std::optional<TriangleContact> contact;  ///< now
  };
  [[nodiscard]] Triangles look_at_triangles(OpenPair triangles, double last) const noexcept;

 private:
  enum class Fixed : std::uint8_t { in_a, in_b };  ///< the body that a direction turns with

  /// A direction from a to b, of unit length.
  struct Gap {
    double width = 0;
    Vec3 direction;
    Fixed fixed = Fixed::in_a;
  };
  /// Two triangles, each seen from its body's pivot.
  struct Arms {
    Triangle a, b;
    double reach_a, reach_b;
  };

  [[nodiscard]] ApproachBound approach_bound(const Vec3& n, Fixed fixed, double reach_a, double reach_b) const noexcept;
  [[nodiscard]] double clear_until(const Gap& gap, const NodeBox& a, const Vec3& arm_a, const NodeBox& b,
                                   const Vec3& arm_b) const noexcept;
  [[nodiscard]] double clear_until(const Vec3& n, const Arms& t, double last) const noexcept;
  [[nodiscard]] Gap widest_along_sides(const std::array<double, 3>& between, const NodeBox& a,
                                       const NodeBox& b) const noexcept;
  [[nodiscard]] Gap widest_across_edges(const std::array<double, 3>& between, const NodeBox& a,
                                        const NodeBox& b) const noexcept;
  [[nodiscard]] Triangles look_closely(OpenPair triangles, const Arms& t, double last) const noexcept;
  [[nodiscard]] bool stay_clear_until(double next, OpenPair triangles, const Arms& t) const noexcept;
  [[nodiscard]] double clear_at_least_until(double distance, const Arms& t) const noexcept;

  MovingBody &a_, &b_;
  const RelativeMotion& motion_;
  ContactResolution resolution_;
  double range_end_;
  double margin_;
  double product_slack_;  ///< rounding of gaps along products of axes that are not scaled to one yet

  double t_ = 0, rest_ = 0;
  std::size_t at_ = 0;
  const MotionPiece* piece_ = nullptr;
  Vec3 between_;  ///< from a's pivot to b's
  double apart_ = 0, drift_rate_ = 0;
  Vec3 turn_, drift_in_a_, drift_in_b_;
  std::array<std::array<double, 3>, 3> cosine_{}, positive_{};
};

}  // namespace snug::ccd
