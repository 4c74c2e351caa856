#include "scenes/solids.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <thread>

// Long calls can be watched and ended: progress never falls, the end of a call is its answer or none, and what took part is as
// it was before.

namespace snug {
namespace {

/// A call that gets a watch and tells whether it gave the answer it gives without one; nothing if it was cancelled.
struct LongCall {
  const char* name;
  std::function<std::optional<bool>(const Watch&)> run;
};

MeshInput input_of(const Mesh& mesh) {
  MeshInput in;
  in.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
  in.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  in.surfaces.assign(mesh.surfaces().begin(), mesh.surfaces().end());
  for (std::uint32_t t = 0; t < in.triangles.size(); ++t) in.surface_of_triangle.push_back(mesh.surface_of(t));
  return in;
}

std::vector<LongCall> long_calls() {
  const Mesh mesh = scenes::bumpy_knot(120, 12);
  const Pose aside = translation(0, 0, 2.5);
  const Shape knot(mesh);
  Scratch scratch;
  const auto certificate = separation_certificate(knot, {}, knot, aside, scratch).value();
  const MeshReport report = inspect(mesh);
  std::vector<LongCall> calls;
  calls.push_back({"Mesh::build", [mesh](const Watch& watch) -> std::optional<bool> {
                     const auto built = Mesh::build(input_of(mesh), {}, watch);
                     if (built) return built->hash() == mesh.hash();
                     EXPECT_EQ(built.error().code, MeshError::Code::cancelled);
                     EXPECT_EQ(built.error().message(), "cancelled");
                     return {};
                   }});
  for (const unsigned threads : {1U, 3U}) {
    calls.push_back({"Shape::prepare", [mesh, threads](const Watch& watch) -> std::optional<bool> {
                       const Shape shape(mesh, {.threads = threads});
                       if (!shape.prepare(watch)) return {};
                       return !shape.validate();
                     }});
    for (const bool prepared : {false, true})
      calls.push_back({prepared ? "Shape::updated" : "Shape::updated, unbuilt",
                       [mesh, threads, prepared](const Watch& watch) -> std::optional<bool> {
                         const Shape shape(mesh, {.threads = threads});
                         if (prepared) shape.prepare().value();
                         std::vector<Point3> vertices;
                         for (const Point3& p : mesh.vertices()) vertices.push_back({p.x, p.y + 0.1 * p.x * p.x, p.z});
                         const auto updated = shape.updated(vertices, watch);
                         EXPECT_EQ(shape.mesh().hash(), mesh.hash());
                         EXPECT_EQ(shape.validate(), std::nullopt) << "it is as it was before";
                         if (updated) return !updated->validate() && updated->mesh().vertices()[7] == vertices[7];
                         EXPECT_EQ(updated.error().code, MeshError::Code::cancelled);
                         return {};
                       }});
  }
  calls.push_back({"inspect", [mesh, report](const Watch& watch) -> std::optional<bool> {
                     const auto found = inspect(mesh, watch);
                     if (!found) return {};
                     return found->clean() == report.clean() && found->shell_of == report.shell_of && found->closed &&
                            report.closed;
                   }});
  calls.push_back({"ShapeCache::get", [mesh](const Watch& watch) -> std::optional<bool> {
                     ShapeCache cache;
                     const auto shape = cache.get(mesh, {}, watch);
                     EXPECT_EQ(cache.size(), shape ? 1U : 0U) << "what was not built is not kept";
                     if (!shape) return {};
                     return !shape->validate() && cache.get(mesh).mesh().same_data(shape->mesh());
                   }});
  calls.push_back({"separation_certificate", [knot, aside](const Watch& watch) -> std::optional<bool> {
                     Scratch own;
                     const auto found = separation_certificate(knot, {}, knot, aside, own, watch);
                     if (!found) return {};
                     return found->has_value() && !check(**found, knot.mesh(), {}, knot.mesh(), aside);
                   }});
  calls.push_back({"certificate of what meets", [knot](const Watch& watch) -> std::optional<bool> {
                     Scratch own;
                     const auto found = separation_certificate(knot, {}, knot, translation(0.1, 0, 0), own, watch);
                     if (!found) return {};
                     return !found->has_value();
                   }});
  calls.push_back({"check of a certificate", [knot, aside, certificate](const Watch& watch) -> std::optional<bool> {
                     const auto problem = check(certificate, knot.mesh(), {}, knot.mesh(), aside, watch);
                     if (!problem) return {};
                     return !problem->has_value();
                   }});
  calls.push_back({"check of a wrong one", [knot, certificate](const Watch& watch) -> std::optional<bool> {
                     const auto problem = check(certificate, knot.mesh(), {}, knot.mesh(), {}, watch);
                     if (!problem) return {};
                     return problem->has_value();
                   }});
  return calls;
}

TEST(LongCalls, TellHowFarTheyAreAndAnswerAsEver) {
  for (const LongCall& call : long_calls()) {
    SCOPED_TRACE(call.name);
    std::vector<double> told;
    const std::thread::id caller = std::this_thread::get_id();
    const auto answer = call.run({nullptr, [&](double share) {
                                    EXPECT_EQ(std::this_thread::get_id(), caller);
                                    told.push_back(share);
                                  }});
    ASSERT_TRUE(answer.has_value());
    EXPECT_TRUE(*answer);
    ASSERT_GE(told.size(), 2U);
    EXPECT_EQ(told.front(), 0);
    EXPECT_EQ(told.back(), 1);
    EXPECT_TRUE(std::ranges::is_sorted(told));
    CancelToken unused;
    EXPECT_EQ(call.run({.cancel = &unused}), true);
  }
}

TEST(LongCalls, EndWhenTheyAreCancelled) {
  for (const LongCall& call : long_calls()) {
    SCOPED_TRACE(call.name);
    CancelToken before;
    before.cancel();
    std::size_t told = 0;
    EXPECT_EQ(call.run({&before, [&](double share) { told += share > 0 ? 1 : 0; }}), std::nullopt);
    EXPECT_EQ(told, 0U) << "nothing was done";
    // By the hook, at some of the times it is called.
    for (std::size_t at = 0;; at = at < 8 ? at + 1 : 2 * at) {
      CancelToken token;
      std::size_t times = 0;
      double cancelled_at = 1;
      const auto answer = call.run({&token, [&](double share) {
                                      if (times++ != at) return;
                                      cancelled_at = share;
                                      token.cancel();
                                    }});
      if (cancelled_at == 1) {
        EXPECT_TRUE(answer.value_or(true)) << "an answer that was given is the right one";
        break;
      }
      EXPECT_EQ(answer, std::nullopt) << "cancelled at " << cancelled_at;
      ASSERT_EQ(times, at + 1) << "and told nothing more";
    }
  }
}

}  // namespace
}  // namespace snug
