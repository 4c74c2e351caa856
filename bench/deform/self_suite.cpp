// Where meshes meet themselves: our search beside CGAL's, on the same meshes, with answers compared.

#include "bench/deform/turns.hpp"
#include "bench/measure.hpp"
#include "bench/pairs/answers.hpp"
#include "bench/peers/self_engine.hpp"
#include "bench/report/row.hpp"
#include "bench/suites.hpp"
#include "scenes/deforming.hpp"
#include "scenes/solids.hpp"

#include <snug/self.hpp>

#include <cmath>

namespace snug::bench {

namespace {

struct Subject {
  std::string name;
  Mesh mesh;
};

/// What lies below a height is mirrored to above it, and so runs through what is there.
Mesh folded(const Mesh& mesh, double height) {
  MeshInput in;
  for (const Point3& p : mesh.vertices()) in.vertices.push_back({p.x, p.y, std::abs(p.z - height)});
  in.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  in.surfaces.resize(1);
  in.surface_of_triangle.assign(in.triangles.size(), 0);
  return Mesh::build(std::move(in)).value();
}

std::vector<Subject> subjects(bool quick) {
  const Mesh knot = quick ? scenes::bumpy_knot(300, 32) : scenes::bumpy_knot(1000, 50);
  const scenes::Cloth cloth(quick ? 100 : 224);
  std::vector<Subject> all{{"knot", knot}, {"knot folded", folded(knot, 0)}, {"knot folded higher", folded(knot, 0.2)}};
  all.push_back({"cloth, flat", cloth.mesh()});
  all.push_back({"cloth, waving", Shape(cloth.mesh()).updated(cloth.at(6)).value().mesh()});
  all.push_back({"pipe", scenes::pipe(1, 0.5, 2, quick ? 250 : 1000)});
  return all;
}

std::string ratio(double theirs, double ours) { return fixed(theirs / ours, 1); }

}  // namespace

int run_self(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  Table table({"mesh", "triangles", "pairs", "tree ms", "all ms", "any ms", "cgal all ms", "cgal any ms", "all",
               "all + tree", "any", "same"});
  bool agree = true;
  for (const Subject& subject : subjects(arguments.quick)) {
    const Shape shape(subject.mesh);
    if (!shape.prepare()) return 5;
    Scratch scratch;
    std::vector<TrianglePair> found;
    bool any = false, their_any = false;
    const std::unique_ptr<SelfQuery> cgal = make_cgal_self(subject.mesh);
    std::vector<std::function<void()>> contenders{[&] { (void)shape.rebuilt().prepare(); },
                                                  [&] { (void)self_intersections(shape, scratch, found); },
                                                  [&] { any = intersects_itself(shape, scratch); }};
    if (cgal) {
      contenders.push_back([&] { cgal->find_all(); });
      contenders.push_back([&] { their_any = cgal->find_any(); });
    }
    const std::vector<double> s = deform::in_turns(arguments.quick ? 3 : 7, contenders);
    std::vector<std::string> row{subject.name,
                                 std::to_string(subject.mesh.triangles().size()),
                                 std::to_string(found.size()),
                                 fixed(1e3 * s[0], 2),
                                 fixed(1e3 * s[1], 2),
                                 fixed(1e3 * s[2], 2)};
    if (cgal) {
      std::vector<IdPair> ours, theirs;
      for (const TrianglePair& pair : found) ours.push_back({pair.a, pair.b});
      cgal->pairs(theirs);
      std::ranges::sort(theirs);
      const bool same = ours == theirs && any == their_any;
      agree = agree && same;
      row.insert(row.end(), {fixed(1e3 * s[3], 2), fixed(1e3 * s[4], 2), ratio(s[3], s[1]), ratio(s[3], s[0] + s[1]),
                             ratio(s[4], s[2]), same ? "yes" : "NO"});
    } else {
      row.insert(row.end(), 6, "-");
    }
    table.row(std::move(row));
  }
  const bool written = table.print(
      "self-intersections beside CGAL's; medians of interleaved rounds, CPU time; ratios: CGAL's time to ours",
      arguments);
  return !written ? 5 : agree ? 0 : 1;
}

}  // namespace snug::bench
