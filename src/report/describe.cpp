#include "shape/posed_bounds.hpp"
#include "support/assert.hpp"
#include "support/text.hpp"

#include <snug/inspect.hpp>
#include <snug/report.hpp>
#include <snug/self.hpp>
#include <snug/solid.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace snug {

namespace {

constexpr std::size_t k_ids_shown = 3;

std::string word(std::uint32_t triangle) { return std::to_string(triangle); }
std::string word(const TrianglePair& pair) { return std::to_string(pair.a) + " with " + std::to_string(pair.b); }
std::string word(const EdgeId& id) { return std::to_string(id.triangle) + '.' + std::to_string(id.edge); }

/// "12 open edges: 3.1, 3.2, 7.0, …", or nothing for an empty list.
template <class Ids>
void note(std::vector<std::string>& out, const Ids& ids, std::string_view one, std::string_view many) {
  if (ids.empty()) return;
  std::string text = support::counted(ids.size(), one, many) + ": ";
  for (std::size_t i = 0; i < ids.size() && i < k_ids_shown; ++i) text += (i == 0 ? "" : ", ") + word(ids[i]);
  if (ids.size() > k_ids_shown) text += ", …";
  out.push_back(std::move(text));
}

std::vector<std::string> problems_of(const MeshReport& report) {
  std::vector<std::string> out;
  note(out, report.open, "open edge", "open edges");
  note(out, report.non_manifold, "edge of more than two triangles", "edges of more than two triangles");
  note(out, report.flipped, "flipped triangle", "flipped triangles");
  note(out, report.degenerate, "degenerate triangle", "degenerate triangles");
  note(out, report.duplicate, "duplicate triangle", "duplicate triangles");
  return out;
}

/// Signed volume of the tetrahedra from the middle of the bounds to each triangle, sums compensated (Neumaier).
std::optional<double> enclosed_volume(const Mesh& mesh) {
  const Aabb& box = mesh.bounds();
  const Point3 middle = box.lo + 0.5 * (box.hi - box.lo);
  double sum = 0, lost = 0;
  const TriangleMeshView view = mesh.view();
  for (std::size_t t = 0; t < view.triangles.size(); ++t) {
    const Triangle triangle = view.triangle(t);
    const Vec3 a = triangle[0] - middle, b = triangle[1] - middle, c = triangle[2] - middle;
    const double term = a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
    const double next = sum + term;
    lost += std::abs(sum) >= std::abs(term) ? (sum - next) + term : (term - next) + sum;
    sum = next;
  }
  const double volume = (sum + lost) / 6;
  return std::isfinite(volume) ? std::optional(volume) : std::nullopt;
}

/// Nothing if cancelled.
std::optional<PartInfo> inspected(const Mesh& mesh, const CancelToken* cancel) {
  const auto found = inspect(mesh, {.cancel = cancel});
  if (!found) return std::nullopt;
  const MeshReport& report = *found;
  PartInfo info{.path = {},
                .bounds = {},
                .vertices = mesh.vertices().size(),
                .triangles = mesh.triangles().size(),
                .surfaces = mesh.surfaces().size(),
                .shells = report.shells,
                .closed = report.closed,
                .volume = report.closed ? enclosed_volume(mesh) : std::nullopt,
                .kinds = {},
                .recognised = 0,
                .sag = {},
                .problems = problems_of(report)};
  for (const Surface& surface : mesh.surfaces()) {
    ++info.kinds[static_cast<std::size_t>(surface.kind)];
    if (surface.analytic && surface.analytic->recognised) ++info.recognised;
    info.sag.value = std::max(info.sag.value, surface.sag.value);
    info.sag.estimated |= surface.sag.estimated;
  }
  return info;
}

/// Adds the pairs of triangles of one mesh that meet. False if cancelled.
bool look_for_self_intersections(const Mesh& mesh, unsigned threads, const CancelToken* cancel, PartInfo& info) {
  Scratch scratch;
  SelfOptions options{.threads = threads};
  options.watch.cancel = cancel;
  const auto pairs = self_intersections(Shape(mesh, {.threads = threads}), scratch, options);
  if (!pairs) return false;
  const auto crossing = std::ranges::count(*pairs, Relation::crossing, &TrianglePair::relation);
  SNUG_ASSERT(crossing >= 0 && static_cast<std::size_t>(crossing) <= pairs->size());
  const std::size_t shown = std::min<std::size_t>(pairs->size(), 20);
  info.self_intersections = {.pairs = pairs->size(),
                             .crossing = static_cast<std::uint64_t>(crossing),
                             .first = {pairs->begin(), pairs->begin() + static_cast<std::ptrdiff_t>(shown)}};
  note(info.problems, *pairs, "pair of triangles that meet beyond what neighbours share",
       "pairs of triangles that meet beyond what neighbours share");
  return true;
}

}  // namespace

AssemblyInfo describe(const Assembly& assembly, const ProgressHook& progress, const CancelToken* cancel,
                      const DescribeOptions& options) {
  AssemblyInfo info;
  info.losses.assign(assembly.losses().begin(), assembly.losses().end());
  std::unordered_map<const Point3*, PartInfo> of_mesh;  // instances share their vertices
  std::unordered_map<std::string_view, std::vector<std::string>> told;
  for (const Problem& problem : assembly.problems()) {
    if (problem.part.empty())
      info.problems.push_back(problem.text);
    else
      told[problem.part].push_back(problem.text);
  }

  const std::size_t total = assembly.parts().size();
  for (const Part& part : assembly.parts()) {
    if (cancel != nullptr && cancel->cancelled()) {
      info.cancelled = true;
      break;
    }
    const auto [known, is_new] = of_mesh.try_emplace(part.mesh.vertices().data());
    if (is_new) {
      auto found = inspected(part.mesh, cancel);
      if (!found || (options.self_intersections &&
                     !look_for_self_intersections(part.mesh, std::max(options.threads, 1U), cancel, *found))) {
        info.cancelled = true;
        break;
      }
      known->second = std::move(*found);
    }
    PartInfo one = known->second;
    one.path = part.path;
    one.bounds = shape::exact_bounds(part.mesh, part.pose);
    if (const auto found = told.find(part.path); found != told.end())
      one.problems.insert(one.problems.end(), found->second.begin(), found->second.end());
    info.parts.push_back(std::move(one));
    if (progress) progress(static_cast<double>(info.parts.size()) / static_cast<double>(total));
  }
  return info;
}

}  // namespace snug
