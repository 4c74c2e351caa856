#include "scenes/plant_parts.hpp"

namespace snug::scenes::plant_parts {

using namespace brep;

namespace {

/// A collar around a vessel.
Tip add_stiffener(Solid& solid, const Tip& tip) {
  solid.name("stiffener");
  const double r = tip.radius;
  const Turn profile[] = {{r + 35, 0}, {r + 35, 30}, {r, 30}};
  return solid.turned(tip, profile);
}

/// Feet and skirts stand on the skid, bolted.
void add_foot(Solid& solid, const Tip& leg, double radius, std::uint32_t bolts) {
  solid.name("foot");
  const Turn profile[] = {{radius, 0}, {radius, 40}};
  std::vector<FaceId> rings;
  const FaceId sole = solid.close(solid.turned(leg, profile, &rings));
  solid.name("foot bolt hole");
  for (std::uint32_t i = 0; i < bolts; ++i) {
    const auto [c, s] = at_turns((i + 0.5) / bolts);
    solid.join(sole, circle({(radius - 30) * c, (radius - 30) * s}, 12, 8), rings[0]);
  }
}

/// A dished end of height h on a radius r is part of a ball whose centre lies so far below its rim.
double below_rim(double r, double h) { return (r * r - h * h) / (2 * h); }

}  // namespace

Mesh column() {
  Solid solid;
  constexpr double k_radius = 400, k_dish = 150;
  solid.name("skirt");
  FaceId sole = 0;
  std::vector<FaceId> rings;
  const Turn skirt[] = {{480, 40}, {k_radius, 40}, {k_radius, 500}};
  Tip tip = solid.turned(solid.disc(facing_z(k_column_foot), 480, 30, &sole), skirt, &rings);
  solid.name("skirt bolt hole");
  for (int i = 0; i < 16; ++i) {
    const auto [c, s] = at_turns((i + 0.5) / 16);
    solid.join(rings[0], circle({440 * c, 440 * s}, 14, 8), sole);
  }
  tip = add_stiffener(solid, tip);
  solid.name("shell");
  std::vector<Tip> lower, upper;
  const double bottom = tip.frame.origin.z;
  const double reach = k_nozzle - k_joint;
  const Stub low_stubs[] = {{0, k_column_inlet.z - bottom, k_pipe.radius, reach, k_pipe.chords},
                            {0.25, 300, 30, 500, 12},
                            {0.25, 1100, 30, 500, 12}};
  tip = solid.straight_with_stubs(tip, 1370, low_stubs, lower);
  tip = add_stiffener(solid, tip);
  solid.name("shell");
  const double middle = tip.frame.origin.z;
  const Stub high_stubs[] = {{0, k_column_outlet.z - middle, k_pipe.radius, reach, k_pipe.chords},
                             {0.5, 2400 - middle, 200, 560, 24}};
  tip = solid.straight_with_stubs(tip, 970, high_stubs, upper);
  tip = add_stiffener(solid, tip);
  solid.name("shell");
  tip = solid.straight(tip, 170);
  solid.close_dome(tip, {0, k_dish, true, 0, -below_rim(k_radius, k_dish), 5});

  add_nozzle(solid, lower[0], k_pipe, 150);
  add_nozzle(solid, upper[0], k_pipe, 150);
  constexpr Pipe k_gauge{30, 20, 70, 45, 58, 6, 6, 12, 8};
  add_nozzle(solid, lower[1], k_gauge, 80);
  add_nozzle(solid, lower[2], k_gauge, 80);
  add_manhole(solid, upper[1], 16);
  return solid.build();
}

Mesh drum() {
  Solid solid;
  constexpr double k_radius = 350, k_dish = 120, k_half = 680;
  const Vec3 pole = k_drum_middle - Vec3{k_half + k_dish, 0, 0};
  const double centre = k_dish + below_rim(k_radius, k_dish);
  solid.name("shell");
  Tip tip = solid.pole(facing_x(pole), {k_radius, k_dish, true, 0, centre, 5}, 28);
  tip = add_stiffener(solid, tip);
  solid.name("shell");
  // Up is a quarter turn from y. Heights count along x.
  const double x0 = tip.frame.origin.x, reach = k_nozzle - k_joint, leg_reach = k_drum_middle.z - 40;
  std::vector<Tip> ends;
  const Stub stubs[] = {{0.25, k_drum_inlet.x - x0, k_pipe.radius, reach, k_pipe.chords},
                        {0.25, 3000 - x0, 190, 480, 24},
                        {0.75, k_drum_outlet.x - x0, k_pipe.radius, reach, k_pipe.chords},
                        {0.75, 2250 - x0, 110, leg_reach, 16},
                        {0.75, 3150 - x0, 110, leg_reach, 16}};
  tip = solid.straight_with_stubs(tip, 2 * k_half - 60, stubs, ends);
  tip = add_stiffener(solid, tip);
  solid.name("shell");
  solid.close_dome(tip, {0, k_dish, true, 0, -below_rim(k_radius, k_dish), 5});
  add_nozzle(solid, ends[0], k_pipe, 150);
  add_manhole(solid, ends[1], 16);
  add_nozzle(solid, ends[2], k_pipe, 150);
  add_foot(solid, ends[3], 220, 8);
  add_foot(solid, ends[4], 220, 8);
  return solid.build();
}

}  // namespace snug::scenes::plant_parts
