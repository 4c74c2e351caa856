// The GLB writer, and round trips of random assemblies through GLB and PLY.
#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "unit/io_gltf_builder.hpp"

#include <snug/io.hpp>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>

namespace snug {
namespace {

using test::Glb;
using test::Gltf;
using test::TempDir;
using Code = IoError::Code;

/// Coordinates that single precision holds, unused vertices, empty and unnamed surfaces, triangles in any order.
Mesh any_mesh(scenes::Random& random) {
  MeshInput input;
  for (std::uint64_t i = 0, n = 3 + random.below(20); i < n; ++i) {
    const auto number = [&] { return static_cast<double>(static_cast<float>(random.uniform(-1e3, 1e3))); };
    const double x = number(), y = number();
    input.vertices.push_back({x, y, random.below(4) == 0 ? -0.0 : number()});
  }
  const auto corner = [&] { return static_cast<std::uint32_t>(random.below(input.vertices.size())); };
  for (std::uint64_t i = 0, n = 1 + random.below(30); i < n; ++i) {
    const std::uint32_t a = corner(), b = corner();
    input.triangles.push_back({a, b, corner()});
  }
  if (random.below(4) != 0) {
    constexpr std::string_view k_names[] = {"", "a", "a", "quoted \"name\"", "back\\slash", "Größe", "100 %25"};
    const bool sorted = random.below(2) == 0;
    for (std::uint64_t i = 0, n = 1 + random.below(6); i < n; ++i)
      input.surfaces.push_back({std::string(k_names[random.below(std::size(k_names))]),
                                static_cast<SurfaceKind>(random.below(7)),
                                {0.5 * static_cast<double>(random.below(3)), random.below(2) == 0}});
    for (std::size_t i = 0; i < input.triangles.size(); ++i)
      input.surface_of_triangle.push_back(static_cast<std::uint32_t>(random.below(input.surfaces.size())));
    if (sorted) std::ranges::sort(input.surface_of_triangle);
  }
  return Mesh::build(std::move(input)).value();
}

Assembly any_assembly(scenes::Random& random, bool posed) {
  Assembly assembly(LengthUnit::metre);
  std::vector<Mesh> meshes;
  for (std::uint64_t i = 0, n = 1 + random.below(5); i < n; ++i) {
    if (meshes.empty() || random.below(3) != 0) meshes.push_back(any_mesh(random));
    const Pose pose = posed && random.below(3) != 0
                          ? compose(translation(random.uniform(-9, 9), random.uniform(-9, 9), 1),
                                    rotation({1, 2, random.uniform(-1, 1)}, random.uniform(-3, 3)))
                          : Pose{};
    (void)assembly.add({"tree/part " + std::to_string(i), meshes[random.below(meshes.size())], pose}).value();
  }
  return assembly;
}

void expect_same(const Assembly& before, const Assembly& after) {
  ASSERT_EQ(before.parts().size(), after.parts().size());
  for (std::size_t i = 0; i < before.parts().size(); ++i) {
    const Part &a = before.parts()[i], &b = after.parts()[i];
    EXPECT_EQ(a.path, b.path);
    EXPECT_EQ(a.pose, b.pose);
    ASSERT_EQ(a.mesh.vertices().size(), b.mesh.vertices().size());
    EXPECT_EQ(std::memcmp(a.mesh.vertices().data(), b.mesh.vertices().data(), a.mesh.vertices().size_bytes()), 0);
    ASSERT_TRUE(std::ranges::equal(a.mesh.triangles(), b.mesh.triangles()));
    for (std::uint32_t t = 0; t < a.mesh.triangles().size(); ++t) ASSERT_EQ(a.mesh.surface_of(t), b.mesh.surface_of(t));
    EXPECT_TRUE(std::ranges::equal(a.mesh.surfaces(), b.mesh.surfaces()));
  }
}

TEST_F(Glb, RoundTripKeepsPosesInstancesAndAllIds) {
  const TempDir dir;
  for (std::uint64_t seed = 0, n = test::scaled(300); seed < n; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const Assembly before = any_assembly(random, true);
    save(before, dir.path() / "x.glb").value();
    const auto after = test::load_assembly(dir.path() / "x.glb");
    ASSERT_TRUE(after) << after.error().message();
    expect_same(before, *after);
    EXPECT_EQ(before.distinct_meshes(), after->distinct_meshes());
    EXPECT_TRUE(after->problems().empty());
  }
}

TEST(Ply, RoundTripOfAnyAssembly) {
  const TempDir dir;
  for (std::uint64_t seed = 0, n = test::scaled(300); seed < n; ++seed) {
    SCOPED_TRACE(seed);
    scenes::Random random(seed);
    const Assembly before = any_assembly(random, false);
    save(before, dir.path() / "x.ply", {.ascii = seed % 2 == 0}).value();
    const auto after = test::load_assembly(dir.path() / "x.ply", {.units = LengthUnit::metre});
    ASSERT_TRUE(after) << after.error().message();
    expect_same(before, *after);
    EXPECT_TRUE(after->problems().empty());
  }
}

TEST_F(Glb, IsInMetresAndSinglePrecisionForOthers) {
  const TempDir dir;
  Assembly before(LengthUnit::inch);
  (void)before.add({"box", scenes::box({0, 0, 0}, {1, 2, 3}), translation(10, 0, 0)}).value();
  save(before, dir.path() / "x.glb").value();
  std::string bytes = test::slurp(dir.path() / "x.glb");
  for (std::size_t at = bytes.find("\"snug\":{"); at != std::string::npos; at = bytes.find("\"snug\":{"))
    bytes.replace(at, 6, "\"else\"");  // as readers see it that do not know our notes
  const Assembly after = test::load_assembly(dir.write("y.glb", bytes)).value();
  EXPECT_EQ(after.units(), LengthUnit::metre);
  EXPECT_EQ(after.parts()[0].pose.translation().x, 0.254);
  EXPECT_EQ(after.parts()[0].mesh.bounds().hi,
            (Point3{static_cast<double>(0.0254F), static_cast<double>(0.0508F), static_cast<double>(0.0762F)}));
}

TEST_F(Glb, RefusesWhatItCannotHold) {
  const TempDir dir;
  Assembly before(LengthUnit::metre);
  (void)before.add({"far", scenes::box({0, 0, 0}, {1, 1, 1e40}), {}}).value();
  const auto written = save(before, dir.path() / "x.glb");
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().code, Code::too_large);
  EXPECT_NE(written.error().message().find("single precision"), std::string::npos);
  EXPECT_EQ(dir.file_count(), 0U);
}

TEST_F(Glb, NamesThatAreNotUtf8AreMadeSo) {
  const TempDir dir;
  Assembly before(LengthUnit::metre);
  (void)before.add({"a\xFF\xC3\xA9\xED\xA0\x80", scenes::box({0, 0, 0}, {1, 1, 1}), {}}).value();
  save(before, dir.path() / "x.glb").value();
  const Assembly after = test::load_assembly(dir.path() / "x.glb").value();
  EXPECT_EQ(after.parts()[0].path, "a\uFFFD\u00E9\uFFFD\uFFFD\uFFFD");
}

TEST_F(Glb, NotesThatDoNotFitAreIgnoredAndListed) {
  test::GltfBuilder builder;
  const auto p = builder.positions({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  const auto ids = builder.indices<std::uint32_t>({7});
  builder.mesh(
      test::GltfBuilder::primitive(p, R"(,"extras":{"snug":{"surface":3,"triangles":)" + std::to_string(ids) + "}}"),
      R"(,"extras":{"snug":{"surfaces":[{"name":"one"}]}})");
  builder.nodes = {R"({"mesh":0})"};
  const auto read = test::read_bytes(FileFormat::gltf, builder.glb()).value();
  EXPECT_EQ(read.parts()[0].mesh.surfaces()[0].name, "primitive 0");
  EXPECT_EQ(read.problems().size(), 2U);
}

TEST_F(Glb, ReportsProgressAndCanBeCancelled) {
  const TempDir dir;
  Assembly assembly(LengthUnit::metre);
  (void)assembly.add({"knot", scenes::bumpy_knot(400, 200), {}}).value();
  const auto path = dir.path() / "knot.glb";
  std::vector<double> seen;
  const auto note = [&](double share) { seen.push_back(share); };
  save(assembly, path, {.progress = note}).value();
  ASSERT_GT(seen.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.back(), 1);
  seen.clear();
  ASSERT_TRUE(test::load_assembly(path, {.progress = note}).has_value());
  ASSERT_GT(seen.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.back(), 1);

  CancelToken cancel;
  const auto stop = [&](double share) { share > 0.3 ? cancel.cancel() : void(); };
  const auto read = test::load_assembly(path, {.progress = stop, .cancel = &cancel});
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, Code::cancelled);
  const auto written = save(assembly, dir.path() / "never.glb", {.cancel = &cancel});
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().code, Code::cancelled);
  EXPECT_EQ(dir.file_count(), 1U);
}

TEST_F(Gltf, ProgressNeverFallsOverSeveralFiles) {
  const TempDir dir;
  test::GltfBuilder builder;
  builder.corner();
  dir.write("a.bin", builder.binary);
  std::vector<double> seen;
  ASSERT_TRUE(test::load_assembly(dir.write("m.gltf", builder.external("a.bin")),
                                  {.progress = [&](double share) { seen.push_back(share); }})
                  .has_value());
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.back(), 1);
}

TEST_F(Glb, KeepsAnalyticSurfacesTolerancesAndColours) {
  const test::TempDir dir;
  const Mesh pipe = scenes::pipe(5, 3, 10, 24);
  MeshInput input{{pipe.vertices().begin(), pipe.vertices().end()},
                  {pipe.triangles().begin(), pipe.triangles().end()},
                  {pipe.surfaces().begin(), pipe.surfaces().end()},
                  {}};
  for (std::uint32_t t = 0; t < input.triangles.size(); ++t) input.surface_of_triangle.push_back(pipe.surface_of(t));
  input.surfaces[0].tolerance = 0.25;
  input.surfaces[1].color = Rgba{1, 2, 3, 128};
  const Mesh mesh = Mesh::build(std::move(input)).value();
  Assembly assembly(LengthUnit::metre);
  (void)assembly.add({"red", mesh, {}, Rgba{255, 0, 0, 255}});
  (void)assembly.add({"plain", mesh, translation(20, 0, 0)});
  ASSERT_TRUE(save(assembly, dir.path() / "a.glb"));
  const auto again = test::load_assembly(dir.path() / "a.glb");
  ASSERT_TRUE(again) << again.error().message();
  ASSERT_EQ(again->parts().size(), 2U);
  EXPECT_EQ(again->parts()[0].color, (Rgba{255, 0, 0, 255}));
  EXPECT_EQ(again->parts()[1].color, std::nullopt);
  EXPECT_TRUE(std::ranges::equal(again->parts()[0].mesh.surfaces(), mesh.surfaces()));

  // A form that is not valid is no form: here the axis has no length.
  std::string bytes = test::slurp(dir.path() / "a.glb");
  for (std::size_t at = bytes.find("\"axis\":[0,0,1]"); at != std::string::npos; at = bytes.find("\"axis\":[0,0,1]"))
    bytes.replace(at, 14, "\"axis\":[0,0,0]");
  const auto damaged = test::load_assembly(dir.write("b.glb", bytes));
  ASSERT_TRUE(damaged) << damaged.error().message();
  EXPECT_EQ(damaged->parts()[0].mesh.surfaces()[0].analytic, std::nullopt);
  EXPECT_EQ(damaged->parts()[0].mesh.surfaces()[0].kind, SurfaceKind::cylinder);
}

TEST(GlbWriter, RefusesAnimationsThatNoViewerCouldPlay) {
  const TempDir dir;
  Assembly assembly(LengthUnit::metre);
  (void)assembly.add({"a", scenes::box({0, 0, 0}, {1, 1, 1}), {}});
  const Animation good{{0, 0.5, 1}, {0}, {{}, translation(1, 0, 0), translation(2, 0, 0)}};
  ASSERT_TRUE(save(assembly, dir.path() / "good.glb", {.animation = &good}));
  constexpr double k_infinity = std::numeric_limits<double>::infinity();
  const auto refused = [&](const std::function<void(Animation&)>& spoil, const std::string& words) {
    Animation bad = good;
    spoil(bad);
    const auto saved = save(assembly, dir.path() / "bad.glb", {.animation = &bad});
    ASSERT_FALSE(saved) << words;
    EXPECT_EQ(saved.error().code, Code::invalid_option) << words;
    EXPECT_NE(saved.error().text.find(words), std::string::npos) << saved.error().text;
    EXPECT_FALSE(std::filesystem::exists(dir.path() / "bad.glb"));
  };
  for (const double time : {k_infinity, -k_infinity, std::numeric_limits<double>::quiet_NaN(), 1e39})
    refused([&](Animation& a) { a.times.back() = time; }, "time 2 is not finite or too large");
  refused([](Animation& a) { a.times[1] = 1; }, "time 2 is not later");
  refused([](Animation& a) { a.poses.pop_back(); }, "expected a pose of each part that moves for each time, found 2");
  refused([](Animation& a) { a.parts[0] = 1; }, "part 1 moves, and there are 1");
  refused([](Animation& a) { a.poses[1] = Pose::invalid(); }, "pose 1 is not valid");
}

}  // namespace
}  // namespace snug
