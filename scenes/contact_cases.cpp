#include "scenes/contact_cases.hpp"

#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "scenes/vectors.hpp"

#include <snug/mesh.hpp>
#include <snug/query.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace snug::scenes {

namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();

struct Range {
  double lo = k_infinity, hi = -k_infinity;
};
Range range_of(const Mesh& mesh, const Pose& pose, const Vec3& n) {
  Range range;
  for (const Point3& p : mesh.vertices()) {
    const double height = dot(n, pose.apply(p));
    range.lo = std::min(range.lo, height), range.hi = std::max(range.hi, height);
  }
  return range;
}

// --- convex pairs -----------------------------------------------------------------------------------------------------

/// The directions of a convex body's faces and edges.
struct Directions {
  explicit Directions(const Mesh& mesh) {
    for (const Index3& t : mesh.triangles()) {
      const Point3 &p = mesh.vertices()[t[0]], &q = mesh.vertices()[t[1]], &r = mesh.vertices()[t[2]];
      add(faces, cross(q - p, r - p));
      add(edges, q - p), add(edges, r - q), add(edges, p - r);
    }
  }
  std::vector<Vec3> faces, edges;

 private:
  static void add(std::vector<Vec3>& to, const Vec3& v) {
    if (v == Vec3{}) return;
    const Vec3 n = unit(v);
    if (std::ranges::none_of(to, [&](const Vec3& o) { return std::abs(dot(o, n)) > 1 - 1e-12; })) to.push_back(n);
  }
};

/// Two convex bodies at fixed rotations, and the axes that may separate them.
class SeparatingAxes {
 public:
  SeparatingAxes(const Mesh& a, const Pose& turn_a, const Mesh& b, const Pose& pose_b) {
    const auto turned = [](const Pose& pose, const Vec3& v) { return pose.apply(v) - pose.apply({}); };
    const Directions of_a(a), of_b(b);
    const auto add = [&](const Vec3& n) { axes_.push_back({n, range_of(a, turn_a, n), range_of(b, pose_b, n)}); };
    for (const Vec3& n : of_a.faces) add(turned(turn_a, n));
    for (const Vec3& n : of_b.faces) add(turned(pose_b, n));
    for (const Vec3& u : of_a.edges)
      for (const Vec3& v : of_b.edges)
        if (const Vec3 n = cross(turned(turn_a, u), turned(pose_b, v)); length(n) > 1e-9) add(unit(n));
  }
  /// With a moved by `offset`.
  [[nodiscard]] Translation shortest(const Vec3& offset) const {
    Translation best{k_infinity, {}};
    for (const Axis& axis : axes_) {
      const double moved = dot(axis.n, offset);
      const double up = axis.b.hi - (axis.a.lo + moved), down = (axis.a.hi + moved) - axis.b.lo;
      if (up < best.depth) best = {up, axis.n};
      if (down < best.depth) best = {down, -axis.n};
    }
    return best;
  }

 private:
  struct Axis {
    Vec3 n;
    Range a, b;
  };
  std::vector<Axis> axes_;
};

Mesh some_convex(Random& random) {
  const auto size = [&](double lo, double hi) { return random.uniform(lo, hi); };
  switch (random.below(3)) {
    case 0: {
      const double x = size(0.25, 0.9), y = size(0.25, 0.9), z = size(0.25, 0.9);
      return box({-x, -y, -z}, {x, y, z});
    }
    case 1: {
      const double radius = size(0.3, 0.9), height = size(0.5, 2);
      return cylinder(radius, height, 6 + static_cast<std::uint32_t>(random.below(8)));
    }
    default: {
      const double radius = size(0.4, 0.9);
      const auto rings = 4 + static_cast<std::uint32_t>(random.below(3));
      return sphere(radius, rings, 5 + static_cast<std::uint32_t>(random.below(5)));
    }
  }
}

// --- slivers ----------------------------------------------------------------------------------------------------------

Mesh some_inner_body(Random& random) {
  switch (random.below(7)) {
    case 0:
      return box({-0.25, -0.25, -0.25}, {0.25, 0.25, 0.25});
    case 1:
      return box({-0.4, -0.25, -0.02}, {0.4, 0.25, 0.02});
    case 2:
      return box({-0.4, -0.03, -0.03}, {0.4, 0.03, 0.03});
    case 3:
      return sphere(0.3, 6, 12);
    case 4:
      return cylinder(0.2, 0.5, 16);
    case 5:
      return cylinder(0.35, 0.03, 24);
    default:
      return torus(0.3, 0.08, 12, 8);
  }
}
Mesh some_outer_body(Random& random) {
  switch (random.below(3)) {
    case 0:
      return box({-1, -1, -1}, {1, 1, 1});
    case 1:
      return cylinder(1.2, 2, 24);
    default:
      return box({-3, -3, -0.6}, {3, 3, 0.6});
  }
}

/// A face of a convex body: what is inside is behind it.
struct Face {
  Vec3 out;
  double at;
};
std::vector<Face> faces_of(const Mesh& convex) {
  std::vector<Face> faces;
  for (const Index3& t : convex.triangles()) {
    const Point3 p = convex.vertices()[t[0]];
    const Vec3 out = unit(cross(convex.vertices()[t[1]] - p, convex.vertices()[t[2]] - p));
    faces.push_back({out, dot(out, p)});
  }
  return faces;
}

// --- pegs and shafts --------------------------------------------------------------------------------------------------

/// Scaled across z by `at_foot` at z = 0 to `at_head` at z = height, and upside down if asked: the diagonals of its sides then run the
/// other way.
Mesh reshaped(const Mesh& mesh, double height, double at_foot, double at_head, bool upside_down) {
  MeshInput input;
  for (const Point3& p : mesh.vertices()) {
    const double scale = at_foot + (at_head - at_foot) * (p.z / height);
    input.vertices.push_back({scale * p.x, scale * p.y, upside_down ? height - p.z : p.z});
  }
  for (const Index3& t : mesh.triangles()) input.triangles.push_back(upside_down ? Index3{t[0], t[2], t[1]} : t);
  return Mesh::build(std::move(input)).value();
}

PegInHole some_peg(std::uint64_t seed, bool tapered) {
  constexpr std::array<std::uint32_t, 8> k_sides{6, 8, 12, 16, 24, 32, 64, 96};
  constexpr double k_radius = PegInHole::k_radius, k_height = PegInHole::k_height, k_length = PegInHole::k_length;
  Random random(seed);
  const std::uint32_t sides = k_sides[random.below(k_sides.size())];
  const std::uint32_t peg_sides = random.below(3) > 0 ? sides : k_sides[random.below(k_sides.size())];
  const double clearance = std::pow(10, random.uniform(-3, -1)), aside = clearance * random.uniform(0.5, 4);
  // By half of what there is room for, so that there is a way out; every other one stands straight.
  const double tilt = seed % 2 == 0 ? 0 : random.uniform(0, 0.5) * clearance / k_height;
  const double foot = random.below(3) > 0 ? -10 : random.uniform(1, 19);
  const auto angle = [&] { return random.uniform(0, k_full_turn); };
  const double lean = angle(), way = angle(), turned = angle();
  const double radius = k_radius * cos_sin(k_full_turn / 2 / sides).cos - clearance;
  const Mesh peg = cylinder(radius, k_length, peg_sides);
  const double narrower = tapered ? random.uniform(0, 0.5) * clearance / radius : 0;
  const CosSin to = cos_sin(way), across = cos_sin(lean);
  return {sides,
          peg_sides,
          clearance,
          aside,
          Shape(tapered ? reshaped(peg, k_length, 1, 1 - narrower, false) : peg),
          Shape(pipe(3 * k_radius, k_radius, k_height, sides)),
          compose(translation(aside * to.cos, aside * to.sin, foot),
                  compose(rotation({across.cos, across.sin, 0}, tilt), rotation({0, 0, 1}, turned)))};
}

/// A section of so many lobes, its radius between 1 and 1 + `height`, extruded; `inside`: a hole in a disk of radius 3.
Mesh lobed(std::uint32_t lobes, double height, double radius, double length, bool hole) {
  const std::uint32_t count = 12 * lobes;
  MeshInput input;
  const auto ring = [&](double z, bool outer) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const double angle = k_full_turn * i / count;
      const CosSin at = cos_sin(angle);
      const double r = outer ? 3 : radius * (1 + height * (0.5 + 0.5 * cos_sin(angle * lobes).cos));
      input.vertices.push_back({r * at.cos, r * at.sin, z});
    }
  };
  const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    input.triangles.push_back({a, b, c}), input.triangles.push_back({a, c, d});
  };
  ring(0, false), ring(length, false);
  if (hole) {
    ring(0, true), ring(length, true);
  } else {
    input.vertices.push_back({0, 0, 0}), input.vertices.push_back({0, 0, length});
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t j = (i + 1) % count;
    if (!hole) {
      quad(i, j, count + j, count + i);
      input.triangles.push_back({2 * count, j, i}), input.triangles.push_back({2 * count + 1, count + i, count + j});
    } else {
      quad(j, i, count + i, count + j);                                  // the wall of the hole
      quad(2 * count + i, 2 * count + j, 3 * count + j, 3 * count + i);  // the rim of the disk
      quad(i, j, 2 * count + j, 2 * count + i);                          // below
      quad(count + j, count + i, 3 * count + i, 3 * count + j);          // above
    }
  }
  return Mesh::build(std::move(input)).value();
}

}  // namespace

std::optional<ConvexPair> some_convex_pair(std::uint64_t seed) {
  Random random(seed);
  const Mesh a = some_convex(random), b = some_convex(random);
  const Pose turn_a = Pose::make(random.rotation(), {}).value(), pose_b = Pose::make(random.rotation(), {}).value();
  const Vec3 drawn = random.point(-1, 1);
  const double wanted = random.uniform(0.001, 0.2);
  if (length(drawn) < 0.1) return {};
  const Vec3 way = unit(drawn);
  const SeparatingAxes axes(a, turn_a, b, pose_b);
  double near = 0, far = 6;
  while (far - near > 1e-6) {
    const double middle = 0.5 * (near + far);
    (axes.shortest(middle * way).depth > wanted ? near : far) = middle;
  }
  const Translation shortest = axes.shortest(near * way);
  if (shortest.depth < 1e-4 || shortest.depth > 0.21) return {};
  return ConvexPair{Shape(a), Shape(b), Pose::make(turn_a.rotation(), near * way).value(), pose_b, shortest};
}

std::optional<Sliver> some_sliver(std::uint64_t seed) {
  Random random(seed);
  const Mesh inner = some_inner_body(random), outer = some_outer_body(random);
  constexpr std::array k_out{1e-14, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2};
  const double out = k_out[random.below(k_out.size())], bent = std::pow(10, random.uniform(-8, -1));
  Quaternion turned = random.rotation();
  if (seed % 4 == 0) turned = {1, 0, 0, 0};
  if (seed % 4 == 1)
    turned = {1, bent * random.uniform(-1, 1), bent * random.uniform(-1, 1), bent * random.uniform(-1, 1)};
  const std::vector<Face> faces = faces_of(outer);
  const Face face = faces[random.below(faces.size())];
  const Vec3 somewhere = random.point(-0.7, 0.7);
  const double top = range_of(inner, Pose::make(turned, somewhere).value(), face.out).hi;
  const Pose pose = Pose::make(turned, somewhere + (face.at + out - top) * face.out).value();
  double way = k_infinity;
  for (const Face& other : faces) {
    const Range range = range_of(inner, pose, other.out);
    const double may_reach = dot(other.out, face.out) > 1 - 1e-9 ? 2 * out + 1e-15 : -1e-3;
    if (range.hi > other.at + may_reach) return {};
    way = std::min(way, other.at - range.lo);
  }
  return Sliver{Shape(inner), Shape(outer), pose, way};
}

double PegInHole::reach() const {
  const double room = k_radius * cos_sin(k_full_turn / 2 / sides).cos;
  double furthest = -k_infinity;
  const auto see = [&](const Point3& p) {
    for (std::uint32_t i = 0; i < sides; ++i) {
      const CosSin middle = cos_sin(k_full_turn * (i + 0.5) / sides);
      furthest = std::max(furthest, dot({middle.cos, middle.sin, 0}, p) - room);
    }
  };
  for (std::uint32_t i = 0; i < peg_sides; ++i) {
    const Point3 foot = pose.apply(peg.mesh().vertices()[i]), head = pose.apply(peg.mesh().vertices()[i + peg_sides]);
    for (const double z : {std::clamp(foot.z, 0.0, k_height), std::clamp(head.z, 0.0, k_height)})
      see(foot + ((z - foot.z) / (head.z - foot.z)) * (head - foot));
  }
  return furthest;
}

PegInHole some_peg(std::uint64_t seed) { return some_peg(seed, false); }
PegInHole some_tapered_peg(std::uint64_t seed) { return some_peg(seed, true); }

PegInHole some_tight_peg(std::uint64_t seed) {
  constexpr std::array<std::uint32_t, 9> k_sides{6, 8, 12, 16, 24, 32, 48, 64, 96};
  constexpr double k_radius = PegInHole::k_radius, k_height = PegInHole::k_height;
  Random random(seed);
  const std::uint32_t sides = k_sides[random.below(k_sides.size())];
  const double clearance = std::pow(10, random.uniform(-3, -1)), aside = clearance * random.uniform(0, 1.5);
  const CosSin way = cos_sin(random.uniform(0, k_full_turn));
  const double foot = random.below(2) == 0 ? -10 : -8.7, turned = random.uniform(0.1, 0.9) * k_full_turn / sides;
  const Mesh hole = pipe(2 * k_radius, k_radius, k_height, sides);
  return {sides,
          sides,
          clearance,
          aside,
          Shape(cylinder(k_radius - clearance, PegInHole::k_length, sides)),
          Shape(seed % 2 == 0 ? hole : reshaped(hole, k_height, 1, 1, true)),
          compose(translation(aside * way.cos, aside * way.sin, foot), rotation({0, 0, 1}, turned))};
}

std::optional<LobedShaft> some_lobed_shaft(std::uint64_t seed) {
  Random random(seed);
  const auto lobes = 2 + static_cast<std::uint32_t>(random.below(5));
  const double height = random.uniform(0.1, 0.5), clearance = std::pow(10, random.uniform(-3, -1));
  const double aside = clearance * random.uniform(0.5, 4),
               tilt = seed % 2 == 0 ? 0 : random.uniform(0, 0.1) * clearance;
  const CosSin way = cos_sin(random.uniform(0, k_full_turn)), lean = cos_sin(random.uniform(0, k_full_turn));
  const Shape shaft(lobed(lobes, height, 1, 4, false)), hole(lobed(lobes, height, 1 + clearance, 2, true));
  // Standing on its axis, or leaning by a fraction of the clearance, it is free.
  const Vec3 out{-aside * way.cos, -aside * way.sin, 0};
  const Pose pose = compose(translation(-out.x, -out.y, -1), rotation({lean.cos, lean.sin, 0}, tilt));
  Scratch scratch;
  const auto meets = [&](double share) {
    return intersects(shaft, compose(translation(share * out.x, share * out.y, 0), pose), hole, {}, scratch);
  };
  if (!meets(0) || meets(1)) return {};
  double in = 0, free = 1;
  for (int i = 0; i < 40; ++i) (meets(0.5 * (in + free)) ? in : free) = 0.5 * (in + free);
  return LobedShaft{shaft, hole, pose, free * out};
}

}  // namespace snug::scenes
