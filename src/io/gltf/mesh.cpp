#include "io/gltf/mesh.hpp"

#include "geometry/analytic/deviation.hpp"
#include "geometry/vec_ops.hpp"
#include "io/bytes/large_array.hpp"
#include "io/errors.hpp"
#include "io/gltf/notes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace snug::io {

namespace {

using Code = IoError::Code;

enum Mode : std::uint64_t { points = 0, triangles = 4, strip = 5, fan = 6 };

std::size_t primitive_count(JsonView mesh) {
  const auto list = mesh.find("primitives");
  return list && list->is(Json::Kind::array) ? list->size() : 0;
}

std::optional<std::uint32_t> as_id(const std::optional<JsonView>& value, std::size_t limit) {
  if (!value || !value->is(Json::Kind::number)) return std::nullopt;
  const double number = value->number();
  if (!(number >= 0 && number < static_cast<double>(limit))) return std::nullopt;
  const auto id = static_cast<std::uint32_t>(number);
  return static_cast<double>(id) == number ? std::optional(id) : std::nullopt;
}

template <std::size_t N>
std::optional<std::array<double, N>> numbers(const std::optional<JsonView>& list) {
  if (!list || !list->is(Json::Kind::array) || list->size() != N) return std::nullopt;
  std::array<double, N> out;
  for (std::size_t i = 0; i < N; ++i) {
    if (!(*list)[i].is(Json::Kind::number)) return std::nullopt;
    out[i] = (*list)[i].number();
  }
  return out;
}

bool is_true(const std::optional<JsonView>& value) {
  return value && value->is(Json::Kind::boolean) && value->boolean();
}

std::optional<Rgba> color_from(const std::optional<JsonView>& list) {
  const auto channels = numbers<4>(list);
  if (!channels) return std::nullopt;
  Rgba out;
  for (std::size_t i = 0; i < 4; ++i) {
    const double value = (*channels)[i];
    if (!(value >= 0 && value <= 255) || value != std::floor(value)) return std::nullopt;
    out[i] = static_cast<std::uint8_t>(value);
  }
  return out;
}

/// Lengths from one unit to another.
struct Conversion {
  LengthUnit from, to;
  double operator()(double value) const noexcept { return convert_length(value, from, to); }
};

/// None unless it is valid for the kind: the file may be anybody's.
std::optional<AnalyticSurface> analytic_from(SurfaceKind kind, const std::optional<JsonView>& json,
                                             const Conversion& length) {
  if (!json) return std::nullopt;
  const auto origin = numbers<3>(json->find("origin")), axis = numbers<3>(json->find("axis"));
  const auto radii = numbers<2>(json->find("radii"));
  const auto half_angle = json->find("half_angle");
  if (!origin || !axis || !radii || !half_angle || !half_angle->is(Json::Kind::number)) return std::nullopt;
  const AnalyticSurface out{{length((*origin)[0]), length((*origin)[1]), length((*origin)[2])},
                            {(*axis)[0], (*axis)[1], (*axis)[2]},
                            length((*radii)[0]),
                            length((*radii)[1]),
                            half_angle->number(),
                            is_true(json->find("hollow")),
                            is_true(json->find("recognised"))};
  return is_valid(kind, out) ? std::optional(out) : std::nullopt;
}

Surface surface_from(JsonView json, const Conversion& length) {
  Surface out;
  if (const auto name = json.find("name"); name && name->is(Json::Kind::string)) out.name = name->string();
  if (const auto kind = json.find("kind"); kind && kind->is(Json::Kind::string))
    for (int k = 0; k <= static_cast<int>(SurfaceKind::spline); ++k)
      if (to_string(static_cast<SurfaceKind>(k)) == kind->string()) out.kind = static_cast<SurfaceKind>(k);
  if (const auto sag = json.find("sag"); sag && sag->is(Json::Kind::number) && sag->number() >= 0)
    out.sag.value = length(sag->number());
  out.sag.estimated = is_true(json.find("estimated"));
  if (const auto limit = json.find("tolerance"); limit && limit->is(Json::Kind::number) && limit->number() >= 0)
    out.tolerance = length(limit->number());
  out.color = color_from(json.find("color"));
  out.analytic = analytic_from(out.kind, json.find("analytic"), length);
  return out;
}

/// Upper bound on how much longer any vector becomes; exact for a matrix that scales along the axes.
double largest_stretch(const Matrix3& m) {
  double row = 0, column = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    row = std::max(row, std::abs(m[3 * i]) + std::abs(m[3 * i + 1]) + std::abs(m[3 * i + 2]));
    column = std::max(column, std::abs(m[i]) + std::abs(m[i + 3]) + std::abs(m[i + 6]));
  }
  return row == column ? row : std::sqrt(row) * std::sqrt(column) * (1 + 0x1p-50);
}

/// A form is what decides where triangles are too coarse to: one that the corners do not lie on is not to be believed.
void drop_misfits(MeshInput& mesh, std::vector<std::string>& problems) {
  std::vector<bool> misfit(mesh.surfaces.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::uint32_t id = mesh.surface_of_triangle[t];
    const Surface& surface = mesh.surfaces[id];
    if (!surface.analytic || misfit[id]) continue;
    const AnalyticSurface& form = *surface.analytic;
    for (const std::uint32_t v : mesh.triangles[t]) {
      const Point3& p = mesh.vertices[v];
      constexpr double k_rounding = 0x1p-44;
      const double size =
          std::max({geometry::max_abs(p), geometry::max_abs(form.origin), form.radius, form.minor_radius});
      const double allowed = surface.sag.value + surface.tolerance + k_rounding * size;
      if (!(std::abs(geometry::distance_to(surface.kind, form, p)) <= allowed)) misfit[id] = true;
    }
  }
  const auto first = std::ranges::find(misfit, true);
  if (first == misfit.end()) return;
  const auto count = static_cast<std::uint64_t>(std::ranges::count(misfit, true));
  problems.push_back(counted(count, "surface is", "surfaces are") +
                     " noted to be what the triangles do not lie on, and of unknown kind therefore: surface " +
                     std::to_string(first - misfit.begin()) + (count > 1 ? " and others" : ""));
  for (std::size_t id = 0; id < misfit.size(); ++id)
    if (misfit[id]) mesh.surfaces[id].kind = SurfaceKind::unknown, mesh.surfaces[id].analytic.reset();
}

}  // namespace

std::optional<Rgba> noted_color(JsonView node) { return color_from(note(node, "color")); }

bool GltfMeshes::prepare() {
  meshes_using_.assign(document_.count("accessors"), 0);
  std::vector<std::uint32_t> last_mesh(meshes_using_.size(), std::numeric_limits<std::uint32_t>::max());
  for (std::uint32_t m = 0; m < document_.count("meshes"); ++m) {
    const JsonView mesh = document_.item("meshes", m);
    for (std::size_t p = 0; p < primitive_count(mesh); ++p) {
      Primitive primitive{(*mesh.find("primitives"))[p]};
      if (!read_primitive(primitive.json, primitive)) return false;
      if (!primitive.positions || last_mesh[*primitive.positions] == m) continue;
      last_mesh[*primitive.positions] = m;
      ++meshes_using_[*primitive.positions];
    }
  }
  return true;
}

bool GltfMeshes::read_primitive(JsonView json, Primitive& out) {
  if (!json.is(Json::Kind::object)) return document_.fail(Code::malformed, json, "expected an object in 'primitives'");
  std::optional<JsonView> attributes;
  if (!document_.read_whole(json, "mode", out.mode) || !document_.read_object(json, "attributes", attributes) ||
      !document_.read_index(json, "indices", "accessors", out.indices))
    return false;
  if (out.mode > Mode::fan)
    return document_.fail(Code::malformed, json, "expected a mode from 0 to 6, found " + std::to_string(out.mode));
  if (!attributes) return document_.fail(Code::malformed, json, "expected 'attributes' of a primitive, found none");
  if (!document_.read_index(*attributes, "POSITION", "accessors", out.positions)) return false;
  // Draco may leave the plain accessors without data, which would read as zeros.
  if (const auto extensions = json.find("extensions"); extensions && extensions->find("KHR_draco_mesh_compression") &&
                                                       out.positions &&
                                                       !document_.item("accessors", *out.positions).find("bufferView"))
    return document_.fail(Code::unsupported, json,
                          "a primitive needs the extension 'KHR_draco_mesh_compression', which is not read");
  return true;
}

bool GltfMeshes::read(std::uint32_t mesh, const Matrix3& stretch, MeshInput& out, std::vector<std::string>& problems) {
  const JsonView json = document_.item("meshes", mesh);
  if (primitive_count(json) == 0)
    return document_.fail(Code::malformed, json,
                          "expected primitives in mesh " + std::to_string(mesh) + ", found none");
  std::vector<Primitive> primitives;
  std::vector<std::vector<Index3>> lists;
  std::size_t other = 0, bare = 0;
  for (std::uint32_t p = 0; p < primitive_count(json); ++p) {
    Primitive primitive{(*json.find("primitives"))[p], p};
    if (!read_primitive(primitive.json, primitive)) return false;
    if (primitive.mode < Mode::triangles) {
      ++other;
      continue;
    }
    if (!primitive.positions) {
      ++bare;
      continue;
    }
    GltfPositions positions;
    if (!positions.open(document_, buffers_, *primitive.positions)) return false;
    lists.emplace_back();
    if (!read_triangles(primitive, positions.count(), lists.back(), problems)) return false;
    primitives.push_back(primitive);
  }
  if (other > 0) problems.push_back(counted(other, "primitive", "primitives") + " of points or lines left out");
  if (bare > 0) problems.push_back(counted(bare, "primitive", "primitives") + " without positions left out");
  if (json.find("weights")) problems.emplace_back("morph targets are ignored");
  if (primitives.empty()) return true;

  double rounded = 0;
  if (!add_vertices(out, stretch, primitives, lists, rounded)) return false;
  const bool mirrored = determinant(stretch) < 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (out.triangles.size() + lists[i].size() > k_max_ids)
      return document_.fail(Code::too_large, json, "more than 2^32 - 1 triangles");
    if (!document_.charge(lists[i].size() * sizeof(Index3) + sizeof(Surface), json)) return false;
    for (Index3 t : lists[i]) {
      if (mirrored) std::swap(t[1], t[2]);
      out.triangles.push_back(t);
    }
    Surface surface;
    if (!name_surface(primitives[i], surface.name)) return false;
    out.surfaces.push_back(std::move(surface));
    out.surface_of_triangle.insert(out.surface_of_triangle.end(), lists[i].size(), static_cast<std::uint32_t>(i));
  }
  if (!restore_surfaces(json, primitives, out, lists, problems)) return false;
  for (Surface& surface : out.surfaces)  // those that the triangles stand for
    if (surface.analytic || surface.sag.value + surface.tolerance > 0) surface.tolerance += rounded;
  if (stretch != k_identity3) {
    const double longer = largest_stretch(stretch);
    for (Surface& surface : out.surfaces) {
      surface.analytic.reset();  // it is no longer what it was
      surface.sag.value *= longer, surface.tolerance *= longer;
    }
  }
  drop_misfits(out, problems);
  return restore_order(primitives, out, problems);
}

bool GltfMeshes::read_triangles(const Primitive& primitive, std::uint64_t vertices, std::vector<Index3>& out,
                                std::vector<std::string>& problems) {
  std::vector<std::uint32_t> corners;
  if (primitive.indices) {
    if (!read_gltf_indices(document_, buffers_, *primitive.indices, vertices, corners)) return false;
  }
  const std::uint64_t count = primitive.indices ? corners.size() : vertices;
  const bool listed = primitive.mode == Mode::triangles;
  if (count < 3 || (listed && count % 3 != 0))
    return document_.fail(Code::malformed, primitive.json,
                          std::string("expected ") + (listed ? "a multiple of three" : "three or more") +
                              " corners in primitive " + std::to_string(primitive.id) + ", found " +
                              std::to_string(count));
  const std::uint64_t triangle_count = listed ? count / 3 : count - 2;
  if (!document_.charge(triangle_count * sizeof(Index3), primitive.json)) return false;
  out.reserve(static_cast<std::size_t>(triangle_count));

  const auto corner = [&](std::uint64_t i) {
    return corners.empty() ? static_cast<std::uint32_t>(i) : corners[static_cast<std::size_t>(i)];
  };
  std::uint64_t stitches = 0;
  for (std::uint64_t i = 0; i < triangle_count; ++i) {
    if (listed) {
      out.push_back({corner(3 * i), corner(3 * i + 1), corner(3 * i + 2)});
    } else if (primitive.mode == Mode::fan) {
      out.push_back({corner(0), corner(i + 1), corner(i + 2)});
    } else {
      const Index3 t{corner(i), corner(i + 1 + i % 2), corner(i + 2 - i % 2)};
      // Repeated corners lead a strip from one piece to the next; as triangles they would be needles between the two.
      if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
        ++stitches;
      else
        out.push_back(t);
    }
  }
  if (stitches > 0)
    problems.push_back(counted(stitches, "stitching triangle", "stitching triangles") + " of the strip in primitive " +
                       std::to_string(primitive.id) + " left out");
  return true;
}

/// Primitives that name the same accessor share its vertices. All of them are kept, used or not, unless the accessor
/// serves several meshes: then each takes what it uses, or a file of many small meshes would become a huge one.
bool GltfMeshes::add_vertices(MeshInput& mesh, const Matrix3& stretch, const std::vector<Primitive>& primitives,
                              std::vector<std::vector<Index3>>& lists, double& rounded) {
  std::map<std::uint32_t, std::vector<std::size_t>> users;  // of each accessor: places in `primitives`
  std::vector<std::uint32_t> order;
  for (std::size_t i = 0; i < primitives.size(); ++i) {
    auto& list = users[*primitives[i].positions];
    if (list.empty()) order.push_back(*primitives[i].positions);
    list.push_back(i);
  }
  const bool stretched = stretch != k_identity3;
  for (const std::uint32_t accessor : order) {
    GltfPositions positions;
    if (!positions.open(document_, buffers_, accessor)) return false;
    std::vector<std::uint32_t> used;
    const bool all = meshes_using_[accessor] < 2;
    if (!all) {
      for (const std::size_t i : users[accessor])
        for (const Index3& t : lists[i]) used.insert(used.end(), t.begin(), t.end());
      std::ranges::sort(used);
      const auto tail = std::ranges::unique(used);
      used.erase(tail.begin(), tail.end());
    }
    const std::uint64_t count = all ? positions.count() : used.size();
    const std::uint64_t first = mesh.vertices.size();
    const JsonView at = primitives[users[accessor].front()].json;
    if (first + count > k_max_ids) return document_.fail(Code::too_large, at, "more than 2^32 - 1 vertices");
    if (!document_.charge(count * sizeof(Point3), at)) return false;
    reserve_large(mesh.vertices, static_cast<std::size_t>(first + count));
    for (std::uint64_t i = 0; i < count; ++i) {
      Point3 v;
      if (!positions.read(all ? i : used[static_cast<std::size_t>(i)], v)) return false;
      if (positions.lost_exact()) rounded = std::max(rounded, 0x1p-23 * geometry::max_abs(v));
      if (stretched) v = stretch * v;
      if (!(geometry::max_abs(v) <= k_max_coordinate))
        return document_.fail(Code::non_finite, at, "a vertex becomes too large by its node's scale");
      mesh.vertices.push_back(v);
    }
    for (const std::size_t i : users[accessor])
      for (Index3& t : lists[i])
        for (std::uint32_t& v : t)
          v = static_cast<std::uint32_t>(
              first + (all ? v : static_cast<std::uint64_t>(std::ranges::lower_bound(used, v) - used.begin())));
    if (!document_.source().poll()) return document_.fail(*document_.source().failure());
  }
  return true;
}

bool GltfMeshes::name_surface(const Primitive& primitive, std::string& out) {
  std::optional<std::uint32_t> material;
  if (!document_.read_index(primitive.json, "material", "materials", material)) return false;
  if (material && !document_.read_string(document_.item("materials", *material), "name", out)) return false;
  if (out.empty()) out = "primitive " + std::to_string(primitive.id);
  return document_.charge(out.size(), primitive.json);
}

/// Surfaces as our own writer lists them: with their kinds and sags, and those that have no triangles.
bool GltfMeshes::restore_surfaces(JsonView mesh_json, const std::vector<Primitive>& primitives, MeshInput& mesh,
                                  const std::vector<std::vector<Index3>>& lists, std::vector<std::string>& problems) {
  const auto noted = note(mesh_json, "surfaces");
  if (!noted || !noted->is(Json::Kind::array) || noted->size() == 0) return true;
  std::vector<std::uint32_t> ids;
  for (const Primitive& primitive : primitives) {
    const auto id = as_id(note(primitive.json, "surface"), noted->size());
    if (!id) {
      problems.emplace_back("the notes on surfaces do not fit the primitives and are ignored");
      return true;
    }
    ids.push_back(*id);
  }
  Conversion length{LengthUnit::metre, document_.unit()};
  if (!read_noted_unit(document_, mesh_json, length.from)) return false;
  std::vector<Surface> surfaces;
  for (std::size_t i = 0; i < noted->size(); ++i) {
    surfaces.push_back(surface_from((*noted)[i], length));
    if (!document_.charge(sizeof(Surface) + surfaces.back().name.size(), mesh_json)) return false;
  }
  mesh.surfaces = std::move(surfaces);
  std::size_t at = 0;
  for (std::size_t i = 0; i < lists.size(); ++i)
    for (std::size_t t = 0; t < lists[i].size(); ++t) mesh.surface_of_triangle[at++] = ids[i];
  return true;
}

/// Our own writer keeps the order of triangles when surfaces alternate: each primitive names the ids of its triangles.
bool GltfMeshes::restore_order(const std::vector<Primitive>& primitives, MeshInput& mesh,
                               std::vector<std::string>& problems) {
  if (!note(primitives.front().json, "triangles")) return true;
  const std::size_t count = mesh.triangles.size();
  std::vector<std::uint32_t> place;
  const auto misfit = [&] {
    problems.emplace_back("the notes on the order of triangles do not fit and are ignored");
    return true;
  };
  for (const Primitive& primitive : primitives) {
    const auto accessor = as_id(note(primitive.json, "triangles"), document_.count("accessors"));
    if (!accessor) return misfit();
    std::vector<std::uint32_t> ids;
    if (!read_gltf_indices(document_, buffers_, *accessor, k_max_ids, ids)) return false;
    place.insert(place.end(), ids.begin(), ids.end());
  }
  std::vector<bool> taken(count);
  if (place.size() != count) return misfit();
  for (const std::uint32_t id : place) {
    if (id >= count || taken[id]) return misfit();
    taken[id] = true;
  }
  std::vector<Index3> triangles(count);
  std::vector<std::uint32_t> surfaces(count);
  for (std::size_t t = 0; t < count; ++t) {
    triangles[place[t]] = mesh.triangles[t];
    surfaces[place[t]] = mesh.surface_of_triangle[t];
  }
  mesh.triangles = std::move(triangles);
  mesh.surface_of_triangle = std::move(surfaces);
  return true;
}

}  // namespace snug::io
