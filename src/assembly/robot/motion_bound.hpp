#pragma once

#include "assembly/robot/solid.hpp"
#include "support/rooms.hpp"

#include <snug/robot.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace snug::robot {

/// What bounds on the motion of a robot's links need and no pose changes: the pieces of its bodies and, for axes that are
/// at rest in a link's frame, how far each piece reaches from them.
class MotionModel {
 public:
  /// `farthest[i]`: joint i is never farther from zero.
  MotionModel(const Robot& robot, const std::vector<std::vector<std::unique_ptr<Solid>>>& solids,
              std::span<const double> farthest);

  /// A body's piece in the frame of its link.
  struct Piece {
    Ball ball;
    std::array<Point3, 8> corners;
    bool simple = false;  ///< of a simple solid: the corners bound it
    struct Reach {
      std::uint32_t joint = 0;
      double radius = 0;
    };
    /// How far the box is from a line: the distance is convex, so it is farthest in a corner.
    [[nodiscard]] double corners_from_line(const Pose& pose, const Point3& on, const Vec3& axis) const;
    std::vector<Reach> reach;  ///< the farthest vertex from axes that are at rest in the link's frame
  };

  [[nodiscard]] const Robot& robot() const noexcept { return robot_; }
  [[nodiscard]] std::span<const Piece> pieces(std::uint32_t link) const noexcept { return pieces_[link]; }
  /// Where the pieces of the link's body begin in pieces(link); that of the body behind the last is their number.
  [[nodiscard]] std::size_t first_of_body(std::uint32_t link, std::size_t body) const noexcept {
    return first_of_body_[link][body];
  }
  /// No pose has larger coordinates.
  [[nodiscard]] double reach() const noexcept { return reach_; }
  /// Joints between the links that are not fixed, from a's end to b's.
  void path(std::uint32_t link_a, std::uint32_t link_b, std::vector<std::uint32_t>& joints) const;
  /// True if no joint between the links moves, given which may at all.
  [[nodiscard]] bool rigid(std::uint32_t link_a, std::uint32_t link_b, std::span<const std::uint8_t> moves) const;

 private:
  void add_reaches(std::uint32_t link, const std::vector<std::unique_ptr<Solid>>& solids, std::span<const Pose> rest,
                   std::span<const std::uint32_t> group);

  const Robot& robot_;
  std::vector<std::uint32_t> depth_;  ///< of links
  std::vector<std::vector<Piece>> pieces_;
  std::vector<std::vector<std::size_t>> first_of_body_;
  double reach_ = 0;
};

/// How far two links can move against one another while joints stay within half a width of their values. Each joint between
/// two links turns or shifts one of them against the other; a point at distance r from a joint's axis moves by no more than
/// 2 r sin(h/2) when the joint turns by no more than h. How far points can come from an axis while the joints between move,
/// too, is added up from joint to joint. Bounds are per piece: those far from a joint move much, but are not those that are
/// near the other link.
class MotionBounds {
 public:
  explicit MotionBounds(const MotionModel& model);

  /// `poses` of the links at the middle; `half[i]`: how far joint i may be from there.
  void set_pose(std::span<const Pose> poses, std::span<const double> half);
  /// Chooses the links that the questions below are about.
  void set_links(std::uint32_t link_a, std::uint32_t link_b);

  /// True if no joint moves the two links against each other.
  [[nodiscard]] bool at_rest() const noexcept { return joints_.empty(); }

  struct Approach {
    double bound = 0;          ///< by no more than this can the distance of the two pieces change
    std::size_t a = 0, b = 0;  ///< the pieces
  };
  /// The largest bound among the pieces of two bodies that are not certain to stay further apart than the clearance;
  /// nothing if all of them are.
  [[nodiscard]] std::optional<Approach> nearest(std::size_t body_a, std::size_t body_b, double clearance) const;
  /// Adds what each joint adds to the bound of these pieces.
  void share_out(const Approach& pieces, std::span<double> by_joint) const;
  /// By no more than this does any point of b's link move in the frame of a's (`of_b`), or the other way round.
  [[nodiscard]] double most(bool of_b) const;
  /// How far a point fixed in b's link (`of_b`) or in a's moves in the frame of the other one, given where it is at the middle.
  [[nodiscard]] double of_point(bool of_b, const Point3& world) const;
  /// No more than this times their distance do the motions of two points of one link differ.
  [[nodiscard]] double turn() const noexcept { return turn_; }

 private:
  struct Mover {
    std::uint32_t joint = 0;
    bool slides = false;
    double chord = 0;  ///< 2 sin(h/2), or how far it slides
    Point3 on_axis;
    Vec3 axis;
  };
  void bound_pieces(std::uint32_t link, bool from_front, std::vector<double>& moved,
                    std::vector<Point3>& centres) const;
  [[nodiscard]] double radius_of(const MotionModel::Piece& piece, const Point3& centre, std::uint32_t link,
                                 const Mover& mover) const;
  [[nodiscard]] double closer(std::size_t piece_a, std::size_t piece_b) const;
  [[nodiscard]] double with_slack(double value) const;

  const MotionModel& model_;
  std::span<const Pose> poses_;
  std::vector<double> half_;
  std::uint32_t a_ = 0, b_ = 0;
  std::vector<std::uint32_t> path_;
  std::vector<Mover> joints_;              ///< that move, from a's end to b's
  std::vector<double> moved_a_, moved_b_;  ///< per piece and joint
  std::vector<Point3> centres_a_, centres_b_;
  double turn_ = 0;
};

}  // namespace snug::robot
