#include "assembly/robot/solid.hpp"

#include "assembly/robot/corners.hpp"
#include "assembly/robot/inside.hpp"
#include "assembly/robot/simple_solid.hpp"
#include "geometry/vec_ops.hpp"
#include "model/unposed.hpp"
#include "shape/trees.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace snug::robot {

namespace {

using namespace assembly;

// A mesh is cut into up to so many pieces. More would follow its form more closely; what they save is spent on comparing
// all of one link with all of the other.
constexpr std::size_t k_most_pieces = 16;

/// Balls about the middles of boxes, large enough for rounding.
Ball ball_around(const Aabb& box) { return {middle_of(box), 0.5 * length_of(box.hi - box.lo) * (1 + 1e-12)}; }

/// True if a mesh holds the point, which must be away from its surface by more than rounding moves it. Of simple solids
/// distance() knows: they are never asked.
bool holds(const Solid& solid, const Pose& pose, Holes holes, const Point3& p) {
  if (solid.simple() || (solid.has_holes() && holes == Holes::open)) return false;
  const Point3 local = unposed(pose, p);
  Aabb here;
  here.include(local);
  return solid.bounds().overlaps(here) && solid.inside().holds(local);
}

/// Of a mesh and of another body whose surfaces are apart, by so little that rounding might move a point across: does the mesh
/// hold a piece of the other? Points that stand out decide, if one is far enough from the surface; nothing if none is.
std::optional<bool> holds_a_piece_at_rest(const Solid& solid, const Pose& pose, Holes holes, const Solid& other,
                                          const Pose& pose_other, double rounding) {
  if (solid.simple() || (solid.has_holes() && holes == Holes::open)) return false;
  if (other.simple() && !other.primitive().bounded()) return false;
  const std::size_t shells = other.simple() ? 1 : other.inside().of_shells().size();
  bool all_known = true;
  for (std::uint32_t shell = 0; shell < shells; ++shell) {
    std::optional<bool> held;
    for (const Point3& p : other.extremes(shell)) {
      const double depth = solid.depth(unposed(pose, pose_other.apply(p)), std::numeric_limits<double>::infinity());
      if (std::abs(depth) > 4 * rounding) held = depth > 0;
    }
    if (held == true) return true;
    all_known = all_known && held;
  }
  return all_known ? std::optional(false) : std::nullopt;
}

bool holds_a_piece(const Solid& solid, const Pose& pose, Holes holes, const Solid& other, const Pose& pose_other) {
  if (solid.simple()) return false;
  if (other.simple()) return holds(solid, pose, holes, pose_other.apply(nearest_in(other.primitive(), {})));
  return std::ranges::any_of(other.inside().of_shells(),
                             [&](const Point3& p) { return holds(solid, pose, holes, pose_other.apply(p)); });
}

/// The cells of a grid of this many along each axis.
std::vector<Aabb> cells_of(const Aabb& box, const std::array<std::uint32_t, 3>& counts) {
  std::vector<Aabb> out;
  const auto at = [&](std::size_t axis, std::uint32_t i) {
    return i == counts[axis] ? box.hi[axis]
                             : box.lo[axis] + (box.hi[axis] - box.lo[axis]) * (static_cast<double>(i) / counts[axis]);
  };
  for (std::uint32_t x = 0; x < counts[0]; ++x)
    for (std::uint32_t y = 0; y < counts[1]; ++y)
      for (std::uint32_t z = 0; z < counts[2]; ++z)
        out.push_back({{at(0, x), at(1, y), at(2, z)}, {at(0, x + 1), at(1, y + 1), at(2, z + 1)}});
  return out;
}

/// True if the boxes of the bodies, in one's frame, are apart: then neither holds a piece of the other.
bool boxes_apart(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b) {
  const Ball ball_b = ball_around(b.bounds());
  const Point3 centre = unposed(pose_a, pose_b.apply(ball_b.centre));
  double squared = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double gap = std::max({0.0, a.bounds().lo[i] - centre[i], centre[i] - a.bounds().hi[i]});
    squared += gap * gap;
  }
  return std::sqrt(squared) > ball_b.radius * (1 + 1e-9);
}

}  // namespace

double rounding(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b) {
  return resolution(a.shape(), pose_a, b.shape(), pose_b);
}

Solid::Solid(const RobotBody& of, const CancelToken* cancel) : body_(of), cancel_(cancel), bounds_(of.shape.bounds()) {
  if (simple()) {
    divide_box();
    return;
  }
  try {
    has_holes_ = !Access::data(shape()).get<Topology>(cancel).rims.empty();
    divide_mesh();
  } catch (const LoopCancelled&) {
    pieces_.clear();
  }
}

Solid::~Solid() = default;

const Inside& Solid::inside() const {
  std::call_once(once_, [&] { inside_ = std::make_unique<const Inside>(shape(), cancel_); });
  return *inside_;
}

const Shape& Solid::whole() const { return has_holes_ ? inside().whole() : shape(); }

double Solid::depth(const Point3& p, double limit) const {
  return simple() ? depth_in(primitive(), p) : inside().depth(p, limit);
}

double Solid::largest_depth() const noexcept {
  if (simple()) return robot::largest_depth(primitive());
  const Vec3 edges = bounds_.hi - bounds_.lo;
  return 0.5 * std::min({edges.x, edges.y, edges.z});
}

std::vector<Point3> Solid::extremes(std::uint32_t shell) const {
  if (!simple()) return {inside().extremes(shell).begin(), inside().extremes(shell).end()};
  std::vector<Point3> out;
  for (const Point3& corner : corners_of(bounds_)) out.push_back(nearest_in(primitive(), corner));
  return out;
}

/// Cuts the longest edges of the box into halves until there are enough pieces. Half-spaces have no edges to speak of.
void Solid::divide_box() {
  std::array<std::uint32_t, 3> counts{1, 1, 1};
  const Vec3 edges = bounds_.hi - bounds_.lo;
  while (primitive().bounded() && 2 * counts[0] * counts[1] * counts[2] <= k_most_pieces) {
    const Vec3 cell{edges.x / counts[0], edges.y / counts[1], edges.z / counts[2]};
    counts[cell.x >= cell.y && cell.x >= cell.z ? 0 : cell.y >= cell.z ? 1 : 2] *= 2;
  }
  for (const Aabb& cell : cells_of(bounds_, counts)) pieces_.push_back({ball_around(cell), cell, {}});
}

/// Halves the triangles, by the middles of their boxes along the longest edge of the whole, until there are enough pieces.
void Solid::divide_mesh() {
  const auto vertices = whole().mesh().vertices();
  const auto triangles = whole().mesh().triangles();
  std::vector<Point3> middle_of_triangle(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    Aabb box;
    for (const std::uint32_t v : triangles[t]) box.include(vertices[v]);
    middle_of_triangle[t] = middle_of(box);
  }
  Looks looks(cancel_);
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
      for (const std::uint32_t t : part) middles.include(middle_of_triangle[t]);
      const Vec3 edges = middles.hi - middles.lo;
      const std::size_t axis = edges.x >= edges.y && edges.x >= edges.z ? 0 : edges.y >= edges.z ? 1 : 2;
      const auto half = part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2);
      std::ranges::nth_element(part, half, {}, [&](std::uint32_t t) {
        looks.look();
        return std::pair{middle_of_triangle[t][axis], t};
      });
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

Closeness closeness(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, Holes holes, double limit,
                    Scratch& scratch) {
  Closeness out;
  const auto of = [&](const Solid& solid) -> const Shape& {
    return holes == Holes::closed ? solid.whole() : solid.shape();
  };
  // The search answers with its limit if it finds nothing within it. That must be above what is asked for.
  const double tiny = rounding(a, pose_a, b, pose_b), asked = limit * (1 + 1e-9) + 16 * tiny;
  const Distance d = distance(of(a), pose_a, of(b), pose_b, scratch, {.ignore_beyond = asked});
  // Between meshes, triangles that agree in the first digits may be closer than the two found.
  const bool certain = a.simple() || b.simple();
  out = {d.value, certain ? d.lower : d.lower * (1 - 1e-11), false, d.on_a, d.on_b};
  if (out.lower > 4 * tiny) {
    out.inside = one_holds_the_other(a, pose_a, b, pose_b, holes);
  } else if (out.value > 0 && !(a.simple() && b.simple())) {
    const auto by_a = holds_a_piece_at_rest(a, pose_a, holes, b, pose_b, tiny),
               by_b = holds_a_piece_at_rest(b, pose_b, holes, a, pose_a, tiny);
    out.inside = by_a == true || by_b == true;
    if (!out.inside && !(by_a && by_b)) out.lower = 0;  // one may be just inside the other, or just beside it
  }
  return out;
}

bool one_holds_the_other(const Solid& a, const Pose& pose_a, const Solid& b, const Pose& pose_b, Holes holes) {
  return !(a.simple() && b.simple()) && !boxes_apart(a, pose_a, b, pose_b) &&
         (holds_a_piece(a, pose_a, holes, b, pose_b) || holds_a_piece(b, pose_b, holes, a, pose_a));
}

}  // namespace snug::robot
