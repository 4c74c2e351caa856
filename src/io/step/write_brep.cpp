#include "io/step/write_brep.hpp"

#include "geometry/edges.hpp"
#include "geometry/vec_ops.hpp"
#include "mesh/topology.hpp"
#include "support/disjoint_sets.hpp"

#include <snug/inspect.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace snug::io {

namespace {

constexpr std::uint32_t k_no_chain = 0xffffffffU;

using geometry::EdgeUse;

/// Side `s` of triangle `t` is half-edge 3 t + s: it runs from corner s to the next, with the triangle at its left.
class BrepBuilder {
 public:
  BrepBuilder(const Mesh& mesh, Steps& steps)
      : mesh_(mesh),
        steps_(steps),
        place_of_(geometry::same_place_ids(mesh.vertices())),
        uses_(geometry::sorted_edge_uses(mesh.view(), place_of_)),
        forms_(face_forms(mesh)),
        tolerance_(form_tolerance(mesh)) {}

  Brep build() {
    join_triangles();
    // A closed form without an edge, or an edge that a closed form would need, cannot always be told from the surface
    // alone: what turns out not to be a face falls back to triangles, and its neighbours' edges with it.
    while (!trace_all()) {
    }
    if (!steps_.next()) return std::move(out_);
    fit_chains();
    gather_shells();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::uint32_t surface_of(std::uint32_t triangle) const { return mesh_.surface_of(triangle); }
  [[nodiscard]] std::uint32_t from(std::uint32_t half) const {
    return place_of_[mesh_.triangles()[half / 3][half % 3]];
  }
  [[nodiscard]] std::uint32_t to(std::uint32_t half) const {
    return place_of_[mesh_.triangles()[half / 3][(half + 1) % 3 == 0 ? 0 : half % 3 + 1]];
  }
  static std::uint32_t next_side(std::uint32_t half) { return half - half % 3 + (half + 1) % 3; }

  /// Triangles of one surface that hang together are a face.
  void join_triangles() {
    const std::size_t count = mesh_.triangles().size();
    mate_.assign(3 * count, k_no_chain);
    edge_of_.assign(3 * count, k_no_chain);
    std::uint32_t edges = 0;
    geometry::for_each_edge(std::span<const EdgeUse>(uses_), [&](std::span<const EdgeUse> edge) {
      for (const EdgeUse& use : edge) edge_of_[3 * use.triangle + use.side] = edges;
      first_use_.push_back(static_cast<std::uint32_t>(edge.data() - uses_.data()));
      ++edges;
      if (edge.size() != 2 || edge[0].forward == edge[1].forward) return;
      if (surface_of(edge[0].triangle) != surface_of(edge[1].triangle)) return;
      const std::uint32_t a = 3 * edge[0].triangle + edge[0].side, b = 3 * edge[1].triangle + edge[1].side;
      mate_[a] = b, mate_[b] = a;
    });
    first_use_.push_back(static_cast<std::uint32_t>(uses_.size()));
  }

  [[nodiscard]] std::span<const EdgeUse> uses_of(std::uint32_t edge) const {
    return std::span(uses_).subspan(first_use_[edge], first_use_[edge + 1] - first_use_[edge]);
  }
  [[nodiscard]] bool is_rim(std::uint32_t half) const {
    return edge_of_[half] != k_no_chain &&
           (mate_[half] == k_no_chain || forms_[surface_of(half / 3)].is_flat_triangles());
  }

  void number_faces() {
    support::DisjointSets joined(mesh_.triangles().size());
    for (std::uint32_t h = 0; h < mate_.size(); ++h)
      if (edge_of_[h] != k_no_chain && !is_rim(h)) joined.join(h / 3, mate_[h] / 3);
    const auto number = joined.numbered();
    face_of_.assign(number.begin(), number.end());
  }

  /// Loops of half-edges around every face; false if a form had to be given up.
  bool trace_all() {
    number_faces();
    loops_.clear();
    std::vector<bool> seen(mate_.size());
    for (std::uint32_t h = 0; h < mate_.size(); ++h) {
      if (!is_rim(h) || seen[h]) continue;
      std::vector<std::uint32_t> loop;
      for (std::uint32_t g = h; !seen[g]; g = next_on_rim(g)) {
        seen[g] = true;
        loop.push_back(g);
      }
      loops_[face_of_[h / 3]].push_back(std::move(loop));
      if (!steps_.next()) return true;
    }
    bool all_good = true;
    std::vector<bool> judged(mesh_.triangles().size());
    for (std::uint32_t t = 0; t < mesh_.triangles().size(); ++t) {
      const std::uint32_t face = face_of_[t];
      FaceForm& form = forms_[surface_of(t)];
      if (judged[face] || form.is_flat_triangles() || edge_of_[3 * t] == k_no_chain) continue;
      judged[face] = true;
      const bool closed_form = form.kind == SurfaceKind::sphere || form.kind == SurfaceKind::torus;
      if (closed_form || loops_.contains(face)) continue;
      form = {};
      all_good = false;
    }
    return all_good;
  }

  /// Around the end of the half-edge, through the triangles of its face.
  [[nodiscard]] std::uint32_t next_on_rim(std::uint32_t half) const {
    std::uint32_t next = next_side(half);
    while (!is_rim(next)) next = next_side(mate_[next]);
    return next;
  }

  /// An edge of the mesh that continues another between the same faces.
  [[nodiscard]] bool same_sides(std::uint32_t a, std::uint32_t b) const {
    const auto of_a = uses_of(a), of_b = uses_of(b);
    if (of_a.size() != of_b.size() || of_a.size() > 2) return false;
    const auto face = [&](const EdgeUse& use) { return face_of_[use.triangle]; };
    if (of_a.size() == 1) return face(of_a[0]) == face(of_b[0]);
    return std::minmax(face(of_a[0]), face(of_a[1])) == std::minmax(face(of_b[0]), face(of_b[1]));
  }

  /// Vertices where chains end: where rims of more or fewer than two edges meet, or the faces beside them change.
  void find_ends() {
    struct Rims {
      std::uint32_t count = 0, edge = k_no_chain;
      bool end = false;
    };
    std::vector<Rims> at(mesh_.vertices().size());
    for (std::uint32_t edge = 0; edge + 1 < first_use_.size(); ++edge) {
      const EdgeUse& use = uses_of(edge)[0];
      if (!is_rim(3 * use.triangle + use.side)) continue;
      for (const std::uint32_t v : {use.lo, use.hi}) {
        if (++at[v].count == 1)
          at[v].edge = edge;
        else if (at[v].count > 2 || !same_sides(at[v].edge, edge))
          at[v].end = true;
      }
    }
    is_end_.assign(at.size(), false);
    for (std::size_t v = 0; v < at.size(); ++v) is_end_[v] = at[v].end || at[v].count == 1;
  }

  [[nodiscard]] const FaceForm* form_beside(std::uint32_t edge, std::size_t use) const {
    const auto uses = uses_of(edge);
    return use < uses.size() ? &forms_[surface_of(uses[use].triangle)] : nullptr;
  }

  /// Cuts the loops into chains, fits curves to each once, and writes the loops anew with them.
  void fit_chains() {
    find_ends();
    chain_of_.assign(first_use_.size(), k_no_chain);
    for (auto& [face, loops] : loops_)
      for (std::vector<std::uint32_t>& loop : loops) {
        const auto end = std::ranges::find_if(loop, [&](std::uint32_t half) { return is_end_[from(half)]; });
        if (end != loop.end()) std::ranges::rotate(loop, end);
        BrepLoop curves;
        for (std::size_t first = 0; first < loop.size();) {
          std::size_t last = first + 1;
          while (last < loop.size() && !is_end_[from(loop[last])]) ++last;
          use_chain(std::span(loop).subspan(first, last - first), curves);
          first = last;
          if (!steps_.next()) return;
        }
        curves_[face].push_back(std::move(curves));
      }
  }

  struct Chain {
    std::vector<std::uint32_t> edges;  ///< of the Brep, in order
    std::uint32_t first_from = 0, first_edge = 0;
  };

  void use_chain(std::span<const std::uint32_t> halves, BrepLoop& out) {
    std::uint32_t chain = chain_of_[edge_of_[halves[0]]];
    const bool known = chain != k_no_chain;
    if (!known) {
      chain = static_cast<std::uint32_t>(chains_.size());
      chains_.push_back(fitted(halves));
      for (const std::uint32_t half : halves) chain_of_[edge_of_[half]] = chain;
    }
    const Chain& c = chains_[chain];
    bool forward = true;
    if (known) {
      // The edge that the chain was begun with shows which way it is passed now.
      const auto same =
          std::ranges::find_if(halves, [&](std::uint32_t half) { return edge_of_[half] == c.first_edge; });
      forward = same != halves.end() && from(*same) == c.first_from;
    }
    const std::size_t before = out.size();
    for (const std::uint32_t edge : c.edges) out.push_back({edge, forward});
    if (!forward) std::reverse(out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
  }

  Chain fitted(std::span<const std::uint32_t> halves) {
    std::vector<std::uint32_t> vertices{from(halves[0])};
    for (const std::uint32_t half : halves) vertices.push_back(to(half));
    const std::uint32_t edge = edge_of_[halves[0]];
    Chain chain{{}, vertices[0], edge};
    for (CurvePiece& piece :
         fit_curves(mesh_.vertices(), vertices, vertices.front() == vertices.back() && !is_end_[vertices[0]],
                    form_beside(edge, 0), form_beside(edge, 1), tolerance_)) {
      chain.edges.push_back(static_cast<std::uint32_t>(out_.edges.size()));
      out_.edges.push_back({piece.vertices.front(), piece.vertices.back(), std::move(piece.curve)});
    }
    return chain;
  }

  /// The plane of a triangle; none if it has no area.
  [[nodiscard]] bool give_plane(std::uint32_t triangle, FaceForm& form) const {
    const Triangle t = mesh_.view().triangle(triangle);
    const double scale =
        geometry::scale_to_one(std::max(geometry::max_abs(t[1] - t[0]), geometry::max_abs(t[2] - t[0])));
    const Vec3 normal = geometry::cross(scale * (t[1] - t[0]), scale * (t[2] - t[0]));
    const double length = std::sqrt(model::dot(normal, normal));
    if (!(length > 1e-12)) return false;  // thinner than coordinates resolve
    form.kind = SurfaceKind::plane;
    form.surface.origin = t[0];
    form.surface.axis = (1 / length) * normal;
    return true;
  }

  void gather_shells() {
    const mesh::Topology topology = mesh::find_topology(mesh_);
    out_.shells.resize(topology.shells());
    for (std::uint32_t s = 0; s < topology.shells(); ++s) {
      out_.shells[s].closed = topology.shell_closed[s];
      out_.shells[s].volume = topology.shell_volume[s];
    }
    for (std::uint32_t s = 0; s < forms_.size(); ++s) {
      std::map<std::uint32_t, std::vector<std::uint32_t>> faces;  // in the order of their first triangle
      for (const std::uint32_t t : mesh_.triangles_of(s))
        if (edge_of_[3 * t] != k_no_chain) faces[face_of_[t]].push_back(t);
      out_.surfaces_as_triangles += forms_[s].is_flat_triangles() && !faces.empty();
      out_.surfaces_in_pieces += !forms_[s].is_flat_triangles() && faces.size() > 1;
      out_.surfaces_recognised += forms_[s].recognised && forms_[s].is_curved();
      for (auto& [face, triangles] : faces) {
        BrepShell& shell = out_.shells[topology.shell_of[triangles[0]]];
        BrepFace made{s, forms_[s], {}, std::move(triangles)};
        if (made.form.is_flat_triangles() && !give_plane(made.triangles[0], made.form)) {
          ++out_.triangles_left_out;
          shell.closed = false;
          continue;
        }
        if (const auto found = curves_.find(face); found != curves_.end()) made.loops = std::move(found->second);
        shell.faces.push_back(std::move(made));
        if (!steps_.next()) return;
      }
    }
  }

  const Mesh& mesh_;
  Steps& steps_;
  std::vector<std::uint32_t> place_of_;
  std::vector<EdgeUse> uses_;
  std::vector<std::uint32_t> first_use_;  ///< per edge of the mesh, into uses_
  std::vector<FaceForm> forms_;
  double tolerance_;
  std::vector<std::uint32_t> mate_;     ///< per half-edge: the other one inside its surface
  std::vector<std::uint32_t> edge_of_;  ///< per half-edge; none in collapsed triangles
  std::vector<std::uint32_t> face_of_;  ///< per triangle
  std::map<std::uint32_t, std::vector<std::vector<std::uint32_t>>> loops_;  ///< per face
  std::map<std::uint32_t, std::vector<BrepLoop>> curves_;                   ///< the same, as edges of the Brep
  std::vector<bool> is_end_;                                                ///< per vertex
  std::vector<std::uint32_t> chain_of_;                                     ///< per edge of the mesh
  std::vector<Chain> chains_;
  Brep out_;
};

}  // namespace

Brep make_brep(const Mesh& mesh, Steps& steps) { return BrepBuilder(mesh, steps).build(); }

}  // namespace snug::io
