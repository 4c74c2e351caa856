// Whole simulations: bodies come to rest, gain no energy, do not pass through one another, and threads do not show.

#include "physics/headless/world.hpp"
#include "physics/headless/judge.hpp"
#include "physics/headless/step_times.hpp"
#include "scenes/animals.hpp"
#include "scenes/bodies.hpp"
#include "scenes/solids.hpp"
#include "scenes/worlds.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace snug::headless {
namespace {

/// Bunnies above one another, each turned otherwise.
WorldScene pile(std::uint32_t count) {
  WorldScene scene{.name = "pile", .assembly = Assembly(LengthUnit::metre), .bodies = {}};
  (void)scene.assembly.add({"ground", scenes::box({-10, -10, -1}, {10, 10, 0}), {}}).value();
  scene.bodies.push_back({.fixed = true, .velocity = {}, .spin = {}, .at = std::nullopt});
  const Mesh mesh = scenes::falling_body(scenes::bunny(453), 0.5);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Pose pose =
        compose(translation(0.12 * (i % 3), 0.1 * (i % 2), 0.5 + 0.95 * i), rotation({1.0 + i, 2, 1}, 0.8 * i));
    (void)scene.assembly.add({"body " + std::to_string(i), mesh, pose}).value();
    scene.bodies.push_back({.velocity = {}, .spin = {}, .at = std::nullopt});
  }
  return scene;
}

Interpenetration judged(const WorldScene& scene, const World& world) {
  std::vector<Pose> poses;
  world.poses(poses);
  return Judge(scene).judge(poses, std::vector<bool>(poses.size(), true), 1);
}

TEST(World, AConcavePileComesToRestAndGainsNoEnergy) {
  const WorldScene scene = pile(3);
  World world(scene, {});
  double most = 0, deepest = 0;
  const double start = [&] {
    world.step();
    return world.energy();
  }();
  for (int i = 0; i < 360; ++i) {
    world.step();
    most = std::max(most, world.energy());
    std::vector<WorldContact> contacts;
    world.contacts(contacts);
    for (const WorldContact& contact : contacts) deepest = std::max(deepest, contact.depth);
  }
  EXPECT_LT(most, 1.001 * start) << "energy has grown";
  EXPECT_LT(world.fastest(), 0.05) << "still moving after 6 s";
  EXPECT_LT(deepest, 0.25);  // at the impact: a body falls by up to 0.15 in a step
  std::vector<Pose> poses;
  world.poses(poses);
  const Mesh& mesh = scene.assembly.parts()[1].mesh;
  for (std::size_t i = 1; i < poses.size(); ++i)
    for (const Point3& p : mesh.vertices()) EXPECT_GT(poses[i].apply(p).z, -0.02) << "in the ground: body " << i;
  // At rest they overlap by less than a thousandth of their volume.
  EXPECT_LT(judged(scene, world).volume, 1e-3 * 3 * 0.1);
}

TEST(World, AnAlignedStackOfCubesStands) {
  WorldScene scene{.name = "stack", .assembly = Assembly(LengthUnit::metre), .bodies = {}};
  const Mesh cube = scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
  for (int i = 0; i < 4; ++i) {
    (void)scene.assembly.add({"cube " + std::to_string(i), cube, translation(0, 0, 1.01 * i)}).value();
    scene.bodies.push_back({.fixed = i == 0, .velocity = {}, .spin = {}, .at = std::nullopt});
  }
  World world(scene, {});
  for (int i = 0; i < 300; ++i) world.step();
  std::vector<Pose> poses;
  world.poses(poses);
  for (std::size_t i = 1; i < poses.size(); ++i) {
    const Vec3& at = poses[i].translation();
    EXPECT_NEAR(at.z, static_cast<double>(i), 0.01);
    EXPECT_LT(std::hypot(at.x, at.y), 0.05) << i;
  }
}

TEST(World, NothingTunnelsAtModerateSpeed) {
  // 15 m/s at 60 Hz: a quarter of a metre in a step, half of the body's radius.
  WorldScene scene = pile(1);
  scene.bodies[1].velocity = {0, 0, -15};
  (void)scene.assembly.add({"disc", scenes::cylinder(0.5, 0.3, 24), translation(4, 0, 3)}).value();
  scene.bodies.push_back({.velocity = {0, 0, -15}, .spin = {3, 0, 0}, .at = std::nullopt});
  World world(scene, {});
  for (int i = 0; i < 120; ++i) world.step();
  std::vector<Pose> poses;
  world.poses(poses);
  EXPECT_GT(poses[1].translation().z, 0);
  EXPECT_GT(poses[2].translation().z, -0.02);
  EXPECT_LT(world.energy(), 1e5);
}

TEST(World, UnitsMakeNoDifference) {
  const auto height = [](LengthUnit unit, double per_metre) {
    WorldScene scene{.name = "drop", .assembly = Assembly(unit), .bodies = {}, .gravity = {0, 0, -9.81 * per_metre}};
    const double m = per_metre;
    (void)scene.assembly.add({"ground", scenes::box({-5 * m, -5 * m, -1 * m}, {5 * m, 5 * m, 0}), {}}).value();
    (void)scene.assembly.add({"ball", scenes::sphere(0.5 * m, 8, 12), translation(0, 0, 1 * m)}).value();
    scene.bodies = {{.fixed = true, .velocity = {}, .spin = {}, .at = {}}, {.velocity = {}, .spin = {}, .at = {}}};
    World world(scene, {});
    for (int i = 0; i < 120; ++i) world.step();
    std::vector<Pose> poses;
    world.poses(poses);
    return poses[1].translation().z / m;
  };
  EXPECT_NEAR(height(LengthUnit::metre, 1), height(LengthUnit::millimetre, 1000), 1e-3);
}

TEST(World, BodiesAreReleasedWhenTheirTimeHasCome) {
  WorldScene scene = pile(2);
  scene.bodies[2].release = 0.5;
  scene.bodies[2].at = translation(5, 0, 3);
  World world(scene, {});
  for (int i = 0; i < 30; ++i) world.step();
  EXPECT_FALSE(world.present(2));
  EXPECT_EQ(world.moving(), 1U);
  world.step();
  EXPECT_TRUE(world.present(2));
  std::vector<Pose> poses;
  world.poses(poses);
  EXPECT_NEAR(poses[2].translation().z, 3, 0.01);
}

TEST(Judge, KnowsTheVolumeOfTwoBoxes) {
  WorldScene scene{.name = "boxes", .assembly = Assembly(LengthUnit::metre), .bodies = {}};
  for (const char* name : {"a", "b", "c"}) {
    (void)scene.assembly.add({name, scenes::box({0, 0, 0}, {1, 1, 1}), {}}).value();
    scene.bodies.push_back({.velocity = {}, .spin = {}, .at = std::nullopt});
  }
  Judge judge(scene);
  const std::vector<bool> all(3, true);
  const std::vector<Pose> apart{{}, translation(0.75, 0.5, 0), translation(5, 0, 0)};
  EXPECT_NEAR(judge.judge(apart, all, 1).volume, 0.25 * 0.5, 1e-12);
  EXPECT_EQ(judge.judge(apart, all, 2).pairs, 1U);  // remembered
  EXPECT_EQ(judge.judge(apart, {true, false, true}, 1).pairs, 0U);
  const std::vector<Pose> touching{{}, translation(1, 0, 0), translation(5, 0, 0)};
  const Interpenetration flush = judge.judge(touching, all, 1);
  EXPECT_LE(flush.volume, flush.error + 1e-15);
}

class SceneFile : public testing::Test {
 protected:
  SceneFile() : folder_(std::filesystem::path(testing::TempDir()) / "snug_scene_file") {
    std::filesystem::create_directories(folder_);
  }
  ~SceneFile() override { std::filesystem::remove_all(folder_); }
  Result<WorldScene, IoError> read(const std::string& text) {
    std::ofstream(folder_ / "scene.json") << text;
    return read_scene(folder_ / "scene.json");
  }
  /// The message for a scene with one body of these keys.
  std::string refused(const std::string& body) {
    const auto scene = read(R"({"schema":"snug.scene/1","units":"m","bodies":[{)" + body + "}]}");
    return scene ? "" : scene.error().message();
  }
  std::filesystem::path folder_;
};

TEST_F(SceneFile, IsReadWithAllItSays) {
  std::ofstream(folder_ / "tri.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  const auto scene =
      read(R"({"schema":"snug.scene/1","units":"mm","name":"two","rate_hz":120,"duration":2,"gravity":[0,-9810,0],
    "bodies":[{"name":"floor","box":[100,10,100],"fixed":true,"position":[0,-5,0]},
              {"name":"wedge","file":"tri.obj","density":7800,"friction":0.2,"restitution":0.5,"velocity":[1,2,3],"spin":[0,0,1],
               "release":0.25,"rotation":[0,1,0,0]}]})");
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(scene->name, "two");
  EXPECT_EQ(scene->rate_hz, 120);
  EXPECT_EQ(scene->gravity, (Vec3{0, -9810, 0}));
  ASSERT_EQ(scene->bodies.size(), 2U);
  EXPECT_TRUE(scene->bodies[0].fixed);
  EXPECT_EQ(scene->bodies[1].density, 7800);
  EXPECT_EQ(scene->bodies[1].release, 0.25);
  EXPECT_EQ(scene->assembly.parts()[1].mesh.triangles().size(), 4U);
  EXPECT_EQ(scene->assembly.parts()[0].mesh.bounds().lo, (Point3{-50, -5, -50}));
}

TEST_F(SceneFile, ErrorsNameTheElement) {
  for (const auto& [body, words] : std::initializer_list<std::pair<const char*, const char*>>{
           {R"("box":[1,1,1])", "body 1: has no name"},
           {R"("name":"a")", "body 1 ('a'): needs either a 'file' or a 'box'"},
           {R"("name":"a","box":[1,1,0])", "'box' must be three lengths above zero"},
           {R"("name":"a","box":[1,1,1],"colour":1)", "has the unknown key 'colour'"},
           {R"("name":"a","box":[1,1,1],"density":-1)", "'density' must be a number"},
           {R"("name":"a","box":[1,1,1],"rotation":[0,0,0,0])", "body 1 ('a')"},
           {R"("name":"a","box":[1,1,1],"position":[0,0])", "'position' must be three numbers"},
           {R"("name":"a","box":[1,1,1],"fixed":1)", "'fixed' must be true or false"},
           {R"("name":"a","file":"none.obj")", "body 1 ('a')"},
           {R"("name":"a","file":"../none.obj")", "leaves the folder"},
           {R"("name":"a","file":"/none.obj")", "leaves the folder"},
           {R"("name":"a","box":[1,1,1]},{"name":"a","box":[1,1,1])", "body 2 ('a')"}})
    EXPECT_NE(refused(body).find(words), std::string::npos) << body << " told: " << refused(body);
  EXPECT_FALSE(read("{}"));
  EXPECT_FALSE(read(R"({"schema":"snug.scene/1","units":"m","bodies":[]})"));
  EXPECT_FALSE(read(R"({"schema":"snug.scene/1","units":"parsec","bodies":[{"name":"a","box":[1,1,1]}]})"));
  EXPECT_FALSE(read(R"({"schema":"snug.scene/1","units":"m","rate_hz":0,"bodies":[{"name":"a","box":[1,1,1]}]})"));
  EXPECT_FALSE(read_scene(folder_ / "absent.json"));
  EXPECT_FALSE(read_scene(folder_));
}

TEST(StepTimes, AreThoseOfASortedList) {
  StepTimes times;
  EXPECT_EQ(times.mean(), 0);
  EXPECT_EQ(times.p99(), 0);
  std::vector<double> all;
  double sum = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    const double seconds = 1e-6 * std::exp(0.01 * static_cast<double>(i * 617 % 1000));
    times.add(seconds);
    all.push_back(seconds);
    sum += seconds;
    std::ranges::sort(all);
    const double p99 = all[(all.size() * 99 + 99) / 100 - 1];
    ASSERT_NEAR(times.p99(), p99, 0.006 * p99) << i;
  }
  EXPECT_NEAR(times.mean(), sum / 1000, 1e-12);
  times.add(1e12);  // beyond every bucket
  times.add(0);
  EXPECT_EQ(times.count(), 1002U);
}

TEST(World, ThreadsDoNotShow) {
  const WorldScene scene = pile(3);
  std::string hash;
  for (const unsigned threads : {1U, 2U, 4U, 8U}) {
    World world(scene, {.threads = threads});
    for (std::uint64_t i = 0; i < std::max<std::uint64_t>(50, test::scaled(200)); ++i) world.step();
    if (hash.empty()) hash = world.state_hash();
    EXPECT_EQ(world.state_hash(), hash) << threads << " threads";
  }
}

}  // namespace
}  // namespace snug::headless
