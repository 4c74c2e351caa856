#include "scenes/random.hpp"
#include "scenes/solids.hpp"
#include "scenes/workbench.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <sstream>

namespace snug {
namespace {

using scenes::Random;

/// Parts at random places, some sharing meshes, on a grid so that faces are flush.
std::vector<Part> random_parts(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  const Mesh meshes[] = {scenes::box({0, 0, 0}, {2, 1, 1}), scenes::cylinder(0.5, 2, 10), scenes::sphere(0.8, 6, 8),
                         scenes::torus(1, 0.3, 10, 6)};
  std::vector<Part> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = [&] { return static_cast<double>(random.below(12)) / 2; };
    const double x = at(), y = at();
    const Pose pose = Pose::make(i % 3 == 0 ? random.rotation() : Quaternion{}, {x, y, at()}).value();
    parts.push_back({"part " + std::to_string(i), meshes[random.below(4)], pose});
  }
  return parts;
}

Assembly assembly_of(const std::vector<Part>& parts) {
  Assembly assembly(LengthUnit::millimetre);
  for (const Part& part : parts) EXPECT_TRUE(assembly.add(part));
  return assembly;
}

/// Every bit of a report but the ids of parts.
std::string printed(const CheckReport& report) {
  std::ostringstream out;
  out << std::hexfloat << report.resolution << ' ' << report.coverage.pairs_tested << '/'
      << report.coverage.pairs_possible << '\n';
  const auto point = [&](const Point3& p) { out << ' ' << p.x << ' ' << p.y << ' ' << p.z; };
  for (const Finding& f : report.findings) {
    out << f.id << ' ' << to_string(f.verdict) << ' ' << f.a.part << " | " << f.b.part << ' ' << f.triangle_pairs << ' '
        << f.crossing_pairs << ' ' << f.reason << ' ' << f.duplicate;
    if (f.depth) {
      out << " depth " << f.depth->lower << ' ' << f.depth->upper;
      point(f.depth->centre), point(f.depth->escape);
    }
    if (f.volume) out << " volume " << f.volume->value << ' ' << f.volume->error;
    if (f.gap) out << " gap " << *f.gap;
    if (f.point) point(*f.point);
    for (const auto& [a, b] : f.surface_pairs) out << ' ' << a << '-' << b;
    for (const TrianglePair& t : f.triangles) out << ' ' << t.a << '/' << t.b;
    for (const ContactPatch& patch : f.patches) {
      out << " patch " << patch.surface_a << ' ' << patch.surface_b << ' ' << patch.area;
      for (const auto& loop : patch.loops)
        for (const Point3& p : loop) point(p);
    }
    out << '\n';
  }
  return out.str();
}

TEST(CheckDeterminism, NeitherThreadsNorTheOrderOfPartsShow) {
  for (std::uint64_t seed = 0; seed < test::scaled(8); ++seed) {
    SCOPED_TRACE(seed);
    std::vector<Part> parts = random_parts(seed, 40);
    CheckOptions options{.tolerances = {.clearance = 0.1}, .keep_triangles = true};
    const std::string expected = printed(check(assembly_of(parts), options));
    for (const Verdict verdict : {Verdict::clash, Verdict::touch, Verdict::near})
      EXPECT_NE(expected.find(to_string(verdict)), std::string::npos) << to_string(verdict);
    for (const unsigned threads : {2U, 4U, 8U}) {
      options.threads = threads;
      ASSERT_EQ(printed(check(assembly_of(parts), options)), expected) << threads << " threads";
    }
    Random random(seed + 1000);
    for (int shuffle = 0; shuffle < 3; ++shuffle) {
      for (std::size_t i = parts.size(); i > 1; --i) std::swap(parts[i - 1], parts[random.below(i)]);
      ASSERT_EQ(printed(check(assembly_of(parts), options)), expected) << "shuffled";
    }
    options.method = Method::brute;
    ASSERT_EQ(printed(check(assembly_of(parts), options)), expected) << "brute";
  }
}

TEST(CheckDeterminism, EveryPairIsJudgedAsByItself) {
  const std::vector<Part> parts = random_parts(77, 30);
  const Assembly assembly = assembly_of(parts);
  const CheckReport report = check(assembly, {.tolerances = {.clearance = 0.1}});
  std::map<std::pair<std::string, std::string>, Verdict> found;
  for (const Finding& f : report.findings) found[{f.a.part, f.b.part}] = f.verdict;
  for (const Part& a : parts)
    for (const Part& b : parts) {
      if (!(a.path < b.path)) continue;
      const PairReport alone = assess(Shape(a.mesh), a.pose, Shape(b.mesh), b.pose, {.tolerances = {.clearance = 0.1}});
      const auto entry = found.find({a.path, b.path});
      ASSERT_EQ(entry == found.end() ? Verdict::clear : entry->second, alone.verdict) << a.path << " / " << b.path;
    }
}

TEST(CheckDeterminism, CancelledReportsSaySo) {
  const Assembly assembly = assembly_of(random_parts(5, 60));
  CancelToken cancel;
  double last = -1;
  CheckOptions options{.threads = 2, .cancel = &cancel};
  options.progress = [&](double fraction) {
    EXPECT_GE(fraction, last);
    last = fraction;
    if (fraction > 0.2) cancel.cancel();
  };
  const CheckReport partial = check(assembly, options);
  EXPECT_TRUE(partial.cancelled);
  EXPECT_FALSE(partial.coverage.complete);
  options.cancel = nullptr, options.progress = {};
  const CheckReport whole = check(assembly, options);
  EXPECT_FALSE(whole.cancelled);
  EXPECT_TRUE(whole.coverage.complete);
  EXPECT_LT(partial.coverage.pairs_tested, whole.coverage.pairs_tested);
}

TEST(CheckDeterminism, NothingTestedIsNotComplete) {
  EXPECT_FALSE(check(Assembly(LengthUnit::metre)).coverage.complete);
  EXPECT_FALSE(check(assembly_of(random_parts(1, 1))).coverage.complete);
  EXPECT_TRUE(check(assembly_of(random_parts(1, 2))).coverage.complete);
}

TEST(CheckDeterminism, TheWorkbenchHasOneClash) {
  const CheckReport report = check(scenes::workbench());
  ASSERT_EQ(report.count_of(Verdict::clash), 1U);
  const Finding& clash = report.findings.front();
  EXPECT_EQ(clash.a.part, "bench/post");
  EXPECT_EQ(clash.b.part, "bench/screw");
  EXPECT_NEAR(clash.depth->upper, 4, 1e-9);
  EXPECT_EQ(report.count_of(Verdict::touch), 5U);
}

}  // namespace
}  // namespace snug
