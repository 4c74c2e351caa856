#include "model/motion_bound.hpp"

#include "geometry/turn.hpp"
#include "geometry/vec_ops.hpp"
#include "support/assert.hpp"
#include "support/trig.hpp"

namespace snug::model {

namespace {

/// Scaled first: squares of what is very small vanish, and with them the motion.
double scaled_length(const Vec3& v) noexcept {
  const double largest = max_abs(v);
  if (!(largest > 0 && largest < 0x1p1000)) return largest > 0 ? std::numeric_limits<double>::infinity() : 0;
  const double scale = scale_to_one(largest);
  const Vec3 scaled = scale * v;
  return std::sqrt(dot(scaled, scaled)) / scale;
}

/// Eight points, axis by axis: what is done to all of them is done to several at a time.
struct EightPoints {
  double x[8], y[8], z[8];
};

/// From the world into a body's frame.
EightPoints back(const Pose& pose, const EightPoints& p) noexcept {
  const auto& r = pose.matrix();
  const Vec3& t = pose.translation();
  EightPoints out;
  for (int i = 0; i < 8; ++i) {
    const double x = p.x[i] - t.x, y = p.y[i] - t.y, z = p.z[i] - t.z;
    out.x[i] = (r[0] * x + r[3] * y) + r[6] * z;
    out.y[i] = (r[1] * x + r[4] * y) + r[7] * z;
    out.z[i] = (r[2] * x + r[5] * y) + r[8] * z;
  }
  return out;
}

EightPoints posed(const Pose& pose, const EightPoints& p) noexcept {
  const auto& r = pose.matrix();
  const Vec3& t = pose.translation();
  EightPoints out;
  for (int i = 0; i < 8; ++i) {
    out.x[i] = ((r[0] * p.x[i] + r[1] * p.y[i]) + r[2] * p.z[i]) + t.x;
    out.y[i] = ((r[3] * p.x[i] + r[4] * p.y[i]) + r[5] * p.z[i]) + t.y;
    out.z[i] = ((r[6] * p.x[i] + r[7] * p.y[i]) + r[8] * p.z[i]) + t.z;
  }
  return out;
}

/// The square of the longest distance between two of the same number.
double longest_squared(const EightPoints& p, const EightPoints& q) noexcept {
  double squares[8], most = 0;
  for (int i = 0; i < 8; ++i) {
    const double x = p.x[i] - q.x[i], y = p.y[i] - q.y[i], z = p.z[i] - q.z[i];
    squares[i] = (x * x + y * y) + z * z;
  }
  for (const double square : squares) most = std::max(most, square);
  return most;
}

}  // namespace

double turn_chord(double radians) noexcept {
  SNUG_ASSERT(!(radians < 0));
  return radians < k_pi ? 2 * sine(radians / 2) : 2.0;
}

double turn_chord(const std::array<double, 9>& from, const std::array<double, 9>& to) noexcept {
  double squares = 0;
  for (std::size_t i = 0; i < 9; ++i) squares += (to[i] - from[i]) * (to[i] - from[i]);
  // The squares of the entries sum up to twice the square of the chord.
  return std::sqrt(0.5 * squares) * (1 + 0x1p-40) + 0x1p-48;
}

double arc_deviation(double radius, double chord) noexcept {
  // Half the chord is the sine of a quarter of the angle, at most sqrt(1/2); there the arc sine stays below this.
  const double sine = 0.5 * chord * (1 + 0x1p-40);
  const double quarter = sine + 0.2216 * sine * sine * sine;
  // A function whose second derivative is at most r θ² is off its chord by r θ² / 8 = 2 r (θ/4)² at most.
  const double bend = chord > 0 ? 2 * radius * quarter * quarter : 0;
  return bend * (1 + 0x1p-40);
}

RelativeDisplacement::RelativeDisplacement(const Aabb& bounds_a, const Aabb& bounds_b) noexcept
    : bounds_a_(bounds_a),
      bounds_b_(bounds_b),
      middle_a_(middle_of(bounds_a)),
      middle_b_(middle_of(bounds_b)),
      radius_a_(0.5 * scaled_length(bounds_a.hi - bounds_a.lo) * (1 + 0x1p-40)),
      radius_b_(0.5 * scaled_length(bounds_b.hi - bounds_b.lo) * (1 + 0x1p-40)) {}

RelativeTransform RelativeDisplacement::at(const Pose& pose_a, const Pose& pose_b) const noexcept {
  const std::array<double, 9>&ra = pose_a.matrix(), &rb = pose_b.matrix();
  RelativeTransform out;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      out.turn[3 * i + j] = (ra[i] * rb[j] + ra[3 + i] * rb[3 + j]) + ra[6 + i] * rb[6 + j];
  out.b_from_a = turn_back(ra, pose_b.apply(middle_b_) - pose_a.translation());
  out.a_from_b = turn_back(rb, pose_a.apply(middle_a_) - pose_b.translation());
  // Posing rounds each coordinate by less than its error, which bounds coordinates and translation by 2^50 times itself. Two
  // posings, two roundings of the above and of the matrices, on three axes: 8 is generous.
  out.error = 8 * (posing_error(bounds_a_, pose_a) + posing_error(bounds_b_, pose_b));
  return out;
}

double RelativeDisplacement::between(const RelativeTransform& from, const RelativeTransform& to) const noexcept {
  const double turn = turn_chord(from.turn, to.turn);
  // Whichever body is thought to rest, distances between the two are the same.
  const double of_b = scaled_length(to.b_from_a - from.b_from_a) + turn * radius_b_;
  const double of_a = scaled_length(to.a_from_b - from.a_from_b) + turn * radius_a_;
  return std::min(of_a, of_b) * (1 + 0x1p-40) + (from.error + to.error);
}

double displacement_within(const Aabb& region, const Pose& then_a, const Pose& then_b, const Pose& now_a,
                           const Pose& now_b) noexcept {
  // How far a point goes is a convex function of the point: it is most at a corner of the region.
  EightPoints corners;
  for (int i = 0; i < 8; ++i) {
    corners.x[i] = (i & 1) != 0 ? region.hi.x : region.lo.x;
    corners.y[i] = (i & 2) != 0 ? region.hi.y : region.lo.y;
    corners.z[i] = (i & 4) != 0 ? region.hi.z : region.lo.z;
  }
  const EightPoints in_a = back(now_a, corners), in_b = back(now_b, corners);
  return std::sqrt(std::max(longest_squared(in_b, back(then_b, posed(then_a, in_a))),
                            longest_squared(in_a, back(then_a, posed(then_b, in_b)))));
}

}  // namespace snug::model
