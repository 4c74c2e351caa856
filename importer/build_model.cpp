#include "build_model.hpp"

#include "channels.hpp"
#include "face_groups.hpp"
#include "face_sag.hpp"
#include "geometry/vec_ops.hpp"
#include "io/errors.hpp"
#include "narrow_gaps.hpp"
#include "read.hpp"
#include "support/text.hpp"

#include <BRepAdaptor_Surface.hxx>
#include <BRepGProp.hxx>
#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <GProp_GProps.hxx>
#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>
#include <Standard_Version.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <gp_Quaternion.hxx>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>

namespace snug::importer {

namespace {

double tolerance_of(const TopoDS_Face& face) {
  double largest = BRep_Tool::Tolerance(face);
  for (TopExp_Explorer edge(face, TopAbs_EDGE); edge.More(); edge.Next())
    largest = std::max(largest, BRep_Tool::Tolerance(TopoDS::Edge(edge.Current())));
  for (TopExp_Explorer vertex(face, TopAbs_VERTEX); vertex.More(); vertex.Next())
    largest = std::max(largest, BRep_Tool::Tolerance(TopoDS::Vertex(vertex.Current())));
  return largest;
}

/// How much of a part's size a tolerance may be. More says that the file is careless, not that parts may overlap by so much.
constexpr double k_most_tolerance = 1e-4;

/// How much of a part's size the gaps between its faces may be wide, whatever its tolerance.
constexpr double k_widest_gap = 1e-2;

/// No wider than the model's own tolerance.
bool is_negligible(const TopoDS_Face& face) {
  try {
    GProp_GProps surface, edges;
    BRepGProp::SurfaceProperties(face, surface);
    BRepGProp::LinearProperties(face, edges);
    return edges.Mass() > 0 && std::abs(surface.Mass()) <= tolerance_of(face) * edges.Mass() / 2;
  } catch (const Standard_OutOfMemory&) {
    throw;
  } catch (const Standard_Failure&) {
    return false;  // too broken to be measured
  }
}

struct Meshed {
  MeshInput mesh;
  std::vector<std::string> losses, problems;
  std::size_t bare = 0;  ///< faces that could not be meshed
};

Surface describe(const FaceMesh& face, std::span<const Point3> vertices) {
  Surface surface;
  surface.tolerance = tolerance_of(face.face);
  const BRepAdaptor_Surface adaptor(face.face, Standard_False);
  const FaceForm form = form_of(face, adaptor);
  surface.kind = form.kind;
  surface.analytic = form.analytic;
  if (!face.corners.empty()) surface.sag = measure_sag(face, form, adaptor, vertices);
  return surface;
}

/// A face that cannot be measured is still there, with its triangles.
Surface describe_or_note(const FaceMesh& face, std::uint32_t id, std::span<const Point3> vertices, Meshed& meshed) {
  try {
    return describe(face, vertices);
  } catch (const Standard_OutOfMemory&) {
    throw;
  } catch (const Standard_Failure&) {
    meshed.losses.push_back("face " + std::to_string(id) + " could not be measured: its sag is not known");
    Surface surface;
    surface.sag.estimated = true;
    return surface;
  }
}

/// Directed edges without a partner the other way.
std::size_t open_edges(std::span<const Index3> triangles) {
  std::vector<std::array<std::uint32_t, 2>> forward, backward, unmatched;
  for (const Index3& t : triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      forward.push_back({t[i], t[(i + 1) % 3]});
      backward.push_back({t[(i + 1) % 3], t[i]});
    }
  std::ranges::sort(forward), std::ranges::sort(backward);
  std::ranges::set_difference(forward, backward, std::back_inserter(unmatched));
  return unmatched.size();
}

/// The triangles of solids, by their ids. `face_of` is per triangle.
std::vector<std::uint32_t> triangles_of_solids(const DistinctShape& distinct, std::span<const std::uint32_t> face_of) {
  std::uint32_t solids = 0;
  for (TopExp_Explorer solid(distinct.shape, TopAbs_SOLID); solid.More(); solid.Next()) ++solids;
  std::vector<std::uint32_t> out;
  if (solids == 0) return out;
  const std::vector<BodyFace> faces = faces_of(distinct.shape);
  for (std::uint32_t t = 0; t < face_of.size(); ++t)
    if (faces[face_of[t]].body < solids) out.push_back(t);
  return out;
}

/// All that was lost, each once: whoever lacks several files wants to know them at once.
std::string words_of(const std::vector<io::CadProblem>& losses) {
  constexpr std::size_t k_most = 50;
  std::vector<std::string> texts;
  for (const io::CadProblem& loss : losses)
    if (texts.size() < k_most && std::ranges::find(texts, loss.text) == texts.end()) texts.push_back(loss.text);
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : "; ") + text;
  return out;
}

/// What is finer by surface, by the faces that these are made of.
MeshingOptions for_faces(const MeshingOptions& for_surfaces, const FaceGroups& groups) {
  MeshingOptions options{.sag = for_surfaces.sag, .angle = for_surfaces.angle, .finer = {}};
  if (for_surfaces.finer.empty()) return options;
  for (std::uint32_t f = 0; f < groups.surface_of.size(); ++f)
    if (const auto finer = for_surfaces.finer.find(groups.surface_of[f]); finer != for_surfaces.finer.end())
      options.finer.emplace(f, finer->second);
  return options;
}

/// Of a shape whose faces become the surfaces of one mesh.
class MeshMaker {
 public:
  explicit MeshMaker(const DistinctShape& distinct)
      : distinct_(distinct), groups_(group_faces(faces_of(distinct.shape).size(), distinct.looks)) {}

  /// `options.finer` is by surface.
  Meshed make(const MeshingOptions& options) {
    const ShapeMesh shape = triangulate(distinct_.shape, for_faces(options, groups_));
    meshed_ = {}, new_id_.assign(shape.vertices.size(), k_unused), face_of_.clear();
    std::vector<std::optional<Surface>> surfaces(groups_.surfaces);
    Aabb box;
    for (const Point3& p : shape.vertices) box.include(p);
    std::map<std::uint32_t, SurfaceKind> misnamed;  // surfaces whose mark is not what their faces are
    for (std::uint32_t f = 0; f < shape.faces.size(); ++f) {
      add_triangles(shape, f);
      const std::uint32_t id = groups_.surface_of[f];
      const Surface face = describe_or_note(shape.faces[f], id, shape.vertices, meshed_);
      if (surfaces[id]) {
        const SurfaceKind marked = distinct_.looks[f].patch->kind;
        if (!join_face(*surfaces[id], face, marked, box)) misnamed.try_emplace(id, marked);
        continue;
      }
      surfaces[id] = face;
      if (f < distinct_.looks.size())
        surfaces[id]->name = distinct_.looks[f].name, surfaces[id]->color = distinct_.looks[f].color;
    }
    for (std::optional<Surface>& surface : surfaces) meshed_.mesh.surfaces.push_back(std::move(*surface));
    close_gaps(box);
    limit_tolerances(box);
    for (const auto& [id, marked] : misnamed)
      meshed_.problems.push_back("face " + std::to_string(id) + " is marked as a " + std::string(to_string(marked)) +
                                 ", which the faces it is made of are not: its kind is unknown");
    return std::move(meshed_);
  }

 private:
  static constexpr std::uint32_t k_unused = std::numeric_limits<std::uint32_t>::max();

  /// Where the faces of solids do not meet. A face that is narrower than the model's tolerance and that the kernel leaves
  /// without triangles is a gap between its neighbours, and so is an edge that they divide differently.
  void close_gaps(const Aabb& box) {
    MeshInput& mesh = meshed_.mesh;
    const std::vector<std::uint32_t> ids = triangles_of_solids(distinct_, face_of_);
    std::vector<Index3> triangles;
    for (const std::uint32_t t : ids) triangles.push_back(mesh.triangles[t]);
    std::size_t open = open_edges(triangles);
    if (open == 0) return;
    const double widest = k_widest_gap * geometry::length_of(box.hi - box.lo);
    const auto tolerance_of = [&](std::uint32_t t) {
      return std::min(widest, mesh.surfaces[mesh.surface_of_triangle[ids[t]]].tolerance);
    };
    const std::vector<NarrowGap> gaps = narrow_gaps(mesh.vertices, triangles, tolerance_of);
    double width = 0;
    for (const NarrowGap& gap : gaps) {
      const std::uint32_t beside = ids[gap.beside];
      append_strip(mesh, gap, beside);
      width = std::max(width, gap.width);
      triangles.insert(triangles.end(), gap.triangles.begin(), gap.triangles.end());
      face_of_.resize(mesh.triangles.size(), face_of_[beside]);
    }
    if (!gaps.empty()) {
      open = open_edges(triangles);
      meshed_.problems.push_back(support::counted(gaps.size(), "gap", "gaps") + " of up to " +
                                 support::number_text(width) +
                                 " between faces closed, no wider than the model's tolerance");
    }
    if (open > 0)
      meshed_.losses.push_back("its faces do not meet: " + support::counted(open, "open edge", "open edges"));
  }

  void limit_tolerances(const Aabb& box) {
    if (meshed_.mesh.triangles.empty()) return;
    const Vec3 d = box.hi - box.lo;
    const double most = k_most_tolerance * std::sqrt(geometry::dot(d, d));
    std::size_t count = 0;
    double largest = 0;
    for (Surface& surface : meshed_.mesh.surfaces) {
      if (!(surface.tolerance > most)) continue;
      ++count;
      largest = std::max(largest, surface.tolerance);
      surface.tolerance = most;
    }
    if (count > 0)
      meshed_.problems.push_back(support::counted(count, "face has a CAD tolerance", "faces have CAD tolerances") +
                                 " of up to " + support::number_text(largest) +
                                 ", which counts up to a ten-thousandth of the part's size, " +
                                 support::number_text(most));
  }

  void add_triangles(const ShapeMesh& shape, std::uint32_t f) {
    const FaceMesh& face = shape.faces[f];
    const std::uint32_t surface = groups_.surface_of[f];
    if (face.corners.empty()) {
      const bool negligible = is_negligible(face.face);
      if (!negligible && face.nodes.IsNull()) ++meshed_.bare;
      (negligible ? meshed_.problems : meshed_.losses)
          .push_back("face " + std::to_string(surface) +
                     (negligible || !face.nodes.IsNull() ? " has shrunk to nothing" : " could not be meshed"));
    }
    for (const std::array<int, 3>& corners : face.corners) {
      Index3 triangle{};
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t vertex = face.vertex_of_node[static_cast<std::size_t>(corners[i]) - 1];
        if (new_id_[vertex] == k_unused) {
          new_id_[vertex] = static_cast<std::uint32_t>(meshed_.mesh.vertices.size());
          meshed_.mesh.vertices.push_back(shape.vertices[vertex]);
        }
        triangle[i] = new_id_[vertex];
      }
      meshed_.mesh.triangles.push_back(triangle);
      meshed_.mesh.surface_of_triangle.push_back(surface);
      face_of_.push_back(f);
    }
  }

  const DistinctShape& distinct_;
  FaceGroups groups_;
  Meshed meshed_;
  std::vector<std::uint32_t> new_id_;   ///< per vertex of the shape
  std::vector<std::uint32_t> face_of_;  ///< per triangle
};

io::CadInstance instance_of(const PlacedShape& part, std::uint32_t mesh) {
  const io::CadFrame placed = frame_of(part.path, part.placement);
  return {placed.path, mesh, placed.rotation, placed.translation, part.color, part.frame};
}

double largest_sag(const MeshInput& mesh) {
  double largest = 0;
  for (const Surface& surface : mesh.surfaces) largest = std::max(largest, surface.sag.value);
  return largest;
}

bool is_better(const Meshed& a, const Meshed& b) {
  return a.losses.size() <= b.losses.size() && largest_sag(a.mesh) < largest_sag(b.mesh) &&
         open_edges(a.mesh.triangles) <= open_edges(b.mesh.triangles);
}

/// Asks more of the faces that were found farther from their triangles than was asked for. False if there are none, but
/// for what the model's own tolerance explains.
bool tighten(const MeshInput& mesh, const MeshingOptions& asked, MeshingOptions& next) {
  bool any = false;
  for (std::uint32_t f = 0; f < mesh.surfaces.size(); ++f) {
    const auto finer = asked.finer.find(f);
    const double goal = finer == asked.finer.end() ? asked.sag : std::min(finer->second, asked.sag);
    const double reached = mesh.surfaces[f].sag.value;
    if (!(reached > goal + mesh.surfaces[f].tolerance)) continue;
    const auto tried = next.finer.find(f);
    next.finer[f] = std::max(0.7 * goal / reached, 0.1) * (tried == next.finer.end() ? goal : tried->second);
    any = true;
  }
  return any;
}

/// The kernel takes the sag for a wish; what it missed is meshed again, twice at most.
Meshed mesh_of(const DistinctShape& distinct, const MeshingOptions& asked) {
  constexpr int k_rounds = 2;
  constexpr std::size_t k_too_many = 1'000'000;  // triangles to do over
  MeshMaker maker(distinct);
  Meshed best = maker.make(asked);
  MeshingOptions next = asked;
  // Where it fails on a face, other divisions of the edges may do; finer ones, so that what was asked for still holds.
  for (const double share : {0.9, 0.75, 0.5}) {
    if (best.bare == 0 || best.mesh.triangles.size() >= k_too_many) break;
    MeshingOptions other = asked;
    other.angle *= share;
    BRepTools::Clean(distinct.shape);
    Meshed again = maker.make(other);
    if (again.bare < best.bare) best = std::move(again), next.angle = other.angle;
  }
  for (int round = 0; round < k_rounds && best.mesh.triangles.size() < k_too_many; ++round) {
    if (!tighten(best.mesh, asked, next)) break;
    BRepTools::Clean(distinct.shape);
    Meshed again = maker.make(next);
    if (!is_better(again, best)) break;
    best = std::move(again);
  }
  return best;
}

Meshed mesh_or_note(const DistinctShape& shape, const MeshingOptions& options) {
  try {
    return mesh_of(shape, options);
  } catch (const Standard_OutOfMemory&) {
    throw;  // of the whole import, not of this shape
  } catch (const Standard_Failure& failure) {
    return {
        .mesh = {}, .losses = {std::string("it could not be meshed: ") + failure.GetMessageString()}, .problems = {}};
  }
}

/// What became of a distinct shape.
struct Outcome {
  std::optional<std::uint32_t> mesh;
  std::vector<std::string> losses, problems;
};

MeshingOptions options_of_mesh(const Arguments& arguments, LengthUnit unit, std::size_t mesh) {
  const double scale = 1 / metres_per(unit);
  MeshingOptions options{
      .sag = arguments.sag_metres * scale, .angle = arguments.angle_degrees * std::numbers::pi / 180, .finer = {}};
  for (const Refinement& finer : arguments.refinements)
    if (finer.mesh == mesh) options.finer[finer.face] = finer.sag_metres * scale;
  return options;
}

/// Remarks in the same words about places that are no parts become one with a count.
void merge_alike(std::vector<io::CadProblem>& problems) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> seen;  // the first of these words, and how many there are
  std::vector<io::CadProblem> merged;
  for (io::CadProblem& problem : problems) {
    if (problem.instance == io::CadProblem::k_none) {
      const auto [place, is_new] = seen.try_emplace(problem.text, merged.size(), 0);
      if (++place->second.second; !is_new) continue;
    }
    merged.push_back(std::move(problem));
  }
  for (const auto& [text, place] : seen)
    if (place.second > 1) merged[place.first].text += " (the first of " + std::to_string(place.second) + " alike)";
  problems = std::move(merged);
}

}  // namespace

io::CadModel build_model(Document document, const Arguments& arguments) {
  io::CadModel model;
  model.kernel = std::string("OpenCASCADE ") + OCC_VERSION_COMPLETE;
  model.units = document.units;
  const LengthUnit unit = document.units.value_or(arguments.unit);

  std::size_t all_faces = 0, faces_done = 0;
  for (const DistinctShape& shape : document.shapes) all_faces += faces_of(shape.shape).size();

  // Which mesh a shape becomes is told by the order of shapes alone, so that a later run can name it to have it refined.
  std::vector<Outcome> outcomes;
  for (DistinctShape& shape : document.shapes) {
    Meshed meshed = mesh_or_note(shape, options_of_mesh(arguments, unit, model.meshes.size()));
    faces_done += faces_of(shape.shape).size();
    shape.shape.Nullify();  // the largest thing in memory, and done with
    Outcome& outcome = outcomes.emplace_back();
    outcome.losses = std::move(meshed.losses), outcome.problems = std::move(meshed.problems);
    if (!meshed.mesh.triangles.empty()) {
      outcome.mesh = static_cast<std::uint32_t>(model.meshes.size());
      model.meshes.push_back(std::move(meshed.mesh));
    } else if (outcome.losses.empty()) {
      outcome.losses.emplace_back("nothing of it could be meshed");
    }
    tell_progress(k_read_share + (1 - k_read_share) * static_cast<double>(faces_done) /
                                     static_cast<double>(std::max<std::size_t>(all_faces, 1)));
  }
  model.frames = std::move(document.frames);
  std::vector<std::uint32_t> instance_of_part;
  for (const PlacedShape& part : document.parts) {
    const Outcome& outcome = outcomes[part.shape];
    instance_of_part.push_back(outcome.mesh ? static_cast<std::uint32_t>(model.instances.size())
                                            : io::CadProblem::k_none);
    if (outcome.mesh) model.instances.push_back(instance_of(part, *outcome.mesh));
    for (const std::string& loss : outcome.losses) model.losses.push_back({part.path, loss, instance_of_part.back()});
    for (const std::string& problem : outcome.problems)
      model.problems.push_back({part.path, problem, instance_of_part.back()});
  }
  const auto take = [&](std::vector<io::CadProblem>& from, std::vector<io::CadProblem>& to) {
    for (io::CadProblem& problem : from)
      if (problem.instance != io::CadProblem::k_none) problem.instance = instance_of_part[problem.instance];
    to.insert(to.begin(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  take(document.losses, model.losses), take(document.problems, model.problems);
  merge_alike(model.problems);
  if (model.instances.empty())
    throw std::runtime_error(model.losses.empty() ? "there is no face in it"
                                                  : "nothing of it could be had: " + words_of(model.losses));
  return model;
}

}  // namespace snug::importer
