#include "scenes/control_box.hpp"
#include "scenes/digger.hpp"
#include "scenes/plant.hpp"
#include "scenes/steps.hpp"

#include <snug/snug.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <set>

// The three assemblies of figueiredo's Table 1: what they are made of, what is to be found in them, how they move.

namespace snug {
namespace {

using scenes::Scene;

struct Expected {
  const char* name;
  Scene (*make)();
  std::size_t parts, surfaces, triangles;  // Table 1; triangles within 1 %
  std::uint32_t steps, intersecting;
  std::size_t distinct_meshes;
  std::uint64_t hash;
};
std::ostream& operator<<(std::ostream& out, const Expected& expected) { return out << expected.name; }

const Expected k_expected[] = {
    {"digger", scenes::digger, 5, 109, 2452, 1457, 507, 5, 0xb156b835f5190584U},
    {"control-box", scenes::control_box, 25, 1250, 25525, 1022, 980, 10, 0x21fe7b6c3783e94cU},
    {"plant", scenes::plant, 8, 1073, 24415, 271, 233, 8, 0xd5b73f445151dbe8U},
};

class PaperAssembly : public testing::TestWithParam<Expected> {
 protected:
  Scene scene = GetParam().make();
};

double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double length(const Vec3& a) { return std::sqrt(dot(a, a)); }
double area(const Triangle& t) { return length(cross(t[1] - t[0], t[2] - t[0])) / 2; }

/// Signed distance from a surface, and the direction out of it, as if it were not hollow.
struct Offset {
  double distance;
  Vec3 out;
};
Offset offset(SurfaceKind kind, const AnalyticSurface& form, const Point3& p) {
  const Vec3 from = p - form.origin;
  const double along = dot(from, form.axis);
  const Vec3 radial = from - along * form.axis;
  const double r = length(radial);
  const auto unit = [](const Vec3& v) { return length(v) > 0 ? (1 / length(v)) * v : v; };
  switch (kind) {
    case SurfaceKind::plane:
      return {along, form.axis};
    case SurfaceKind::cylinder:
      return {r - form.radius, unit(radial)};
    case SurfaceKind::sphere:
      return {length(from) - form.radius, unit(from)};
    case SurfaceKind::cone: {
      const double c = std::cos(form.half_angle), s = std::sin(form.half_angle);
      return {(r - form.radius) * c - along * s, c * unit(radial) - s * form.axis};
    }
    case SurfaceKind::torus: {
      const Vec3 tube = from - form.radius * unit(radial);
      return {length(tube) - form.minor_radius, unit(tube)};
    }
    default:
      std::abort();
  }
}

TEST_P(PaperAssembly, HasTheCountsOfTheTable) {
  std::size_t surfaces = 0, triangles = 0;
  for (const Part& part : scene.assembly.parts()) {
    surfaces += part.mesh.surfaces().size();
    triangles += part.mesh.triangles().size();
  }
  EXPECT_EQ(scene.name, GetParam().name);
  EXPECT_EQ(scene.assembly.parts().size(), GetParam().parts);
  EXPECT_EQ(surfaces, GetParam().surfaces);
  EXPECT_LE(triangles > GetParam().triangles ? triangles - GetParam().triangles : GetParam().triangles - triangles,
            GetParam().triangles / 100)
      << triangles;
  EXPECT_EQ(scene.assembly.distinct_meshes(), GetParam().distinct_meshes);
  EXPECT_EQ(scene.assembly.units(), LengthUnit::millimetre);
}

TEST_P(PaperAssembly, IsMadeOfClosedSolidsThatFaceOutward) {
  for (const Part& part : scene.assembly.parts()) {
    SCOPED_TRACE(part.path);
    const MeshReport report = inspect(part.mesh);
    EXPECT_TRUE(report.clean());
    EXPECT_TRUE(report.closed);
    EXPECT_EQ(report.shells, 1U);
    EXPECT_TRUE(part.color);
  }
}

/// Triangles of one part meet in common corners or not at all: bosses stand clear of one another, pockets do not break out.
TEST_P(PaperAssembly, PartsDoNotMeetThemselves) {
  Scratch scratch;
  for (const Part& part : scene.assembly.parts()) {
    const Shape shape(part.mesh);
    std::size_t bad = 0;
    for (const TrianglePair& pair : triangle_pairs(shape, {}, shape, {}, scratch)) {
      const Index3 &a = part.mesh.triangles()[pair.a], &b = part.mesh.triangles()[pair.b];
      const bool neighbours =
          std::ranges::any_of(a, [&](std::uint32_t v) { return std::ranges::find(b, v) != b.end(); });
      bad += pair.a != pair.b && (!neighbours || pair.relation == Relation::crossing) ? 1 : 0;
      if (bad == 1 && pair.a != pair.b && !neighbours)
        ADD_FAILURE() << part.path << ": " << part.mesh.surfaces()[part.mesh.surface_of(pair.a)].name << " meets "
                      << part.mesh.surfaces()[part.mesh.surface_of(pair.b)].name;
    }
    EXPECT_EQ(bad, 0U) << part.path;
  }
}

TEST_P(PaperAssembly, HasNoPadding) {
  for (const Part& part : scene.assembly.parts()) {
    std::vector<double> areas(part.mesh.surfaces().size());
    double whole = 0;
    for (std::uint32_t t = 0; t < part.mesh.triangles().size(); ++t) {
      const double a = area(part.mesh.view().triangle(t));
      areas[part.mesh.surface_of(t)] += a;
      whole += a;
    }
    std::set<std::string> names;
    for (std::uint32_t s = 0; s < areas.size(); ++s) {
      SCOPED_TRACE(part.path + ": " + part.mesh.surfaces()[s].name);
      EXPECT_TRUE(part.mesh.triangles_of(s).size() >= 3 || areas[s] > 1e-4 * whole);
      EXPECT_TRUE(names.insert(part.mesh.surfaces()[s].name).second) << "name used twice";
    }
  }
}

/// Corners lie on the face's analytic surface, everything else no further from it than the sag, on the right side.
TEST_P(PaperAssembly, LiesOnItsAnalyticSurfaces) {
  std::set<SurfaceKind> kinds;
  for (const Part& part : scene.assembly.parts()) {
    const Mesh& mesh = part.mesh;
    const double size = length(mesh.bounds().hi - mesh.bounds().lo) + length(mesh.bounds().lo);
    for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) {
      const Surface& surface = mesh.surfaces()[s];
      SCOPED_TRACE(part.path + ": " + surface.name);
      kinds.insert(surface.kind);
      ASSERT_TRUE(is_analytic(surface.kind) && surface.analytic);
      ASSERT_TRUE(is_valid(surface.kind, *surface.analytic));
      EXPECT_FALSE(surface.sag.estimated);
      double furthest = 0, off = 0, facing = 1;
      for (const std::uint32_t t : mesh.triangles_of(s)) {
        const Triangle triangle = mesh.view().triangle(t);
        for (const Point3& corner : triangle.corner)
          off = std::max(off, std::fabs(offset(surface.kind, *surface.analytic, corner).distance));
        constexpr int k_grid = 6;
        for (int i = 0; i <= k_grid; ++i)
          for (int j = 0; i + j <= k_grid; ++j) {
            const double u = i / double(k_grid), v = j / double(k_grid);
            const Point3 p = triangle[0] + u * (triangle[1] - triangle[0]) + v * (triangle[2] - triangle[0]);
            furthest = std::max(furthest, std::fabs(offset(surface.kind, *surface.analytic, p).distance));
          }
        const Vec3 normal = (0.5 / area(triangle)) * cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
        const Point3 middle = (1.0 / 3) * (triangle[0] + triangle[1] + triangle[2]);
        const double turn = surface.kind != SurfaceKind::plane && surface.analytic->hollow ? -1 : 1;
        facing = std::min(facing, turn * dot(normal, offset(surface.kind, *surface.analytic, middle).out));
      }
      EXPECT_LT(off, 1e-13 * size);
      EXPECT_LE(furthest, surface.sag.value + 1e-13 * size);
      EXPECT_GT(facing, surface.kind == SurfaceKind::plane ? 1 - 1e-9 : 0.5);
      if (surface.kind == SurfaceKind::plane) {
        EXPECT_EQ(surface.sag.value, 0);
      }
      // A bound that says something: of single curvature it is the chord's sag itself.
      if (surface.kind == SurfaceKind::cylinder || surface.kind == SurfaceKind::cone) {
        EXPECT_LT(surface.sag.value, 1.2 * furthest);
      }
    }
  }
  EXPECT_GE(kinds.size(), 3U);
}

TEST_P(PaperAssembly, HoldsExactlyWhatItsDesignerKnows) {
  struct Known {
    std::string a, b;
    Verdict verdict;
    auto operator<=>(const Known&) const = default;
  };
  std::vector<Known> known, found;
  for (const auto& contact : scene.contacts) known.push_back({contact.a, contact.b, contact.verdict});
  for (const auto& fault : scene.faults) known.push_back({fault.a, fault.b, fault.verdict});
  const CheckReport report = check(scene.assembly, {.tolerances = {.clearance = scene.clearance}});
  EXPECT_TRUE(report.coverage.complete);
  for (const Finding& finding : report.findings) {
    found.push_back({finding.a.part, finding.b.part, finding.verdict});
    EXPECT_TRUE(finding.firm) << finding.a.part << " / " << finding.b.part;
  }
  std::ranges::sort(known);
  std::ranges::sort(found);
  ASSERT_EQ(found.size(), known.size());
  for (std::size_t i = 0; i < known.size(); ++i)
    EXPECT_EQ(found[i], known[i]) << known[i].a << " / " << known[i].b << " " << to_string(known[i].verdict)
                                  << ", found " << found[i].a << " / " << found[i].b << " "
                                  << to_string(found[i].verdict);
  for (const auto& fault : scene.faults) {
    const auto finding = std::ranges::find_if(
        report.findings, [&](const Finding& f) { return f.a.part == fault.a && f.b.part == fault.b; });
    ASSERT_NE(finding, report.findings.end());
    EXPECT_FALSE(fault.what.empty());
    if (fault.verdict == Verdict::near) {
      EXPECT_NEAR(finding->gap.value(), fault.amount, 1e-9);
    }
    if (fault.verdict != Verdict::clash) continue;
    EXPECT_NEAR(finding->depth.value().lower, fault.amount, 1e-3);
    EXPECT_NEAR(finding->depth.value().upper, fault.amount, 1e-3);
  }
}

TEST_P(PaperAssembly, IntersectsInAsManyStepsAsInTheTable) {
  const std::vector<bool> steps = scenes::intersecting_steps(scene);
  ASSERT_EQ(steps.size(), GetParam().steps);
  EXPECT_EQ(std::ranges::count(steps, true), GetParam().intersecting);
  EXPECT_FALSE(steps.front());
  EXPECT_FALSE(steps.back());
  // All parts but the one that the others are mounted to move, and at some time stand where the assembly has them.
  EXPECT_EQ(scene.tracks.size(), scene.assembly.parts().size() - 1);
  for (const scenes::MotionTrack& track : scene.tracks) {
    SCOPED_TRACE(track.part);
    EXPECT_GE(track.keys.front().t, 0);
    EXPECT_LE(track.keys.back().t, scene.duration);
    EXPECT_TRUE(std::ranges::any_of(track.keys, [](const PoseKey& key) { return key.pose == Pose{}; }));
  }
  EXPECT_EQ(scenes::step_time(scene, 0), 0);
  EXPECT_EQ(scenes::step_time(scene, scene.steps - 1), scene.duration);
}

TEST_P(PaperAssembly, HasTheSameBitsEverywhere) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto add = [&](std::uint64_t bits) {
    for (int i = 0; i < 8; ++i) hash = (hash ^ (bits >> (8 * i) & 0xffU)) * 0x100000001b3U;
  };
  const auto add_pose = [&](const Pose& pose) {
    const Quaternion q = pose.rotation();
    const Vec3 t = pose.translation();
    for (const double x : {q.w, q.x, q.y, q.z, t.x, t.y, t.z}) add(std::bit_cast<std::uint64_t>(x + 0.0));
  };
  for (const Part& part : scene.assembly.parts()) {
    for (const char c : part.path) add(static_cast<unsigned char>(c));
    for (const std::uint8_t byte : part.mesh.hash()) add(byte);
    add_pose(part.pose);
  }
  for (const scenes::MotionTrack& track : scene.tracks)
    for (const PoseKey& key : track.keys) {
      add(std::bit_cast<std::uint64_t>(key.t));
      add_pose(key.pose);
    }
  EXPECT_EQ(hash, GetParam().hash) << std::hex << hash;
}

INSTANTIATE_TEST_SUITE_P(Scenes, PaperAssembly, testing::ValuesIn(k_expected), [](const auto& assembly) {
  std::string name = assembly.param.name;
  std::erase(name, '-');
  return name;
});

TEST(ControlBox, HasTheThreePlantedFaults) {
  const Scene scene = scenes::control_box();
  ASSERT_EQ(scene.faults.size(), 3U);
  EXPECT_EQ(scene.contacts.size(), 24U);
  std::set<Verdict> verdicts;
  for (const auto& fault : scene.faults) verdicts.insert(fault.verdict);
  EXPECT_EQ(verdicts, (std::set{Verdict::near, Verdict::clash, Verdict::contained}));
}

TEST(SceneRegistry, ListsEveryScene) {
  std::set<std::string_view> names;
  for (const scenes::SceneEntry& entry : scenes::all()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.what.empty()) << entry.name;
    EXPECT_EQ(scenes::find(entry.name), &entry);
  }
  for (const Expected& expected : k_expected) EXPECT_TRUE(names.contains(expected.name));
  EXPECT_EQ(scenes::find("no such scene"), nullptr);
}

}  // namespace
}  // namespace snug
