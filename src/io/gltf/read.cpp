#include "io/errors.hpp"
#include "io/gltf/mesh.hpp"
#include "io/gltf/notes.hpp"
#include "io/reader.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace snug::io {

namespace {

using Code = IoError::Code;

constexpr std::size_t k_max_depth = 256;
constexpr std::uint32_t k_none = 0xFFFF'FFFF;

/// The forest of nodes, with its parents checked: nothing has two, nothing is its own ancestor.
struct Forest {
  std::vector<std::vector<std::uint32_t>> children;
  std::vector<std::uint32_t> parent;  ///< k_none for roots

  bool read(GltfDocument& document) {
    const std::size_t count = document.count("nodes");
    children.resize(count);
    parent.assign(count, k_none);
    for (std::uint32_t n = 0; n < count; ++n) {
      const JsonView json = document.item("nodes", n);
      if (!document.read_indices(json, "children", "nodes", children[n])) return false;
      for (const std::uint32_t child : children[n]) {
        if (parent[child] != k_none || child == n)
          return document.fail(
              Code::malformed, json,
              "node " + std::to_string(child) + (child == n ? " is its own child" : " has more than one parent"));
        parent[child] = n;
      }
    }
    return find_cycle(document);
  }

 private:
  /// With one parent each, whatever no root leads to goes round in circles.
  bool find_cycle(GltfDocument& document) const {
    std::vector<bool> reached(parent.size());
    std::vector<std::uint32_t> open;
    for (std::uint32_t n = 0; n < parent.size(); ++n)
      if (parent[n] == k_none) open.push_back(n);
    while (!open.empty()) {
      const std::uint32_t n = open.back();
      open.pop_back();
      reached[n] = true;
      open.insert(open.end(), children[n].begin(), children[n].end());
    }
    const auto lost = std::ranges::find(reached, false);
    if (lost == reached.end()) return true;
    const auto n = static_cast<std::size_t>(lost - reached.begin());
    return document.fail(Code::malformed, document.item("nodes", n),
                         "node " + std::to_string(n) + " is its own ancestor");
  }
};

class AssemblyReader {
 public:
  explicit AssemblyReader(GltfDocument& document)
      : document_(document), buffers_(document), meshes_(document, buffers_), mesh_used_(document.count("meshes")) {}

  bool read(RawAssembly& out) {
    out_ = &out;
    out.units = document_.unit();
    std::vector<std::uint32_t> roots;
    if (!forest_.read(document_) || !choose_roots(roots) || !meshes_.prepare()) return false;
    variants_.resize(mesh_used_.size());
    reserve_parts(roots);
    if (document_.count("nodes") == 0) {
      if (!place_all_meshes()) return false;
    } else {
      for (const std::uint32_t root : roots)
        if (!walk(root)) return false;
      list_unused_meshes();
    }
    list_imprecise();
    if (moved_ > 0)
      document_.problems().push_back(counted(moved_, "node was", "nodes were") +
                                     " moved since snug wrote the file; where they are now counts");
    if (document_.root().find("animations")) document_.problems().emplace_back("animations are ignored");
    if (out.parts.empty())
      return document_.fail(Code::malformed, document_.root(), "expected triangles in the scene, found none");
    out.problems.insert(out.problems.begin(), document_.problems().begin(), document_.problems().end());
    out.referenced = buffers_.referenced();
    return true;
  }

 private:
  /// Of one mesh: which part was the first with a stretch, k_none if there was nothing to read.
  using Variants = std::map<Matrix3, std::uint32_t>;

  /// A node with a mesh makes one part at most. Growing by doubling would hold the parts twice for a while, beside the text.
  /// Nodes of other scenes make none, however many a file lists.
  void reserve_parts(const std::vector<std::uint32_t>& roots) {
    std::size_t count = 0;
    for (std::vector<std::uint32_t> left = roots; !left.empty();) {
      const std::uint32_t n = left.back();
      left.pop_back();
      count += document_.item("nodes", n).find("mesh") ? 1 : 0;
      left.insert(left.end(), forest_.children[n].begin(), forest_.children[n].end());
    }
    out_->parts.reserve(std::min(count, k_max_parts));
  }

  /// The nodes of the default scene, of the first one, or all roots when there is no scene.
  bool choose_roots(std::vector<std::uint32_t>& roots) {
    const std::size_t scenes = document_.count("scenes");
    if (scenes == 0) {
      for (std::uint32_t n = 0; n < forest_.parent.size(); ++n)
        if (forest_.parent[n] == k_none) roots.push_back(n);
      return true;
    }
    std::optional<std::uint32_t> chosen;
    if (!document_.read_index(document_.root(), "scene", "scenes", chosen)) return false;
    if (scenes > 1)
      document_.problems().push_back("scene " + std::to_string(chosen.value_or(0)) + " of " + std::to_string(scenes) +
                                     " is read, the others are not");
    const JsonView scene = document_.item("scenes", chosen.value_or(0));
    if (!document_.read_indices(scene, "nodes", "nodes", roots)) return false;
    std::vector<bool> seen(forest_.parent.size());
    for (const std::uint32_t n : roots) {
      if (forest_.parent[n] != k_none || seen[n])
        return document_.fail(Code::malformed, scene,
                              "node " + std::to_string(n) + " is listed in the scene although it has " +
                                  (seen[n] ? "been listed before" : "a parent"));
      seen[n] = true;
    }
    return true;
  }

  /// In the unit of the assembly.
  bool read_local(std::uint32_t node, LocalTransform& out) {
    bool moved = false;
    if (!read_transform(node, out) ||
        !read_noted_translation(document_, document_.item("nodes", node), document_.unit(), out.translation, moved))
      return false;
    moved_ += moved ? 1 : 0;
    return true;
  }

  bool read_transform(std::uint32_t node, LocalTransform& out) {
    const JsonView json = document_.item("nodes", node);
    std::array<double, 16> m{};
    std::array<double, 3> t{}, s{1, 1, 1};
    std::array<double, 4> q{0, 0, 0, 1};
    bool has_matrix = false, has_t = false, has_r = false, has_s = false;
    if (!document_.read_numbers(json, "matrix", m, has_matrix) ||
        !document_.read_numbers(json, "translation", t, has_t) || !document_.read_numbers(json, "rotation", q, has_r) ||
        !document_.read_numbers(json, "scale", s, has_s))
      return false;
    if (has_matrix && (has_t || has_r || has_s))
      return document_.fail(Code::malformed, json,
                            "node " + std::to_string(node) + " has both a matrix and translation, rotation or scale");
    if (has_matrix) {  // column by column in the file
      // The last number is a common divisor, and comes out of products in single precision a little off one.
      if (m[3] != 0 || m[7] != 0 || m[11] != 0 || !(std::abs(m[15] - 1) <= 0x1p-20))
        return document_.fail(Code::malformed, json,
                              "expected a last row of 0 0 0 1 in the matrix of node " + std::to_string(node));
      const double divisor = m[15];
      for (double& e : m) e /= divisor;
      out.translation = {m[12], m[13], m[14]};
      out.linear = factor({m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]});
      return true;
    }
    const double length = std::sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
    if (!(std::abs(length - 1) <= 0.01))
      return document_.fail(
          Code::malformed, json,
          "expected a rotation of unit length in node " + std::to_string(node) + ", found " + number_text(length));
    out.translation = {t[0], t[1], t[2]};
    out.linear = {{q[3], q[0], q[1], q[2]}, {s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]}, 0};
    return true;
  }

  /// A node and what hangs below it, each before its children.
  bool walk(std::uint32_t root) {
    struct Level {
      std::uint32_t node;
      std::size_t next_child;
      std::size_t path_length;
      Placement placement;
      std::optional<std::uint32_t> frame;  ///< of the node itself, if others hang below it
    };
    std::vector<Level> levels;
    std::string path;
    const auto enter = [&](std::uint32_t node) {
      const JsonView json = document_.item("nodes", node);
      if (levels.size() == k_max_depth)
        return document_.fail(Code::too_large, json,
                              "nodes are nested deeper than " + std::to_string(k_max_depth) + " levels");
      // Without it, hundreds of parts would be one: not a detail to be listed and forgotten.
      if (const auto extensions = json.find("extensions"); extensions && extensions->find("EXT_mesh_gpu_instancing"))
        return document_.fail(
            Code::unsupported, json,
            "node " + std::to_string(node) + " needs the extension 'EXT_mesh_gpu_instancing', which is not read");
      LocalTransform local;
      if (!read_local(node, local)) return false;
      const auto placement = place_child(levels.empty() ? Placement{} : levels.back().placement, local);
      if (!placement)
        return document_.fail(Code::non_finite, json, "node " + std::to_string(node) + " stands beyond all limits");
      std::optional<std::uint32_t> mesh;
      std::string name;
      if (!document_.read_index(json, "mesh", "meshes", mesh) || !document_.read_string(json, "name", name))
        return false;
      if (name.empty() && mesh && !document_.read_string(document_.item("meshes", *mesh), "name", name)) return false;
      if (name.empty()) name = "node " + std::to_string(node);
      const std::optional<std::uint32_t> above = levels.empty() ? std::nullopt : levels.back().frame;
      levels.push_back({node, 0, path.size(), *placement, std::nullopt});
      if (!path.empty()) path += '/';
      path += name;
      if (!forest_.children[node].empty()) {
        if (!document_.charge(sizeof(Frame) + path.size(), json)) return false;
        levels.back().frame = static_cast<std::uint32_t>(out_->frames.size());
        out_->frames.push_back({path, placement->pose});
      }
      return !mesh || add_part(*mesh, path, *placement, json, above);
    };
    if (!enter(root)) return false;
    while (!levels.empty()) {
      Level& top = levels.back();
      const auto& children = forest_.children[top.node];
      if (top.next_child < children.size()) {
        if (!enter(children[top.next_child++])) return false;
      } else {
        path.resize(top.path_length);
        levels.pop_back();
      }
    }
    return true;
  }

  bool add_part(std::uint32_t mesh, const std::string& path, const Placement& placement, JsonView node,
                std::optional<std::uint32_t> frame = std::nullopt) {
    if (!document_.charge(sizeof(RawPart) + sizeof(Part) + 3 * path.size(), node)) return false;
    const bool first = !mesh_used_[mesh];
    mesh_used_[mesh] = true;
    RawPart part;
    part.name = path;
    part.pose = placement.pose;
    part.color = noted_color(node);
    part.frame = frame;
    if (node.find("skin")) part.problems.emplace_back("its skin is ignored");
    if (const auto earlier = variants_[mesh].find(placement.stretch); earlier != variants_[mesh].end()) {
      if (earlier->second == k_none) return true;
      note_precision(placement);
      part.instance_of = earlier->second;
      out_->parts.push_back(std::move(part));
      return true;
    }
    std::vector<std::string> problems;
    if (!meshes_.read(mesh, placement.stretch, part.mesh, problems)) return false;
    if (!document_.source().poll()) return document_.fail(*document_.source().failure());
    const bool empty = part.mesh.triangles.empty();
    variants_[mesh].emplace(placement.stretch, empty ? k_none : static_cast<std::uint32_t>(out_->parts.size()));
    if (empty) {
      if (first)
        out_->problems.push_back("mesh " + std::to_string(mesh) + " has no triangles and is left out" +
                                 (problems.empty() ? "" : ": " + problems.front()));
      return true;
    }
    note_precision(placement);
    if (first) part.problems.insert(part.problems.end(), problems.begin(), problems.end());
    if (determinant(placement.stretch) == 0) part.problems.emplace_back("its scale makes it flat");
    out_->parts.push_back(std::move(part));
    return true;
  }

  bool place_all_meshes() {
    for (std::uint32_t m = 0; m < mesh_used_.size(); ++m) {
      const JsonView json = document_.item("meshes", m);
      std::string name;
      if (!document_.read_string(json, "name", name)) return false;
      if (name.empty()) name = "mesh " + std::to_string(m);
      if (!add_part(m, name, {}, json)) return false;
    }
    return true;
  }

  void note_precision(const Placement& placement) {
    if (placement.off <= k_noticeable) return;
    ++imprecise_;
    most_off_ = std::max(most_off_, placement.off);
  }
  void list_imprecise() {
    if (imprecise_ == 0) return;
    out_->problems.push_back(counted(imprecise_, "part stands", "parts stand") +
                             " by matrices that are rotations and scales to single precision only, and are taken as "
                             "such: off by up to " +
                             number_text(most_off_) + " of their size");
  }

  void list_unused_meshes() {
    const auto unused = std::ranges::count(mesh_used_, false);
    if (unused > 0)
      out_->problems.push_back(counted(static_cast<std::uint64_t>(unused), "mesh is", "meshes are") +
                               " used by no node of the scene and left out");
  }

  GltfDocument& document_;
  GltfBuffers buffers_;
  GltfMeshes meshes_;
  Forest forest_;
  std::vector<bool> mesh_used_;
  std::vector<Variants> variants_;  ///< per mesh
  std::uint64_t imprecise_ = 0;     ///< parts whose placement is off by more than rounding
  double most_off_ = 0;
  std::uint64_t moved_ = 0;  ///< nodes that are not where our writer noted them
  RawAssembly* out_ = nullptr;
};

}  // namespace

Result<RawAssembly, IoError> read_gltf(ByteSource& source, const LoadOptions& options) {
  auto document = GltfDocument::read(source, options);
  if (!document) return Failure{document.error()};
  GltfUnit unit;
  if (!choose_unit(*document, options.units, unit)) return document->failure();
  document->set_unit(unit.unit);
  RawAssembly out;
  if (!AssemblyReader(*document).read(out)) return document->failure();
  out.units = unit.called;
  out.units_of_file = unit.noted;
  return out;
}

}  // namespace snug::io
