// Shape::prepare_for() builds what later calls need: these build nothing more.
#include "assembly/path/path_part.hpp"
#include "contact/contact_mesh.hpp"
#include "penetration/borders.hpp"
#include "penetration/face_sag.hpp"
#include "penetration/smallest_size.hpp"
#include "query/convex/convex_mesh.hpp"
#include "query/posed/winds_once.hpp"
#include "scenes/solids.hpp"
#include "shape/trees.hpp"

#include <snug/snug.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace snug {
namespace {

template <class... T>
std::vector<bool> there(const Shape& shape) {
  return {(detail::Access::data(shape).structures.find<T>() != nullptr)...};
}

std::vector<bool> built(const Shape& shape) {
  return there<bvh::ObbTree, bvh::RayBvh, bvh::AabbTree, bvh::NodeBoxes, bvh::DopTree, bvh::RTree, mesh::Topology,
               query::WindsOnce, query::ConvexMesh, contact::ContactMesh, penetration::FaceSag, penetration::Borders,
               penetration::SmallestSize, assembly::OriginRadius>(shape);
}

Preparation only(bool Preparation::* what) {
  Preparation out{.pairs = false, .rays = false, .contacts = false, .motion = false, .verdicts = false};
  out.*what = true;
  return out;
}

/// Two balls that touch, and overlap, and lie apart, and one within the other.
template <class Ask>
void expect_nothing_is_built(bool Preparation::* what, const Ask& ask) {
  for (const double shift : {0.0, 0.5, 1.5, 2.0, 3.0}) {
    const Shape a(scenes::sphere(1, 8, 12)), b(scenes::sphere(0.9, 8, 12));
    a.prepare_for(only(what)).value(), b.prepare_for(only(what)).value();
    const std::vector<bool> of_a = built(a), of_b = built(b);
    ask(a, b, translation(shift, 0.05, 0));
    EXPECT_EQ(built(a), of_a) << shift;
    EXPECT_EQ(built(b), of_b) << shift;
  }
}

TEST(Prepare, LeavesNothingToQueriesForPairs) {
  Scratch scratch;
  expect_nothing_is_built(&Preparation::pairs, [&](const Shape& a, const Shape& b, const Pose& pose) {
    std::vector<TrianglePair> pairs;
    triangle_pairs(a, {}, b, pose, scratch, pairs);
    (void)intersects(a, {}, b, pose, scratch), (void)distance(a, {}, b, pose, scratch);
  });
}

TEST(Prepare, LeavesNothingToVerdicts) {
  expect_nothing_is_built(&Preparation::verdicts, [](const Shape& a, const Shape& b, const Pose& pose) {
    (void)assess(a, {}, b, pose, {.tolerances = {.clearance = 2}});
  });
}

TEST(Prepare, LeavesNothingToMotions) {
  Scratch scratch;
  expect_nothing_is_built(&Preparation::motion, [&](const Shape& a, const Shape& b, const Pose& pose) {
    const Motion rests = Motion::rest({}), moves = Motion::make({{0, pose}, {1, translation(-2, 0, 0)}}).value();
    (void)first_contact(a, rests, b, moves, scratch).value();
    (void)check_path(a, rests, b, moves).value();
  });
}

TEST(Prepare, LeavesNothingToContacts) {
  Scratch scratch;
  Contacts out;
  expect_nothing_is_built(&Preparation::contacts, [&](const Shape& a, const Shape& b, const Pose& pose) {
    contacts(a, {}, b, pose, scratch, out).value();
  });
}

}  // namespace
}  // namespace snug
