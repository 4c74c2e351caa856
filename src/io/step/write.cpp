#include "io/errors.hpp"
#include "io/step/write_brep.hpp"
#include "io/step/write_products.hpp"
#include "io/step/write_shape.hpp"
#include "io/step/write_tree.hpp"
#include "io/writer.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace snug::io {

namespace {

/// The mesh where its part stands.
Mesh posed(const Part& part) {
  MeshInput input;
  input.triangles.assign(part.mesh.triangles().begin(), part.mesh.triangles().end());
  input.surfaces.assign(part.mesh.surfaces().begin(), part.mesh.surfaces().end());
  for (std::uint32_t t = 0; t < input.triangles.size(); ++t)
    input.surface_of_triangle.push_back(part.mesh.surface_of(t));
  input.vertices.resize(part.mesh.vertices().size());
  part.pose.apply(part.mesh.vertices(), input.vertices);
  const auto turn = Pose::make(part.pose.rotation(), {}).value();
  for (Surface& surface : input.surfaces) {
    if (!surface.analytic) continue;
    surface.analytic->origin = part.pose.apply(surface.analytic->origin);
    surface.analytic->axis = turn.apply(surface.analytic->axis);
    if (!is_valid(surface.kind, *surface.analytic)) surface.analytic.reset();
  }
  return Mesh::build(std::move(input)).value();  // posed vertices stay finite
}

class StepWriter {
 public:
  StepWriter(ByteSink& sink, const Assembly& assembly)
      : sink_(sink),
        assembly_(assembly),
        step_(sink),
        tree_(product_tree(assembly)),
        steps_(sink, total_steps(assembly)) {}

  void write() {
    sink_.text(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n"
        "FILE_NAME('','',(''),(''),'snug','snug','');\n"
        "FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));\nENDSEC;\nDATA;\n");
    find_bodies();
    for (Body& body : bodies_) {
      write_body(body);
      if (!sink_.ok()) return;
    }
    // What the kernels of CAD programs take for one point by themselves.
    const double least = 1e-10 / metres_per(assembly_.units());
    contexts_ = write_contexts(step_, assembly_.units(), std::max(least, off_));
    for (Body& body : bodies_) body.product = write_part(step_, contexts_, body.path, body.name, body.shape);
    write_nodes();
    write_all_colors();
    sink_.text("ENDSEC;\nEND-ISO-10303-21;\n");
  }

 private:
  /// A product with a shape: parts that share their mesh and their colour.
  struct Body {
    std::string path;  ///< of its first part
    std::string name;  ///< of that part; the placements of others that share it have theirs
    Mesh mesh;
    std::optional<Rgba> color;
    StepShape shape;
    StepProduct product;
  };

  static std::uint64_t total_steps(const Assembly& assembly) {
    std::uint64_t total = 0;
    for (const Part& part : assembly.parts()) total += 4 * part.mesh.triangles().size();
    return total;
  }

  void find_bodies() {
    std::vector<bool> is_root(assembly_.parts().size());
    for (const ProductTree::Child& root : tree_.roots)
      if (!root.is_node) is_root[root.id] = true;
    // Shared data, shared address; a root has a body of its own.
    using Key = std::tuple<const Point3*, std::optional<Rgba>, std::size_t>;
    std::map<Key, std::size_t> known;
    std::uint64_t standing = 0;
    for (std::size_t p = 0; p < assembly_.parts().size(); ++p) {
      const Part& part = assembly_.parts()[p];
      const auto [entry, is_new] =
          known.try_emplace(Key{part.mesh.vertices().data(), part.color, is_root[p] ? p + 1 : 0}, bodies_.size());
      body_of_.push_back(entry->second);
      if (is_new) {
        const bool moves = is_root[p] && part.pose != Pose{};
        standing += moves;
        bodies_.push_back({part.path, tree_.name_of_part[p], moves ? posed(part) : part.mesh, part.color, {}, {}});
      }
    }
    if (standing > 0)
      sink_.note_loss({},
                      counted(standing, "part that belongs", "parts that belong") +
                          " to no subassembly written where its pose puts it: only what is below others has a pose");
  }

  void write_body(Body& body) {
    const Brep brep = make_brep(body.mesh, steps_);
    if (!sink_.ok()) return;
    body.shape = write_shape(step_, body.mesh, brep, surfaces_written_, steps_);
    surfaces_written_ += body.mesh.surfaces().size();
    for (const BrepShell& shell : brep.shells)
      for (const BrepFace& face : shell.faces) off_ = std::max(off_, face.form.off);
    const auto note = [&](std::uint64_t count, std::string_view one, std::string_view many, std::string_view text) {
      if (count > 0) sink_.note_loss(body.path, counted(count, one, many) + ' ' + std::string(text));
    };
    note(brep.surfaces_as_triangles, "surface", "surfaces", "written as flat triangles");
    note(brep.surfaces_recognised, "surface", "surfaces",
         "of unknown kind written as what the vertices lie on: cylinder, cone, sphere or torus");
    note(brep.surfaces_in_pieces, "surface", "surfaces", "in several pieces, each of which becomes a face");
    note(brep.triangles_left_out, "triangle", "triangles", "without area left out");
    note(body.shape.turned, "shell that was inside out", "shells that were inside out", "turned");
    std::uint64_t empty = 0;
    for (std::uint32_t s = 0; s < body.mesh.surfaces().size(); ++s) empty += body.mesh.triangles_of(s).empty();
    note(empty, "surface", "surfaces", "without triangles not kept");
  }

  void write_nodes() {
    std::vector<StepProduct> made(tree_.nodes.size());
    for (std::size_t n = tree_.nodes.size(); n-- > 0;) {
      const ProductTree::Node& node = tree_.nodes[n];
      std::vector<StepOccurrence> children;
      for (const ProductTree::Child& child : node.children) {
        if (child.is_node)
          children.push_back({made[child.id], tree_.nodes[child.id].name, {}});
        else
          children.push_back(
              {bodies_[body_of_[child.id]].product, tree_.name_of_part[child.id], assembly_.parts()[child.id].pose});
      }
      made[n] = write_subassembly(step_, contexts_, node.path + '/', node.name, children);
    }
  }

  void write_all_colors() {
    std::vector<std::pair<StepId, Rgba>> colors;
    for (const Body& body : bodies_) {
      if (body.color)
        for (const auto& list : {body.shape.solids, body.shape.sheets})
          for (const StepId item : list) colors.emplace_back(item, *body.color);
      colors.insert(colors.end(), body.shape.face_colors.begin(), body.shape.face_colors.end());
    }
    write_colors(step_, contexts_, colors);
  }

  ByteSink& sink_;
  const Assembly& assembly_;
  StepText step_;
  ProductTree tree_;
  Steps steps_;
  std::vector<Body> bodies_;
  std::vector<std::size_t> body_of_;  ///< per part
  StepContexts contexts_;
  std::uint64_t surfaces_written_ = 0;
  double off_ = 0;  ///< largest distance of a vertex from its face's form
};

}  // namespace

Result<void, IoError> write_step(ByteSink& sink, const Assembly& assembly, const SaveOptions&) {
  StepWriter(sink, assembly).write();
  return {};
}

}  // namespace snug::io
