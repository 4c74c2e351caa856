#include "scenes/digger.hpp"

#include "scenes/brep/solid.hpp"
#include "scenes/carry.hpp"

#include <initializer_list>
#include <vector>

// Millimetres; x forward, y to the left, z up. Each part's origin is the joint by which it hangs on the one before it.

namespace snug::scenes {

namespace {

using namespace brep;

constexpr double k_pin = 45, k_bush = 55;  // radii
constexpr std::uint32_t k_pin_chords = 24;

/// Profiles seen from the right: u forward, v up, extruded from the left (y = half the width) to the right.
Frame side_view(double width) { return {{0, width / 2, 0}, {1, 0, 0}, {0, 0, 1}, {0, -1, 0}}; }

/// Two ears on a flat face, apart along its v, with a pin between them.
struct Fork {
  Point2 centre;         // on the face
  double inner_half;     // half the free width between the ears
  double length, reach;  // along u, and out of the face
  double pin_height;     // of the pin's axis above the face
};
void add_fork(Solid& solid, FaceId on, const Fork& fork) {
  const double u0 = fork.centre.x - fork.length / 2, u1 = fork.centre.x + fork.length / 2;
  const double low = fork.centre.y - fork.inner_half, high = fork.centre.y + fork.inner_half;
  solid.name("ear");
  const Extrusion near_ear = solid.boss(on, bow({u1, low}, {u0, low}, 48, 12), fork.reach);
  const Extrusion far_ear = solid.boss(on, bow({u0, high}, {u1, high}, 48, 12), fork.reach);
  solid.name("pin");
  // The near ear's flat wall runs against u.
  solid.join(*near_ear.walls[0], circle({-fork.centre.x, fork.pin_height}, k_pin, k_pin_chords), *far_ear.walls[0]);
}

Mesh undercarriage() {
  Solid solid;
  constexpr double k_half_gauge = 450, k_track_width = 350;
  constexpr double k_sprocket_x = 800, k_axle_z = 260;
  const Outline track = slot({0, k_axle_z}, 2 * k_sprocket_x, k_axle_z, 14);
  const auto add_track = [&](double left_face, const char* name) {
    solid.name(name);
    const Frame frame{{0, left_face, 0}, {1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
    return solid.prism(frame, track, k_track_width);
  };
  const Extrusion left = add_track(k_half_gauge + k_track_width, "left track");
  const Extrusion right = add_track(-k_half_gauge, "right track");
  // Outer faces: the left track's base, whose v points down, and the right track's end.
  const auto add_hubs = [&](FaceId face, double up, const char* name) {
    solid.name(name);
    solid.boss(face, circle({k_sprocket_x, up * k_axle_z}, 170, 24), 25);
    solid.boss(face, circle({-k_sprocket_x, up * k_axle_z}, 130, 20), 25);
  };
  add_hubs(left.base, -1, "left hub");
  add_hubs(right.end, 1, "right hub");

  solid.name("crossbar");
  const Extrusion crossbar = solid.join(left.end, rectangle({-400, 200}, {400, 440}), right.base);
  solid.name("swing ring");
  // The upper wall runs backward: its u is -x, and its v counts from the left track's inner face.
  const Extrusion ring = solid.boss(*crossbar.walls[2], circle({0, k_half_gauge}, 350, 32), 120);
  solid.name("swing bearing");
  solid.boss(ring.end, circle({0, k_half_gauge}, 200, 24), -100);
  return solid.build();
}

Mesh swing_body() {
  Solid solid;
  solid.name("platform");
  const Corner corners[] = {{{-1100, -750}, 420, 10}, {{700, -750}}, {{700, 750}}, {{-1100, 750}, 420, 10}};
  const Extrusion platform = solid.prism(facing_z({0, 0, 0}), polygon(corners), 350);
  solid.name("king post");
  solid.boss(platform.base, circle({0, 0}, 190, 24), 90);
  solid.name("cab");
  const Outline roof = rectangle({-60, 260}, {470, 690});
  solid.boss(platform.end, rectangle({-120, 220}, {650, 730}), 1000, &roof);
  solid.name("hood");
  const Extrusion hood = solid.boss(platform.end, rectangle({-940, -580}, {-260, 580}), 380);
  solid.name("exhaust");
  solid.boss(hood.end, circle({-420, -420}, 55, 20), 300);
  add_fork(solid, platform.end, {{500, 0}, 135, 300, 450, 300});
  return solid.build();
}

Mesh boom() {
  Solid solid;
  solid.name("boom");
  const Corner corners[] = {{{60, -175}, 110, 8}, {{1150, 760}},          {{2200, 720}},
                            {{2200, 960}},        {{980, 1160}, 700, 12}, {{-175, 60}}};
  const Extrusion beam = solid.prism(side_view(240), polygon(corners), 240);
  solid.name("foot bush");
  solid.join(beam.end, circle({0, 0}, k_bush, 24), beam.base);
  // On the wall at the tip u is z and v counts from the left.
  const std::size_t tip = 3;
  add_fork(solid, *beam.walls[tip], {{840, 120}, 65, 200, 330, 240});
  return solid.build();
}

Mesh arm() {
  Solid solid;
  solid.name("arm");
  const Corner corners[] = {{{-330, -130}}, {{1180, -100}, 85, 8}, {{1180, 100}, 85, 8}, {{-20, 180}}};
  const Extrusion beam = solid.prism(side_view(110), polygon(corners), 110);
  solid.name("boom bush");
  solid.join(beam.end, circle({0, 0}, k_bush, 24), beam.base);
  solid.name("bucket bush");
  solid.join(beam.end, circle({1100, 0}, k_bush, 24), beam.base);
  return solid.build();
}

Mesh bucket() {
  Solid solid;
  solid.name("bucket");
  const Corner corners[] = {
      {{-250, -920}}, {{260, -940}, 250, 12}, {{500, -450}, 220, 12}, {{150, -150}}, {{-250, -150}}};
  const Extrusion shell = solid.prism(side_view(700), polygon(corners), 700);
  // On the open side u is -z, on the upper one -x; v counts from the left on both.
  const FaceId opening = *shell.walls[6], mount = *shell.walls[5];
  solid.name("inside");
  solid.boss(opening, rectangle({180, 30}, {830, 670}), -330);
  solid.name("tooth");
  for (const double v : {90.0, 350.0, 610.0}) {
    const Turn point[] = {{0, 160}};
    (void)solid.turned(solid.open(opening, {876, v}, 34, 17), point);
  }
  add_fork(solid, mount, {{0, 350}, 65, 200, 250, 150});
  return solid.build();
}

}  // namespace

Scene digger() {
  Scene scene;
  scene.name = "digger";
  const Vec3 swing{0, 0, 570}, foot = swing + Vec3{500, 0, 650}, elbow = foot + Vec3{2440, 0, 840};
  const Pose arm_pose = compose(translation(elbow.x, elbow.y, elbow.z), rotation({0, 1, 0}, 1.8));
  const Point3 wrist = arm_pose.apply({1100, 0, 0});
  constexpr Rgba k_black{60, 62, 66, 255}, k_yellow{232, 178, 40, 255}, k_grey{110, 112, 116, 255};
  const auto add = [&](const char* path, const Mesh& mesh, const Pose& pose, const Rgba& color) {
    (void)scene.assembly.add({path, mesh, pose, color}).value();
  };
  add("digger/undercarriage", undercarriage(), {}, k_black);
  add("digger/swing body", swing_body(), translation(swing.x, swing.y, swing.z), k_yellow);
  add("digger/boom", boom(), translation(foot.x, foot.y, foot.z), k_yellow);
  add("digger/arm", arm(), arm_pose, k_yellow);
  add("digger/bucket", bucket(), translation(wrist.x, wrist.y, wrist.z), k_grey);

  // From where it lies beside the machine each part is brought near in a sweep and then fitted slowly.
  const auto parts = scene.assembly.parts();
  double t = 0;
  const auto bring = [&](std::size_t part, std::initializer_list<Waypoint> way) {
    scene.tracks.push_back(carry(parts[part], t, std::vector(way)));
    t = end_of(scene.tracks.back());
  };
  bring(1, {{1, {-600, 0, 2600}}, {2, {0, 0, 160}}, {1, {}}});
  bring(2, {{0, {600, -2200, 900}}, {2, {0, -500, 260}}, {2, {0, 0, 260}}, {3, {}}});
  bring(3, {{0, {1500, -1800, 500}, {0, 1, 0}, 0.6}, {2, {300, 0, 320}, {0, 1, 0}, 0.6}, {2, {120, 0, 120}}, {2, {}}});
  bring(4, {{0, {1600, 0, 900}, {0, 1, 0}, -0.5}, {2, {0, -500, -40}}, {3, {}}});
  scene.duration = t + 1;
  // So many that 507 of them intersect, as in Table 1 of figueiredo.
  scene.steps = 1457;
  return scene;
}

}  // namespace snug::scenes
