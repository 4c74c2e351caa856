#include "any_shape.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace snug {
namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

using Code = MakeError::Code;

template <class T>
Code code_of(const Result<T, MakeError>& result) {
  EXPECT_FALSE(result.has_value());
  if (result.has_value()) return Code::too_few;
  EXPECT_FALSE(result.error().message().empty());
  return result.error().code;
}

TEST(HeightField, IsGroundOverAGrid) {
  const std::vector<double> heights{0, 1, 0, 2, 0, 1};
  const HeightField field{heights, 3, 2, 2, 0.5, {}};
  const Mesh sheet = make_height_field(field).value();
  EXPECT_EQ(sheet.triangles().size(), 4U);
  EXPECT_EQ(sheet.vertices()[1], (Point3{2, 0, 1}));
  EXPECT_EQ(sheet.vertices()[3], (Point3{0, 0.5, 2}));
  EXPECT_FALSE(is_closed(sheet.view()));
  HeightField closed = field;
  closed.base = -1;
  const Mesh body = make_height_field(closed).value();
  EXPECT_TRUE(is_closed(body.view()));
  EXPECT_EQ(body.surfaces().size(), 3U);
  EXPECT_EQ(body.surfaces()[body.surface_of(0)].name, "top");
  EXPECT_EQ(body.bounds(), (Aabb{{0, 0, -1}, {4, 0.5, 2}}));
  for (std::uint32_t t = 0; t < 4; ++t) EXPECT_EQ(body.triangles()[t], sheet.triangles()[t]) << "the same ids";
  const MeshReport report = inspect(body);
  EXPECT_TRUE(report.closed);
}

TEST(HeightField, HoldsWhatIsBelowItsHeights) {
  scenes::Random random(5);
  std::vector<double> heights(std::size_t{9} * 7);
  for (double& height : heights) height = random.uniform(0, 1);
  const HeightField field{heights, 9, 7, 0.5, 0.25, -2};
  const Mesh body = make_height_field(field).value();
  for (int i = 0; i < 300; ++i) {
    const double x = random.uniform(0, 4), y = random.uniform(0, 1.5), z = random.uniform(-2.5, 1.5);
    const auto column = static_cast<std::uint32_t>(x / 0.5), row = static_cast<std::uint32_t>(y / 0.25);
    const double u = x / 0.5 - column, v = y / 0.25 - row;
    const auto at = [&](std::uint32_t c, std::uint32_t r) { return heights[std::size_t{r} * 9 + c]; };
    const double first = at(column, row), across = at(column + 1, row + 1);
    const double ground = u >= v ? first + u * (at(column + 1, row) - first) + v * (across - at(column + 1, row))
                                 : first + v * (at(column, row + 1) - first) + u * (across - at(column, row + 1));
    if (std::abs(z - ground) < 1e-9 || std::abs(z + 2) < 1e-9) continue;
    EXPECT_EQ(locate({x, y, z}, body.view()).side == Side::inside, z < ground && z > -2) << x << " " << y << " " << z;
  }
}

TEST(HeightField, TellsHowDeepAWheelIsInIt) {
  const std::vector<double> flat(std::size_t{11} * 11, 0.0);
  const Shape ground(make_height_field({flat, 11, 11, 1, 1, -3}).value());
  const Shape wheel(Primitive::sphere(0.5).value());
  const SignedDistance d = signed_distance(wheel, translation(5.3, 4.2, 0.4), ground, {}, test::own_scratch());
  EXPECT_NEAR(d.value, -0.1, 1e-12);
  EXPECT_NEAR(d.normal.z, 1, 1e-12);
  EXPECT_NEAR(signed_distance(wheel, translation(5.3, 4.2, -0.4), ground, {}, test::own_scratch()).value, -0.9, 1e-12);
}

TEST(HeightField, RefusesWhatIsNoGround) {
  std::vector<double> heights(6, 1.0);
  EXPECT_EQ(code_of(make_height_field({heights, 6, 1, 1, 1, {}})), Code::too_few);
  EXPECT_EQ(code_of(make_height_field({heights, 3, 3, 1, 1, {}})), Code::count_differs);
  EXPECT_EQ(code_of(make_height_field({heights, 3, 2, 0, 1, {}})), Code::bad_step);
  EXPECT_EQ(code_of(make_height_field({heights, 3, 2, 1, k_nan, {}})), Code::bad_step);
  EXPECT_EQ(code_of(make_height_field({heights, 3, 2, 1e300, 1, {}})), Code::bad_step);
  EXPECT_EQ(code_of(make_height_field({heights, 3, 2, 1, 1, 1})), Code::base_not_below);
  EXPECT_EQ(code_of(make_height_field({heights, 3, 2, 1, 1, k_nan})), Code::bad_height);
  heights[4] = k_nan;
  EXPECT_EQ(make_height_field({heights, 3, 2, 1, 1, {}}).error(), (MakeError{Code::bad_height, 4}));
  EXPECT_EQ(code_of(make_height_field({{}, 0x10000, 0x10000, 1, 1, {}})), Code::count_differs);
}

TEST(Compound, IsItsPiecesBitForBit) {
  const Mesh cube = scenes::box({-1, -1, -1}, {1, 1, 1}), ring = scenes::torus(2, 0.3, 12, 8);
  const Pose turned = Pose::make({0.3, -0.2, 0.7, 0.4}, {1, 2, 3}).value();
  const std::vector<Piece> pieces{{cube, {}}, {ring, turned}, {cube, translation(0.5, 0, 0)}};
  const Compound whole = make_compound(pieces).value();
  ASSERT_EQ(whole.first_triangle.size(), 4U);
  EXPECT_EQ(whole.mesh.triangles().size(), 24 + ring.triangles().size());
  for (std::uint32_t t = 0; t < whole.mesh.triangles().size(); ++t) {
    const std::uint32_t piece = whole.piece_of(t);
    ASSERT_LT(piece, 3U);
    const std::uint32_t own = t - whole.first_triangle[piece];
    Triangle posed;
    pieces[piece].pose.apply(pieces[piece].mesh.view().triangle(own).corner, posed.corner);
    EXPECT_EQ(whole.mesh.view().triangle(t), posed);
    EXPECT_EQ(whole.mesh.surfaces()[whole.mesh.surface_of(t)].name,
              pieces[piece].mesh.surfaces()[pieces[piece].mesh.surface_of(own)].name);
  }
  EXPECT_EQ(whole.piece_of(static_cast<std::uint32_t>(whole.mesh.triangles().size())), 3U);
  EXPECT_TRUE(is_closed(whole.mesh.view()));
  // Two cubes that overlap are one body.
  EXPECT_EQ(locate({0.2, 0, 0}, whole.mesh.view()).side, Side::inside);
  const Shape shape(whole.mesh), ball(Primitive::sphere(0.5).value());
  const SignedDistance d = signed_distance(ball, translation(0.25, 0, 1.25), shape, {}, test::own_scratch());
  EXPECT_LE(d.lower, -0.25);
  EXPECT_GE(d.upper, -0.25 - 1e-9);
  EXPECT_NEAR(signed_distance(ball, translation(0, 0, -3), shape, {}, test::own_scratch()).value, 1.5, 1e-9);
}

TEST(Compound, RefusesWhatIsNoWhole) {
  const Mesh cube = scenes::box({-1, -1, -1}, {1, 1, 1});
  EXPECT_EQ(code_of(make_compound({})), Code::too_few);
  const std::vector<Piece> none(2, Piece{Shape(Primitive::sphere(1).value()).mesh(), {}});
  EXPECT_EQ(code_of(make_compound(none)), Code::too_few) << "the mesh of a primitive has no triangles";
  const std::vector<Piece> lost{{cube, {}}, {cube, translation(k_nan, 0, 0)}};
  EXPECT_EQ(make_compound(lost).error(), (MakeError{Code::bad_pose, 1}));
  const Mesh large = scenes::box({-1e299, -1e299, -1e299}, {6e299, 6e299, 6e299});
  const std::vector<Piece> wide{{large, translation(6e299, 0, 0)}};
  EXPECT_EQ(code_of(make_compound(wide)), Code::piece_too_large);
  EXPECT_EQ((Compound{cube, {}}.piece_of(0)), 0U);
}

}  // namespace
}  // namespace snug
