#include "io/bytes/large_array.hpp"
#include "io/errors.hpp"
#include "io/fan.hpp"
#include "io/obj/obj.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <span>

namespace snug::io {

namespace {

class Sharing {
 public:
  explicit Sharing(std::span<const Point3> vertices)
      : vertices_(vertices), used_(vertices.size()), stamp_(vertices.size()), local_(vertices.size()) {}

  void mark_used(std::span<const Index3> triangles) {
    for (const Index3& t : triangles)
      for (const std::uint32_t v : t) used_[v] = true;
  }

  /// The section's own vertices; its triangles are renumbered to match.
  std::vector<Point3> take(std::span<Index3> triangles, std::uint64_t first, std::uint64_t last) {
    ++turn_;
    collect(triangles, first, last);
    std::vector<Point3> own;
    own.reserve(ids_.size());
    for (const std::uint32_t v : ids_) {
      local_[v] = static_cast<std::uint32_t>(own.size());
      own.push_back(vertices_[v]);
    }
    for (Index3& t : triangles)
      for (std::uint32_t& v : t) v = local_[v];
    return own;
  }

 private:
  /// Fills ids_ with the section's vertices, ascending.
  void collect(std::span<const Index3> triangles, std::uint64_t first, std::uint64_t last) {
    ids_.clear();
    const auto add = [&](std::uint32_t v) {
      if (stamp_[v] == turn_) return;
      stamp_[v] = turn_;
      ids_.push_back(v);
    };
    for (std::uint64_t v = first; v < last; ++v)
      if (!used_[v]) add(static_cast<std::uint32_t>(v));
    for (const Index3& t : triangles)
      for (const std::uint32_t v : t) add(v);
    // Mostly the ids are a range without gaps, which a look at the stamps sorts; where they are few and far apart, as
    // in a file of many small parts over common vertices, that would take quadratic time.
    SNUG_ASSERT(!ids_.empty());
    const auto [low, high] = std::ranges::minmax(ids_);
    if (high - low > 8 * ids_.size()) {
      std::ranges::sort(ids_);
      return;
    }
    ids_.clear();
    for (std::uint64_t v = low; v <= high; ++v)
      if (stamp_[v] == turn_) ids_.push_back(static_cast<std::uint32_t>(v));
  }

  std::span<const Point3> vertices_;
  std::vector<bool> used_;
  std::vector<std::uint32_t> stamp_, local_;
  std::vector<std::uint32_t> ids_;
  std::uint32_t turn_ = 0;
};

RawPart to_part(ObjSection& section) {
  RawPart part;
  part.name = std::move(section.name);
  part.mesh.surfaces = std::move(section.surfaces);
  part.mesh.surface_of_triangle = section.surface_of_triangle.take();
  if (section.collapsed > 0) part.problems.push_back(collapsed_text(section.collapsed));
  if (section.misfits > 0) part.problems.push_back(misfit_fans_text(section.misfits));
  return part;
}

}  // namespace

Result<RawAssembly, IoError> share_out(ObjContent content, ByteSource& source) {
  RawAssembly out;
  out.parts.reserve(content.sections.size());
  for (ObjSection& section : content.sections) out.parts.push_back(to_part(section));
  if (out.parts.empty()) return out;
  if (out.parts.size() == 1) {
    // All there is belongs to it, as it stands.
    MeshInput& mesh = out.parts.front().mesh;
    trim(content.vertices);
    trim(content.triangles);
    mesh.vertices = std::move(content.vertices);
    mesh.triangles = std::move(content.triangles);
    return out;
  }
  Sharing sharing(content.vertices);
  sharing.mark_used(content.triangles);
  constexpr std::size_t k_polled_every = 64;  // parts may be a few triangles each
  for (std::size_t i = 0; i < out.parts.size(); ++i) {
    if (i % k_polled_every == 0 && !source.poll()) return Failure{*source.failure()};
    const ObjSection& section = content.sections[i];
    SNUG_ASSERT(section.first_triangle <= section.last_triangle && section.last_triangle <= content.triangles.size());
    SNUG_ASSERT(section.first_vertex <= section.last_vertex && section.last_vertex <= content.vertices.size());
    MeshInput& mesh = out.parts[i].mesh;
    const auto all = content.triangles.begin();
    mesh.triangles.assign(all + static_cast<std::ptrdiff_t>(section.first_triangle),
                          all + static_cast<std::ptrdiff_t>(section.last_triangle));
    mesh.vertices = sharing.take(mesh.triangles, section.first_vertex, section.last_vertex);
  }
  return out;
}

}  // namespace snug::io
