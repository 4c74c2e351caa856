// What each world says of itself holds: contacts and faults at rest, meetings on the way, and its very bits.

#include "scenes/fingerprint.hpp"
#include "worlds_support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

namespace snug {
namespace {

using test::world;

TEST(WorldsDesign, ChecksFindWhatIsDesignedAndNothingElse) {
  for (const char* name :
       {"headlight", "spheres-240", "spheres-960", "spheres-2048", "spheres-3968", "deforming-spheres", "avalanche",
        "fountain", "reaction", "knots", "peg", "thin-plate", "tool-and-box", "workbench"}) {
    SCOPED_TRACE(name);
    const scenes::Scene& scene = world(name);
    EXPECT_EQ(test::findings_of(scene), test::designed_in(scene));
  }
}

TEST(WorldsDesign, LatticesTouchAllOverAndClashWhereItIsPlanted) {
  for (const std::uint32_t size : {27U, 125U, 50U, 2U})
    for (const std::uint64_t seed : {1U, 2U}) {
      SCOPED_TRACE(testing::Message() << size << " parts, seed " << seed);
      const scenes::Scene& scene = world("lattice", {.seed = seed, .size = size});
      ASSERT_EQ(scene.assembly.parts().size(), size);
      EXPECT_EQ(test::findings_of(scene), test::designed_in(scene));
      const std::size_t pairs = scene.contacts.size() + scene.faults.size();
      if (size == 27) {
        EXPECT_EQ(pairs, 54U);
      }
      if (size == 125) {
        EXPECT_EQ(pairs, 300U);
      }
      EXPECT_EQ(scene.faults.size(), std::max<std::size_t>(1, (pairs + 50) / 100));
      if (size >= 50) {
        EXPECT_EQ(scene.assembly.distinct_meshes(), 10U);
      }
    }
}

TEST(WorldsDesign, LatticeFaultsAreAsDeepAsTold) {
  const scenes::Scene& scene = world("lattice");
  std::map<std::pair<std::string, std::string>, double> planted;
  for (const auto& fault : scene.faults) planted[{fault.a, fault.b}] = fault.amount;
  std::size_t seen = 0;
  for (const Finding& f : check(scene.assembly, {}).findings) {
    if (f.verdict != Verdict::clash) continue;
    ASSERT_TRUE(planted.contains({f.a.part, f.b.part}));
    ASSERT_TRUE(f.depth.has_value());
    const double amount = planted.at({f.a.part, f.b.part});
    EXPECT_LE(f.depth->lower, amount * (1 + 1e-9));
    EXPECT_GE(f.depth->upper, amount * (1 - 1e-9));
    EXPECT_LE(f.depth->upper, 1.01 * amount);
    ++seen;
  }
  EXPECT_EQ(seen, scene.faults.size());
}

/// Just before, at and after the ends of each meeting, and in the middle; elsewhere the parts do not overlap.
TEST(WorldsDesign, PartsMeetExactlyWhenTheyShould) {
  for (const char* name : {"reaction", "peg", "thin-plate", "tool-and-box"}) {
    SCOPED_TRACE(name);
    const scenes::Scene& scene = world(name);
    ASSERT_FALSE(scene.meetings.empty());
    const std::vector<Motion> motions = scenes::world_motions(scene);
    std::vector<Shape> shapes;
    for (const Part& part : scene.assembly.parts()) shapes.emplace_back(part.mesh);
    const double instant = 1e-6 * scene.duration;
    std::vector<double> times;
    for (int k = 0; k <= 40; ++k) times.push_back(scene.duration * k / 40);
    for (const auto& m : scene.meetings)
      for (const double t : {m.begin, m.end, (m.begin + m.end) / 2})
        for (const double shift : {-instant, 0.0, instant}) times.push_back(t + shift);
    for (const double t : times)
      for (std::uint32_t i = 0; i < shapes.size(); ++i)
        for (std::uint32_t j = i + 1; j < shapes.size(); ++j) {
          const std::string &a = scene.assembly.parts()[i].path, &b = scene.assembly.parts()[j].path;
          bool inside = false, border = false;
          for (const auto& m : scene.meetings) {
            if (std::minmax(m.a, m.b) != std::minmax(a, b)) continue;
            // After the end of the motion everything stays as it is.
            inside |= t > m.begin + instant / 2 && (t < m.end - instant / 2 || m.end == scene.duration);
            border |=
                std::abs(t - m.begin) <= instant / 2 || (std::abs(t - m.end) <= instant / 2 && m.end != scene.duration);
          }
          if (border) continue;
          const PairReport r = assess(shapes[i], motions[i].at(t), shapes[j], motions[j].at(t));
          // Overlaps smaller than the sags of round faces are no firm clash, but there is no firm touch either.
          const bool overlap = r.verdict >= Verdict::clash || (r.verdict == Verdict::touch && !r.firm && r.depth);
          EXPECT_EQ(overlap, inside) << a << " | " << b << " at " << t << ": " << to_string(r.verdict);
        }
  }
}

TEST(WorldsDesign, NoStepOfTheThinPlateShowsTheBall) {
  const scenes::Scene& scene = world("thin-plate");
  const auto motions = scenes::world_motions(scene);
  Scratch scratch;
  for (std::uint32_t step = 0; step < scene.steps; ++step)
    for (std::uint32_t ball : {1U, 2U}) {
      const double t = scenes::step_time(scene, step);
      EXPECT_FALSE(intersects(Shape(scene.assembly.parts()[0].mesh), motions[0].at(t),
                              Shape(scene.assembly.parts()[ball].mesh), motions[ball].at(t), scratch));
    }
}

TEST(WorldsDesign, SpheresMeetInTheLastOfSeventyTwoCycles) {
  for (const char* name : {"spheres-240", "spheres-960", "spheres-2048", "spheres-3968", "deforming-spheres"}) {
    SCOPED_TRACE(name);
    const scenes::Scene& scene = world(name);
    ASSERT_EQ(scene.steps, 72U);
    const auto motions = scenes::world_motions(scene);
    std::vector<VertexMotion> forms;
    for (const auto& deformation : scene.deformations) forms.push_back(VertexMotion::make(deformation.keys).value());
    Scratch scratch;
    for (std::uint32_t step = 0; step < scene.steps; ++step) {
      const double t = scenes::step_time(scene, step);
      std::vector<Shape> shapes;
      for (std::size_t i = 0; i < 2; ++i) {
        const Mesh& mesh = scene.assembly.parts()[i].mesh;
        MeshInput input{.vertices = {mesh.vertices().begin(), mesh.vertices().end()},
                        .triangles = {mesh.triangles().begin(), mesh.triangles().end()},
                        .surfaces = {},
                        .surface_of_triangle = {}};
        if (!forms.empty()) forms[i].at(t, input.vertices);
        shapes.emplace_back(Mesh::build(std::move(input)).value());
      }
      EXPECT_EQ(intersects(shapes[0], motions[0].at(t), shapes[1], motions[1].at(t), scratch), step == 71) << step;
    }
  }
}

TEST(WorldsDesign, DeformedSpheresStaySound) {
  const scenes::Scene& scene = world("deforming-spheres");
  ASSERT_EQ(scene.deformations.size(), 2U);
  for (const VertexKey& key : scene.deformations[0].keys) {
    SCOPED_TRACE(key.t);
    const Mesh& mesh = scene.assembly.parts()[0].mesh;
    const Mesh now = Mesh::build({.vertices = key.vertices,
                                  .triangles = {mesh.triangles().begin(), mesh.triangles().end()},
                                  .surfaces = {},
                                  .surface_of_triangle = {}})
                         .value();
    EXPECT_TRUE(inspect(now).clean());
    EXPECT_EQ(test::self_intersections(now), 0U);
  }
}

TEST(WorldsDesign, PassingPairsAreClearAtBothEndsAndCrossInBetween) {
  for (const char* name : {"headlight", "knots"}) {
    SCOPED_TRACE(name);
    const scenes::Scene& scene = world(name);
    const auto motions = scenes::world_motions(scene);
    const Shape shape(scene.assembly.parts()[0].mesh);
    Scratch scratch;
    std::size_t crossing = 0;
    for (std::uint32_t step = 0; step < scene.steps; ++step) {
      const double t = scenes::step_time(scene, step);
      const bool hit = intersects(shape, motions[0].at(t), shape, motions[1].at(t), scratch);
      if (step == 0 || step + 1 == scene.steps) {
        EXPECT_FALSE(hit);
      }
      crossing += hit ? 1U : 0U;
    }
    EXPECT_GT(crossing, scene.steps / 10);
  }
}

TEST(WorldsDesign, FountainReleasesTenASecondOfFourKindsClearOfTheOneBefore) {
  const scenes::Scene& scene = world("fountain");
  ASSERT_TRUE(scene.simulation.has_value());
  const auto& releases = scene.simulation->releases;
  ASSERT_EQ(releases.size(), 500U);
  EXPECT_EQ(scene.simulation->duration * 10, 500);
  std::map<std::size_t, int> count_by_triangles;
  Scratch scratch;
  std::map<std::size_t, Shape> shapes;
  for (const Mesh& mesh : test::distinct_meshes(scene)) shapes.emplace(mesh.triangles().size(), mesh);
  for (std::size_t i = 0; i < releases.size(); ++i) {
    EXPECT_DOUBLE_EQ(releases[i].t, static_cast<double>(i) / 10);
    const Mesh& mesh = scene.assembly.parts()[scene.assembly.find(releases[i].part).value()].mesh;
    ++count_by_triangles[mesh.triangles().size()];
    if (i == 0) continue;
    const Mesh& before = scene.assembly.parts()[scene.assembly.find(releases[i - 1].part).value()].mesh;
    EXPECT_FALSE(intersects(shapes.at(mesh.triangles().size()), releases[i].pose, shapes.at(before.triangles().size()),
                            releases[i - 1].pose, scratch));
  }
  EXPECT_EQ(count_by_triangles, (std::map<std::size_t, int>{{902, 125}, {2130, 125}, {3456, 125}, {3458, 125}}));
}

TEST(WorldsDesign, AvalancheHas512BodiesAndAGround) {
  const scenes::Scene& scene = world("avalanche");
  ASSERT_TRUE(scene.simulation.has_value());
  EXPECT_EQ(scene.assembly.parts().size(), 513U);
  EXPECT_EQ(scene.simulation->fixed, std::vector<std::string>{"ground"});
  EXPECT_EQ(scene.simulation->rate_hz, 60);
  EXPECT_EQ(scene.simulation->duration, 10);
  EXPECT_NE(scenes::fingerprint(scene), scenes::fingerprint(world("avalanche", {.seed = 2})));
}

/// The same bits on every machine and in every build.
TEST(WorldsDesign, FingerprintsAreThoseOfRecord) {
  const std::map<std::string, std::uint64_t> recorded{
      {"headlight", 0x0b549271fc904961},    {"spheres-240", 0x532e7f5a926525c6},
      {"spheres-960", 0x576fd072e620608f},  {"spheres-2048", 0xa8654898c4602e45},
      {"spheres-3968", 0xe581b33149470a77}, {"deforming-spheres", 0x3dd30efb1ab19998},
      {"avalanche", 0x95df0456ebf42d6a},    {"fountain", 0xbdd777a608015bdf},
      {"reaction", 0x4f5674f7af327aaf},     {"knots", 0x6b245c3fad075322},
      {"lattice", 0xb891b717541fbfef},      {"peg", 0xdf9039367f4d5ce6},
      {"thin-plate", 0xc2e93f7a6ed1639f},   {"tool-and-box", 0x6cff7fe39056697f},
  };
  for (const auto& [name, expected] : recorded) {
    const std::uint64_t now = scenes::fingerprint(world(name));
    EXPECT_EQ(now, expected) << name << " is now 0x" << std::hex << now;
  }
}

}  // namespace
}  // namespace snug
