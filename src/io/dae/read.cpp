#include "io/dae/mesh.hpp"
#include "io/gltf/placement.hpp"
#include "io/reader.hpp"
#include "io/text/number.hpp"
#include "support/trig.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace snug::io {

namespace {

using Code = IoError::Code;

// Levels of nodes, those of instances among them.
constexpr std::size_t k_most_levels = 64;
// Nodes may be instances of others, which may be instances: a small file could name more of them than anyone can visit.
constexpr std::uint64_t k_most_visits = std::uint64_t{1} << 20;
constexpr std::uint64_t k_most_path_bytes = std::uint64_t{256} << 20;  // a second of copying

/// Row-major, the last row left out.
struct Affine {
  Matrix3 linear = k_identity3;
  Vec3 translation;
};

Affine product(const Affine& outer, const Affine& inner) {
  Affine out;
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 3; ++c) {
      double sum = 0;
      for (std::size_t k = 0; k < 3; ++k) sum += outer.linear[3 * r + k] * inner.linear[3 * k + c];
      out.linear[3 * r + c] = sum;
    }
  out.translation = outer.linear * inner.translation + outer.translation;
  return out;
}

/// Of a unit axis.
Matrix3 turned(const Vec3& u, double radians) {
  const double c = support::cosine(radians), s = support::sine(radians), d = 1 - c;
  return {c + u.x * u.x * d,       u.x * u.y * d - u.z * s, u.x * u.z * d + u.y * s,
          u.y * u.x * d + u.z * s, c + u.y * u.y * d,       u.y * u.z * d - u.x * s,
          u.z * u.x * d - u.y * s, u.z * u.y * d + u.x * s, c + u.z * u.z * d};
}

class DaeReader {
 public:
  DaeReader(const DaeDocument& document, ByteSource& source) : document_(document), source_(source) {}

  Result<RawAssembly, IoError> read() {
    Placement root;
    if (auto done = read_asset(root); !done) return Failure{done.error()};
    const auto scene = visual_scene();
    if (!scene) return Failure{scene.error()};
    auto done = *scene != nullptr ? visit_children(**scene, "", root, 0) : place_all(root);
    if (!done) return Failure{done.error()};
    if (skins_ > 0)
      out_.losses.push_back(
          {"", counted(skins_, "skinned or morphed mesh is", "skinned or morphed meshes are") + " not read"});
    if (out_.parts.empty()) return document_.fail(document_.root(), "expected triangles in the scene, found none");
    return std::move(out_);
  }

 private:
  /// The unit, and a remark on the axis that points up: coordinates stay as they are in the file, as those of other formats.
  Result<void, IoError> read_asset(Placement& root) {
    out_.units = LengthUnit::metre;
    const XmlElement* asset = document_.child(document_.root(), "asset");
    if (asset == nullptr) return {};
    if (const XmlElement* up = document_.child(*asset, "up_axis");
        up != nullptr && up->text.find("Z_UP") == up->text.npos)
      out_.problems.push_back("its up_axis is " + io::quoted(up->text.substr(0, 20)) +
                              "; coordinates are left in the axes of the file");
    const XmlElement* unit = document_.child(*asset, "unit");
    const std::string* text = unit == nullptr ? nullptr : unit->attribute("meter");
    if (text == nullptr) return {};
    double metres = 0;
    const char* at = text->data();
    if (parse_coordinate(at, text->data() + text->size(), metres) != NumberState::ok ||
        at != text->data() + text->size() || !(metres >= 1e-12 && metres <= 1e12))
      return document_.fail(*unit, "'meter' of <unit> must be a length in metres, found " + io::quoted(*text));
    for (const LengthUnit known : {LengthUnit::micrometre, LengthUnit::millimetre, LengthUnit::centimetre,
                                   LengthUnit::metre, LengthUnit::inch, LengthUnit::foot})
      if (std::abs(metres - metres_per(known)) <= 1e-9 * metres) return out_.units = known, Result<void, IoError>{};
    root.stretch = {metres, 0, 0, 0, metres, 0, 0, 0, metres};
    return {};
  }

  /// Of <scene>, the first one without; null if there is none.
  Result<const XmlElement*, IoError> visual_scene() {
    if (const XmlElement* scene = document_.child(document_.root(), "scene"))
      if (const XmlElement* instance = document_.child(*scene, "instance_visual_scene"))
        return document_.target(*instance, "url", "visual_scene");
    for (const std::uint32_t id : document_.root().children)
      if (document_.element(id).name == "library_visual_scenes")
        if (const XmlElement* first = document_.child(document_.element(id), "visual_scene")) return first;
    return nullptr;
  }

  /// Without a scene: all geometry, where it is.
  Result<void, IoError> place_all(const Placement& root) {
    for (const std::uint32_t library : document_.root().children) {
      if (document_.element(library).name != "library_geometries") continue;
      for (const std::uint32_t id : document_.element(library).children)
        if (const XmlElement& geometry = document_.element(id); geometry.name == "geometry")
          if (auto done = add_part(geometry, geometry, name_of(geometry), root); !done) return done;
    }
    return {};
  }

  static std::string name_of(const XmlElement& element) {
    for (const char* attribute : {"name", "id"})
      if (const std::string* name = element.attribute(attribute); name != nullptr && !name->empty()) return *name;
    return {};
  }

  Result<void, IoError> visit_children(const XmlElement& of, const std::string& path, const Placement& placement,
                                       std::size_t level) {
    for (const std::uint32_t id : of.children) {
      const XmlElement& element = document_.element(id);
      if (element.name == "node") {
        if (auto done = visit(element, path, placement, level + 1); !done) return done;
      } else if (element.name == "instance_node") {
        const auto node = document_.target(element, "url", "node");
        if (!node) return Failure{node.error()};
        if (auto done = visit(**node, path, placement, level + 1); !done) return done;
      } else if (element.name == "instance_geometry") {
        const auto geometry = document_.target(element, "url", "geometry");
        if (!geometry) return Failure{geometry.error()};
        const std::string name = path.empty() ? name_of(**geometry) : path;
        if (auto done = add_part(element, **geometry, name, placement); !done) return done;
      } else if (element.name == "instance_controller") {
        ++skins_;
      }
    }
    return {};
  }

  Result<void, IoError> visit(const XmlElement& node, const std::string& path, const Placement& parent,
                              std::size_t level) {
    if (level > k_most_levels)
      return document_.fail(node, "nodes are nested deeper than 64 levels, or are instances of themselves",
                            Code::too_large);
    if (++visits_ > k_most_visits)
      return document_.fail(node, "instances of nodes make more than 2^20 of them", Code::too_large);
    if (!source_.poll()) return Failure{*source_.failure()};
    const auto local = transform_of(node);
    if (!local) return Failure{local.error()};
    const auto placement = place_child(parent, {local->translation, factor(local->linear)});
    if (!placement) return document_.fail(node, "the node stands beyond all limits", Code::non_finite);
    const std::string name = name_of(node);
    // Each visit makes a path: instances of long names would make a small file work for hours.
    path_bytes_ += path.size() + name.size();
    if (path_bytes_ > k_most_path_bytes)
      return document_.fail(node, "the paths of its nodes take more than 256 MiB", Code::too_large);
    return visit_children(node, path.empty() || name.empty() ? path + name : path + '/' + name, *placement, level);
  }

  Result<Affine, IoError> transform_of(const XmlElement& node) {
    Affine out;
    for (const std::uint32_t id : node.children) {
      const XmlElement& element = document_.element(id);
      if (element.name == "lookat" || element.name == "skew")
        return document_.fail(element, '<' + element.name + "> is not read", Code::unsupported);
      const std::size_t expected = element.name == "matrix"                                 ? 16
                                   : element.name == "rotate"                               ? 4
                                   : element.name == "translate" || element.name == "scale" ? 3
                                                                                            : 0;
      if (expected == 0) continue;
      const auto numbers = document_.numbers(element, expected);
      if (!numbers) return Failure{numbers.error()};
      const auto step = step_of(element, *numbers);
      if (!step) return Failure{step.error()};
      out = product(out, *step);
    }
    return out;
  }

  Result<Affine, IoError> step_of(const XmlElement& element, const std::vector<double>& n) {
    if (element.name == "translate") return Affine{k_identity3, {n[0], n[1], n[2]}};
    if (element.name == "scale") return Affine{{n[0], 0, 0, 0, n[1], 0, 0, 0, n[2]}, {}};
    if (element.name == "matrix") {
      if (n[12] != 0 || n[13] != 0 || n[14] != 0 || !(std::abs(n[15] - 1) <= 0x1p-20))
        return document_.fail(element, "expected a last row of 0 0 0 1 in <matrix>");
      return Affine{{n[0], n[1], n[2], n[4], n[5], n[6], n[8], n[9], n[10]}, {n[3], n[7], n[11]}};
    }
    const double length = std::hypot(n[0], n[1], n[2]);
    if (n[3] == 0) return Affine{};
    if (!(length > 0)) return document_.fail(element, "the axis of <rotate> is zero");
    // Whole turns change nothing, and are exact in degrees.
    const double degrees = std::fmod(n[3], 360.0);
    return Affine{turned({n[0] / length, n[1] / length, n[2] / length}, degrees * support::k_pi / 180), {}};
  }

  Result<void, IoError> add_part(const XmlElement& at, const XmlElement& geometry, const std::string& name,
                                 const Placement& placement) {
    if (out_.parts.size() >= k_max_parts)
      return document_.fail(at, "there are more than 2^18 instances of geometry", Code::too_large);
    // A small file can name much: long names by many instances, one array by many geometries.
    const std::uint64_t most_bytes = std::max(std::uint64_t{1} << 30, 64 * source_.size());
    bytes_ += name.size();
    if (bytes_ > most_bytes) return document_.fail(at, "the names of its parts take too much memory", Code::too_large);
    RawPart part;
    part.name = name;
    part.pose = placement.pose;
    const auto key = std::pair{&geometry, placement.stretch};
    if (const auto earlier = read_.find(key); earlier != read_.end()) {
      if (!earlier->second) return {};
      part.instance_of = *earlier->second;
      out_.parts.push_back(std::move(part));
      return {};
    }
    auto mesh = read_dae_mesh(document_, geometry, (most_bytes - bytes_) / sizeof(double));
    if (!mesh) return Failure{mesh.error()};
    if (mesh->mesh.triangles.empty()) {
      read_.emplace(key, std::nullopt);
      return {};
    }
    // Each stretch of a geometry is a mesh of its own: a small file must not fill the memory with them.
    bytes_ += mesh->mesh.vertices.size() * sizeof(Point3) + mesh->mesh.triangles.size() * sizeof(Index3);
    if (bytes_ > most_bytes)
      return document_.fail(at, "its geometry in all its scales takes too much memory", Code::too_large);
    for (Point3& p : mesh->mesh.vertices) {
      p = placement.stretch * p;
      if (!(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) <= k_max_coordinate))
        return document_.fail(at, "its geometry is scaled beyond all limits", Code::non_finite);
    }
    if (determinant(placement.stretch) < 0)
      for (Index3& t : mesh->mesh.triangles) std::swap(t[1], t[2]);
    part.mesh = std::move(mesh->mesh);
    part.problems = std::move(mesh->problems);
    read_.emplace(key, static_cast<std::uint32_t>(out_.parts.size()));
    out_.parts.push_back(std::move(part));
    return {};
  }

  const DaeDocument& document_;
  ByteSource& source_;
  RawAssembly out_;
  std::map<std::pair<const XmlElement*, Matrix3>, std::optional<std::uint32_t>> read_;
  std::uint64_t visits_ = 0, bytes_ = 0, path_bytes_ = 0, skins_ = 0;
};

}  // namespace

Result<RawAssembly, IoError> read_dae(ByteSource& source, const LoadOptions&) {
  const auto text = read_piece(source, source.remaining());
  if (source.failure()) return Failure{*source.failure()};
  if (!text) return Failure{text.error()};
  const auto document = DaeDocument::parse(*text, source.path());
  if (!document) return Failure{document.error()};
  return DaeReader(*document, source).read();
}

}  // namespace snug::io
