// Two triangles of any finite doubles: what is promised for all of them must hold.
#include <snug/predicates.hpp>
#include <snug/triangle.hpp>

#include "bytes.hpp"

namespace {

using snug::Point3;
using snug::Relation;
using snug::Triangle;

Triangle take_triangle(snug::fuzz::Bytes& bytes, bool grid) {
  Triangle t;
  for (Point3& p : t.corner) {
    const auto take = [&] { return grid ? bytes.take_grid() : bytes.take_finite(); };
    p.x = take();
    p.y = take();
    p.z = take();
  }
  return t;
}

Triangle turned(const Triangle& t) { return {{t[1], t[2], t[0]}}; }
Triangle mirrored(const Triangle& t) { return {{t[0], t[2], t[1]}}; }

// Coordinates near the ends of the range overflow when points are computed from them; decisions do not, so only the
// former are spared.
bool ordinary(const Triangle& t) {
  for (const Point3& p : t.corner) {
    for (const double x : {p.x, p.y, p.z}) {
      if (x != 0 && (std::abs(x) > 1e100 || std::abs(x) < 1e-100)) return false;
    }
  }
  return true;
}

void check_relation(const Triangle& a, const Triangle& b) {
  const Relation relation = snug::relation(a, b);
  FUZZ_CHECK(snug::relation(b, a) == relation);
  FUZZ_CHECK(snug::relation(turned(a), mirrored(b)) == relation);
  FUZZ_CHECK(snug::relation(mirrored(a), turned(b)) == relation);
  if (relation == Relation::crossing) FUZZ_CHECK(!snug::is_degenerate(a) && !snug::is_degenerate(b));
  FUZZ_CHECK(snug::relation(a, a) == Relation::touching);
}

void check_orientation(const Triangle& a, const Triangle& b) {
  for (const Point3& p : b.corner) {
    const int side = snug::orient3d(a[0], a[1], a[2], p);
    FUZZ_CHECK(snug::orient3d(a[1], a[2], a[0], p) == side);
    FUZZ_CHECK(snug::orient3d(a[1], a[0], a[2], p) == -side);
    if (snug::is_degenerate(a)) FUZZ_CHECK(side == 0);
  }
}

void check_points(const Triangle& a, const Triangle& b) {
  if (!ordinary(a) || !ordinary(b)) return;
  const Relation relation = snug::relation(a, b);
  const auto shared = snug::intersection(a, b);
  FUZZ_CHECK(shared.relation == relation);
  FUZZ_CHECK((shared.count == 0) == (relation == Relation::disjoint));
  FUZZ_CHECK(shared.count <= shared.corner.size());

  const auto closest = snug::closest_points(a, b);
  FUZZ_CHECK((closest.distance == 0) == (relation != Relation::disjoint));
  FUZZ_CHECK(std::isfinite(closest.distance) && closest.distance >= 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  snug::fuzz::Bytes bytes(data, size);
  const bool grid = bytes.take<std::uint64_t>() % 2 == 0;
  const Triangle a = take_triangle(bytes, grid);
  const Triangle b = take_triangle(bytes, grid);
  check_relation(a, b);
  check_orientation(a, b);
  check_points(a, b);
  return 0;
}
