#include "robot/solid.hpp"

#include "geometry/vec_ops.hpp"
#include "robot/inside.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace snug::robot {

namespace {

using namespace detail;

// A mesh is cut into up to so many pieces. More would follow its form more closely; what they save is spent on comparing
// all of one link with all of the other.
constexpr std::size_t k_most_pieces = 16;

/// Balls about the middles of boxes, large enough for rounding.
Ball ball_around(const Aabb& box) { return {middle_of(box), 0.5 * length_of(box.hi - box.lo) * (1 + 1e-12)}; }

/// True if a closed mesh or a simple solid holds the point, which must be away from its surface by more than rounding moves
/// it. Of simple solids distance() knows: they are never asked.
bool holds(const Solid& solid, const Pose& pose, const Point3& p) {
  if (solid.simple()) return false;
  const Point3 local = in_frame(pose, p);
  Aabb here;
  here.include(local);
  return solid.bounds().overlaps(here) && solid.inside().closed() && solid.inside().holds(local);
}
bool holds_a_piece(const Solid& solid, const Pose& pose, const Solid& other, const Pose& pose_other) {
  if (solid.simple()) return false;
  if (other.simple()) return holds(solid, pose, pose_other.apply(Point3{}));
  return std::ranges::any_of(other.inside().of_shells(),
                             [&](const Point3& p) { return holds(solid, pose, pose_other.apply(p)); });
}

/// The solid without what lies within `depth` of its surface, if anything is left and it is of the same kind.
std::optional<Primitive> eroded(const Primitive& solid, double depth) {
  const auto made = [](Result<Primitive, PrimitiveError> result) {
    return result ? std::optional(*result) : std::nullopt;
  };
  const Vec3& half = solid.half();
  switch (solid.kind()) {
    case Primitive::Kind::sphere:
      return made(Primitive::sphere(solid.radius() - depth));
    case Primitive::Kind::capsule:
      return made(Primitive::capsule(solid.radius() - depth, 2 * half.z));
    case Primitive::Kind::box:
      return made(Primitive::box({2 * (half.x - depth), 2 * (half.y - depth), 2 * (half.z - depth)}));
    case Primitive::Kind::cylinder:
      return made(Primitive::cylinder(solid.radius() - depth, 2 * (half.z - depth)));
    case Primitive::Kind::half_space:
    case Primitive::Kind::hull:
      break;
  }
  return std::nullopt;
}

bool shares_a_point(const Primitive& simple, const Pose& pose, const Solid& b, const Pose& pose_b) {
  if (b.simple()) return intersects(simple, pose, b.primitive(), pose_b);
  return intersects(simple, pose, *b.mesh(), pose_b) || holds(b, pose_b, pose.translation());
}

/// True if the boxes of the bodies, in one's frame, are apart: then neither holds a piece of the other.
bool boxes_apart(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b) {
  const Ball ball_b = ball_around(b.bounds());
  const Point3 centre = in_frame(pose_a, pose_b.apply(ball_b.centre));
  double squared = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double gap = std::max({0.0, a.bounds().lo[i] - centre[i], centre[i] - a.bounds().hi[i]});
    squared += gap * gap;
  }
  return std::sqrt(squared) > ball_b.radius * (1 + 1e-9);
}

}  // namespace

Point3 in_frame(const Pose& pose, const Point3& p) {
  const auto& r = pose.matrix();
  const Vec3 d = p - pose.translation();
  return {r[0] * d.x + r[3] * d.y + r[6] * d.z, r[1] * d.x + r[4] * d.y + r[7] * d.z,
          r[2] * d.x + r[5] * d.y + r[8] * d.z};
}

double rounding(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b) {
  return std::visit([&](const auto& x, const auto& y) { return resolution(x, pose_a, y, pose_b); }, a.body().solid,
                    b.body().solid);
}

Solid::Solid(const RobotBody& of)
    : body_(of), bounds_(std::visit([](const auto& solid) { return solid.bounds(); }, of.solid)) {
  if (simple())
    pieces_.push_back({ball_around(bounds_), bounds_, {}});
  else
    divide();
}

Solid::~Solid() = default;

const Inside& Solid::inside() const {
  std::call_once(once_, [&] { inside_ = std::make_unique<const Inside>(*mesh()); });
  return *inside_;
}

/// Halves the triangles, by the middles of their boxes along the longest edge of the whole, until there are enough pieces.
void Solid::divide() {
  const auto vertices = mesh()->mesh().vertices();
  const auto triangles = mesh()->mesh().triangles();
  const auto box_of = [&](std::uint32_t t) {
    Aabb box;
    for (const std::uint32_t v : triangles[t]) box.include(vertices[v]);
    return box;
  };
  std::vector<std::vector<std::uint32_t>> parts(1);
  parts[0].resize(triangles.size());
  std::iota(parts[0].begin(), parts[0].end(), 0U);
  while (parts.size() < k_most_pieces) {
    std::vector<std::vector<std::uint32_t>> next;
    for (auto& part : parts) {
      if (part.size() < 2) {
        next.push_back(std::move(part));
        continue;
      }
      Aabb middles;
      for (const std::uint32_t t : part) middles.include(middle_of(box_of(t)));
      const Vec3 edges = middles.hi - middles.lo;
      const std::size_t axis = edges.x >= edges.y && edges.x >= edges.z ? 0 : edges.y >= edges.z ? 1 : 2;
      const auto half = part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2);
      std::ranges::nth_element(part, half, {},
                               [&](std::uint32_t t) { return std::pair{middle_of(box_of(t))[axis], t}; });
      next.emplace_back(part.begin(), half);
      next.emplace_back(half, part.end());
    }
    const bool divided = next.size() > parts.size();
    parts = std::move(next);
    if (!divided) break;
  }
  for (const auto& part : parts) {
    SolidPiece piece;
    for (const std::uint32_t t : part)
      piece.vertices.insert(piece.vertices.end(), triangles[t].begin(), triangles[t].end());
    std::ranges::sort(piece.vertices);
    piece.vertices.erase(std::ranges::unique(piece.vertices).begin(), piece.vertices.end());
    for (const std::uint32_t v : piece.vertices) piece.box.include(vertices[v]);
    piece.ball.centre = middle_of(piece.box);
    for (const std::uint32_t v : piece.vertices)
      piece.ball.radius = std::max(piece.ball.radius, length_of(vertices[v] - piece.ball.centre) * (1 + 1e-12));
    pieces_.push_back(std::move(piece));
  }
}

Closeness closeness(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, double limit,
                    Scratch& scratch) {
  Closeness out;
  const auto take = [&](const PrimitiveDistance& d) { out = {d.value, d.lower, false, d.on_a, d.on_b}; };
  if (!a.simple() && !b.simple()) {
    // The search answers with its limit if it finds nothing within it. That must be above what is asked for.
    const double asked = limit * (1 + 1e-9) + 16 * rounding(a, pose_a, b, pose_b);
    const Distance d = distance(*a.mesh(), pose_a, *b.mesh(), pose_b, scratch, {.ignore_beyond = asked});
    out = {d.value, d.lower * (1 - 1e-11), false, d.on_a, d.on_b};
  } else if (!a.simple()) {
    take(distance(*a.mesh(), pose_a, b.primitive(), pose_b));
  } else if (!b.simple()) {
    take(distance(a.primitive(), pose_a, *b.mesh(), pose_b));
  } else {
    take(distance(a.primitive(), pose_a, b.primitive(), pose_b));
  }
  // Nearer than rounding goes, inside and outside can not be told apart by a point moved to the other's frame.
  if (out.lower > 4 * rounding(a, pose_a, b, pose_b) && !boxes_apart(a, pose_a, b, pose_b))
    out.inside = holds_a_piece(a, pose_a, b, pose_b) || holds_a_piece(b, pose_b, a, pose_a);
  return out;
}

bool deeper_than(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, double depth) {
  if (!a.simple()) return false;
  // Queries on simple solids may take what is this close for touching.
  const auto left = eroded(a.primitive(), depth + 4 * rounding(a, pose_a, b, pose_b));
  return left && shares_a_point(*left, pose_a, b, pose_b);
}

}  // namespace snug::robot
