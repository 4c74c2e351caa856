#include <snug/certificate.hpp>

#include "query/certificate/plane.hpp"
#include "support/watched.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

// Shares no code with the search that makes certificates but the sign of one product.

namespace snug {

namespace {

using Entry = SeparationCertificate::Entry;

bool lists_each_once(const std::vector<std::uint32_t>& order, std::size_t count) {
  if (order.size() != count) return false;
  std::vector<bool> seen(count);
  for (const std::uint32_t t : order) {
    if (t >= count || seen[t]) return false;
    seen[t] = true;
  }
  return true;
}

/// Do the entries' rectangles tile the whole? Runs along a from one edge of a rectangle to the next: between two edges the
/// runs of b must follow one another without gap or overlap.
bool tile(const std::vector<Entry>& entries, std::uint64_t count_a, std::uint64_t count_b) {
  std::vector<std::uint32_t> beginning(entries.size()), ending(entries.size());
  for (std::uint32_t i = 0; i < entries.size(); ++i) beginning[i] = ending[i] = i;
  std::ranges::sort(beginning, {}, [&](std::uint32_t i) { return entries[i].a_begin; });
  std::ranges::sort(ending, {}, [&](std::uint32_t i) { return entries[i].a_end; });
  std::map<std::uint32_t, std::uint32_t> runs;  ///< of b, by where they begin
  std::uint64_t covered = 0, at = 0;
  std::size_t begun = 0, ended = 0;
  while (at < count_a) {
    for (; ended < ending.size() && entries[ending[ended]].a_end == at; ++ended) {
      covered -= entries[ending[ended]].b_end - entries[ending[ended]].b_begin;
      runs.erase(entries[ending[ended]].b_begin);
    }
    for (; begun < beginning.size() && entries[beginning[begun]].a_begin == at; ++begun) {
      const Entry& e = entries[beginning[begun]];
      const auto [place, fresh] = runs.emplace(e.b_begin, e.b_end);
      if (!fresh || (place != runs.begin() && std::prev(place)->second > e.b_begin)) return false;
      if (std::next(place) != runs.end() && std::next(place)->first < e.b_end) return false;
      covered += e.b_end - e.b_begin;
    }
    if (covered != count_b) return false;
    // Something covers all of b here, so something ends.
    std::uint64_t next = entries[ending[ended]].a_end;
    if (begun < beginning.size()) next = std::min<std::uint64_t>(next, entries[beginning[begun]].a_begin);
    if (next <= at) return false;
    at = next;
  }
  return begun == entries.size();
}

/// Are all corners of the run on the given side of the plane, beyond the rounding of the product?
bool on_side(const Mesh& mesh, const Pose& pose, const std::vector<std::uint32_t>& order, std::uint32_t begin,
             std::uint32_t end, const Entry& entry, double side) {
  for (std::uint32_t i = begin; i < end; ++i)
    for (const std::uint32_t v : mesh.triangles()[order[i]])
      if (!query::beyond(entry.normal, entry.offset, pose.apply(mesh.vertices()[v]), side)) return false;
  return true;
}

Triangle posed(const Mesh& mesh, const Pose& pose, std::uint32_t t) {
  Triangle triangle = mesh.view().triangle(t);
  for (Point3& p : triangle.corner) p = pose.apply(p);
  return triangle;
}

/// What is wrong with an entry, if anything.
std::optional<std::string> wrong_entry(const SeparationCertificate& c, std::size_t i, const Mesh& a, const Pose& pose_a,
                                       const Mesh& b, const Pose& pose_b) {
  const Entry& e = c.entries[i];
  if (e.a_begin >= e.a_end || e.a_end > c.order_a.size() || e.b_begin >= e.b_end || e.b_end > c.order_b.size())
    return "entry " + std::to_string(i) + " names triangles that are not there";
  if (e.normal == Vec3{}) {
    if (e.a_end - e.a_begin != 1 || e.b_end - e.b_begin != 1)
      return "entry " + std::to_string(i) + " has no plane and more than two triangles";
    if (relation(posed(a, pose_a, c.order_a[e.a_begin]), posed(b, pose_b, c.order_b[e.b_begin])) != Relation::disjoint)
      return "the triangles of entry " + std::to_string(i) + " share a point";
  } else if (!on_side(a, pose_a, c.order_a, e.a_begin, e.a_end, e, -1) ||
             !on_side(b, pose_b, c.order_b, e.b_begin, e.b_end, e, 1)) {
    return "the plane of entry " + std::to_string(i) + " does not keep its triangles apart";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> check(const SeparationCertificate& c, const Mesh& a, const Pose& pose_a, const Mesh& b,
                                 const Pose& pose_b) {
  return check(c, a, pose_a, b, pose_b, {}).value();
}

Result<std::optional<std::string>, Cancelled> check(const SeparationCertificate& c, const Mesh& a, const Pose& pose_a,
                                                    const Mesh& b, const Pose& pose_b, const Watch& watch) {
  const Failure cancelled{Cancelled{}};
  const auto says = [&](std::string problem) -> Result<std::optional<std::string>, Cancelled> {
    if (watch.progress) watch.progress(1);
    return std::optional(std::move(problem));
  };
  if (!support::go_on(watch, 0)) return cancelled;
  if (!pose_a.is_valid() || !pose_b.is_valid()) return says("a pose is not valid");
  if (a.triangles().empty() || b.triangles().empty()) return says("a body has no triangles");
  if (!lists_each_once(c.order_a, a.triangles().size()))
    return says("the first body's triangles are not listed once each");
  if (!lists_each_once(c.order_b, b.triangles().size()))
    return says("the second body's triangles are not listed once each");
  const std::size_t stride = c.entries.size() / 256 + 1;
  for (std::size_t i = 0; i < c.entries.size(); ++i) {
    if (watch.cancelled()) return cancelled;
    if (i > 0 && i % stride == 0 && watch.progress)
      watch.progress(0.9 * static_cast<double>(i) / static_cast<double>(c.entries.size()));
    if (auto problem = wrong_entry(c, i, a, pose_a, b, pose_b)) return says(std::move(*problem));
  }
  if (!support::go_on(watch, 0.9)) return cancelled;
  if (!tile(c.entries, c.order_a.size(), c.order_b.size())) return says("the entries do not cover every pair once");
  if (!support::go_on(watch, 1)) return cancelled;
  return std::optional<std::string>();
}

}  // namespace snug
