#include "io/errors.hpp"
#include "io/fan.hpp"
#include "io/ply/ply.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace snug::io {

namespace {

/// Numbers from a file, replaced by their rank among the distinct ones.
struct Ranked {
  std::vector<std::uint32_t> distinct;  ///< ascending, as signed numbers
  std::vector<std::uint32_t> rank;
};

Ranked rank_numbers(std::vector<std::uint32_t> numbers) {
  Ranked out;
  const auto before = [](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  };
  // Runs of equal numbers are the rule: only their heads need sorting.
  std::ranges::unique_copy(numbers, std::back_inserter(out.distinct));
  std::ranges::sort(out.distinct, before);
  const auto tail = std::ranges::unique(out.distinct);
  out.distinct.erase(tail.begin(), tail.end());
  std::uint32_t last = 0, last_rank = 0;
  bool first = true;
  for (std::uint32_t& number : numbers) {
    if (first || number != last) {
      last = number;
      first = false;
      last_rank =
          static_cast<std::uint32_t>(std::ranges::lower_bound(out.distinct, number, before) - out.distinct.begin());
    }
    SNUG_ASSERT(last_rank < out.distinct.size());
    number = last_rank;
  }
  out.rank = std::move(numbers);
  return out;
}

std::string decimal(std::uint32_t number) { return std::to_string(static_cast<std::int32_t>(number)); }

/// Gives the mesh its surfaces: those of the note if every number is one of its own, else one per distinct number.
void name_surfaces(MeshInput& mesh, std::vector<std::uint32_t> numbers, const PlyPartNote* note) {
  if (numbers.empty()) return;
  if (note != nullptr && std::ranges::max(numbers) < note->surfaces.size()) {
    mesh.surfaces = note->surfaces;
    mesh.surface_of_triangle = std::move(numbers);
    return;
  }
  Ranked ranked = rank_numbers(std::move(numbers));
  mesh.surface_of_triangle = std::move(ranked.rank);
  mesh.surfaces.resize(ranked.distinct.size());
  for (std::size_t i = 0; i < ranked.distinct.size(); ++i) mesh.surfaces[i].name = decimal(ranked.distinct[i]);
}

RawPart whole(PlyMesh mesh, const PlyPartNote* note) {
  RawPart part;
  if (note != nullptr) part.name = note->path;
  part.mesh.vertices = std::move(mesh.vertices);
  part.mesh.triangles = std::move(mesh.triangles);
  name_surfaces(part.mesh, std::move(mesh.surface), note);
  return part;
}

/// First vertex of each part, and the end, if the notes tell them and every triangle keeps to its part.
std::vector<std::uint64_t> vertex_ranges(const PlyMesh& mesh, const std::vector<PlyPartNote>& notes) {
  std::vector<std::uint64_t> first{0};
  for (const PlyPartNote& note : notes) {
    if (note.vertices > mesh.vertices.size()) return {};
    first.push_back(first.back() + note.vertices);
  }
  if (first.back() != mesh.vertices.size()) return {};
  std::vector<bool> has_triangle(notes.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::uint32_t part = mesh.part[t];
    if (part >= notes.size()) return {};
    has_triangle[part] = true;
    for (const std::uint32_t v : mesh.triangles[t])
      if (v < first[part] || v >= first[part + 1]) return {};
  }
  if (!std::ranges::all_of(has_triangle, std::identity{})) return {};
  return first;
}

/// Triangle ids in order of their part, and where each part's begin.
struct Sorted {
  std::vector<std::uint32_t> triangles;
  std::vector<std::uint32_t> first;
};

Sorted sort_by_part(const std::vector<std::uint32_t>& part, std::size_t parts) {
  Sorted out;
  out.first.assign(parts + 1, 0);
  for (const std::uint32_t p : part) ++out.first[p + 1];
  std::partial_sum(out.first.begin(), out.first.end(), out.first.begin());
  std::vector<std::uint32_t> next(out.first.begin(), out.first.end() - 1);
  out.triangles.resize(part.size());
  SNUG_ASSERT(out.first.back() == part.size());
  for (std::uint32_t t = 0; t < part.size(); ++t) out.triangles[next[part[t]]++] = t;
  return out;
}

/// Keeps the vertices that the triangles use, in their order.
void compact(MeshInput& mesh, const std::vector<Point3>& vertices) {
  std::vector<std::uint32_t> used;
  used.reserve(3 * mesh.triangles.size());
  for (const Index3& t : mesh.triangles) used.insert(used.end(), t.begin(), t.end());
  std::ranges::sort(used);
  const auto tail = std::ranges::unique(used);
  used.erase(tail.begin(), tail.end());
  for (Index3& t : mesh.triangles)
    for (std::uint32_t& v : t) v = static_cast<std::uint32_t>(std::ranges::lower_bound(used, v) - used.begin());
  SNUG_ASSERT(used.empty() || used.back() < vertices.size());
  mesh.vertices.reserve(used.size());
  for (const std::uint32_t v : used) mesh.vertices.push_back(vertices[v]);
}

/// Parts and surfaces from the numbers at the faces and the notes, if they fit; else distinct numbers, ascending.
Result<RawAssembly, IoError> split(PlyMesh mesh, const PlyHeader& header, const ByteSource& source) {
  const std::vector<std::uint64_t> ranges = vertex_ranges(mesh, header.notes);
  const bool noted = !ranges.empty();
  std::vector<std::uint32_t> distinct;
  std::size_t parts = header.notes.size();
  if (!noted) {
    Ranked ranked = rank_numbers(std::move(mesh.part));
    mesh.part = std::move(ranked.rank);
    distinct = std::move(ranked.distinct);
    parts = distinct.size();
  }
  // Looked at before the first is made: a few bytes in the file take a kilobyte here.
  if (parts > k_max_parts)
    return source.fail(IoError::Code::too_large,
                       counted(parts, "part", "parts") + ", the limit is " + std::to_string(k_max_parts));

  const Sorted sorted = sort_by_part(mesh.part, parts);
  RawAssembly out;
  for (std::size_t p = 0; p < parts; ++p) {
    RawPart part;
    part.name = noted ? header.notes[p].path : decimal(distinct[p]);
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = sorted.first[p]; i < sorted.first[p + 1]; ++i) {
      part.mesh.triangles.push_back(mesh.triangles[sorted.triangles[i]]);
      if (header.surface) numbers.push_back(mesh.surface[sorted.triangles[i]]);
    }
    name_surfaces(part.mesh, std::move(numbers), noted ? &header.notes[p] : nullptr);
    if (noted) {
      const auto begin = mesh.vertices.begin();
      part.mesh.vertices.assign(begin + static_cast<std::ptrdiff_t>(ranges[p]),
                                begin + static_cast<std::ptrdiff_t>(ranges[p + 1]));
      for (Index3& t : part.mesh.triangles)
        for (std::uint32_t& v : t) v -= static_cast<std::uint32_t>(ranges[p]);
    } else {
      compact(part.mesh, mesh.vertices);
    }
    out.parts.push_back(std::move(part));
  }
  return out;
}

}  // namespace

Result<RawAssembly, IoError> read_ply(ByteSource& source, const LoadOptions&) {
  LineReader lines(source);
  const auto header = read_ply_header(lines);
  if (!header) return Failure{header.error()};
  Result<PlyMesh, IoError> mesh = [&] {
    if (header->encoding == PlyEncoding::ascii) return read_ply_text(lines, *header, source.size());
    source.seek(lines.next_offset());
    return read_ply_binary(source, *header);
  }();
  if (!mesh) return Failure{mesh.error()};
  if (mesh->triangles.empty())
    return source.fail(IoError::Code::malformed, "expected triangles, found only faces with fewer than three corners");

  const std::uint64_t thin_faces = mesh->thin_faces;
  // Only now: vertices may stand behind the faces.
  const auto misfits = static_cast<std::uint64_t>(std::ranges::count_if(mesh->fans, [&](const PlyMesh::Fan& fan) {
    return fan_misfits(mesh->vertices, std::span(mesh->triangles).subspan(fan.first, fan.count));
  }));
  Result<RawAssembly, IoError> out = RawAssembly{};
  if (header->part)
    out = split(std::move(*mesh), *header, source);
  else
    out->parts.push_back(whole(std::move(*mesh), header->notes.size() == 1 ? &header->notes.front() : nullptr));
  if (out && thin_faces > 0)
    out->problems.push_back(counted(thin_faces, "face", "faces") + " with fewer than three corners left out");
  if (out && misfits > 0) out->problems.push_back(misfit_fans_text(misfits));
  return out;
}

}  // namespace snug::io
