// What a fit says of two faces holds of these faces, and not only of the bore and the pin themselves.
#include "penetration/fits.hpp"
#include "assembly/verdict/matings.hpp"
#include "mating_parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace snug {
namespace {

using penetration::PosedSolid;
using namespace test;  // NOLINT: all of it is parts

constexpr double k_tolerance = 1e-3;

Shape with_tolerance(MeshInput in) {
  for (Surface& surface : in.surfaces) surface.tolerance = k_tolerance;
  return Shape(Mesh::build(std::move(in)).value());
}

double largest_radius(const PosedSolid& of, std::uint32_t triangle) {
  const Triangle t = of.body().triangle(triangle);
  double largest = 0;
  for (const Point3& p : t.corner) largest = std::max(largest, std::hypot(p.x, p.y));
  return largest;
}

TEST(Fits, PromiseNoMorePlayThanTheFacesHave) {
  // A pin that is a little thicker above: within the tolerances of the lower half's fit, and with a fit of its own.
  const double bore = 10.004, thin = 10, thick = 10.0025;
  const std::uint32_t segments = 48;
  const Shape pin =
      with_tolerance(revolved({straight("bottom", {0, 0}, {thin, 0}), straight("thin", {thin, 0}, {thin, 5}),
                               straight("step", {thin, 5}, {thick, 5}), straight("thick", {thick, 5}, {thick, 10}),
                               straight("top", {thick, 10}, {0, 10})},
                              segments));
  const Shape sleeve = with_tolerance(bush(bore, 15, 10, segments));
  for (const bool pin_first : {true, false}) {
    const PosedSolid a(pin_first ? pin : sleeve, Pose{}), b(pin_first ? sleeve : pin, Pose{});
    const PosedSolid &of_pin = pin_first ? a : b, &of_sleeve = pin_first ? b : a;
    const penetration::Fits fits(assembly::matings(a, b, 0.1, {}), a, b);
    ASSERT_EQ(fits.all().size(), 2U);
    std::array<int, 2> promised{};
    for (std::uint32_t p = 0; p < of_pin.mesh().triangles().size(); ++p)
      for (std::uint32_t s = 0; s < of_sleeve.mesh().triangles().size(); ++s) {
        if (of_sleeve.mesh().surfaces()[of_sleeve.mesh().surface_of(s)].name != "bore") continue;
        const auto fit = pin_first ? fits.between(a, p, b, s) : fits.between(a, s, b, p);
        if (!fit) continue;
        const double radius = std::max(thin, largest_radius(of_pin, p));
        const std::string& name = of_pin.mesh().surfaces()[of_pin.mesh().surface_of(p)].name;
        EXPECT_LE(fit->least, bore - radius - 2 * k_tolerance) << name;
        ++promised[radius > thin + 1e-9 ? 1 : 0];
        if (name == "thin") {
          EXPECT_NEAR(fit->least, bore - thin - 2 * k_tolerance, 1e-9);
        }
      }
    EXPECT_GT(promised[0], 0);
    EXPECT_GT(promised[1], 0);
  }
}

}  // namespace
}  // namespace snug
