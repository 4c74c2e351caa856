#include "in_unit.hpp"

#include "errors.hpp"

#include <cmath>
#include <map>
#include <utility>

namespace snug::cli {

namespace {

class Converter {
 public:
  Converter(LengthUnit from, LengthUnit to, const std::string& file) : from_(from), to_(to), file_(file) {}

  [[nodiscard]] double operator()(double length) const { return convert_length(length, from_, to_); }
  [[nodiscard]] Vec3 operator()(const Vec3& v) const { return {(*this)(v.x), (*this)(v.y), (*this)(v.z)}; }

  [[nodiscard]] Mesh mesh(const Mesh& before) const {
    MeshInput input;
    input.vertices.reserve(before.vertices().size());
    for (const Point3& v : before.vertices()) input.vertices.push_back((*this)(v));
    input.triangles.assign(before.triangles().begin(), before.triangles().end());
    if (!before.surfaces_by_crease()) {
      for (const Surface& s : before.surfaces()) input.surfaces.push_back(surface(s));
      input.surface_of_triangle.resize(input.triangles.size());
      for (std::uint32_t t = 0; t < input.triangles.size(); ++t) input.surface_of_triangle[t] = before.surface_of(t);
    }
    auto built = Mesh::build(std::move(input));
    if (!built) too_far();
    return std::move(*built);
  }

  [[nodiscard]] Pose pose(const Pose& before) const {
    const auto made = Pose::make(before.rotation(), (*this)(before.translation()));
    if (!made) too_far();
    return *made;
  }

 private:
  [[nodiscard]] Surface surface(Surface s) const {
    s.sag.value = (*this)(s.sag.value);
    s.tolerance = (*this)(s.tolerance);
    if (s.analytic) {
      s.analytic->origin = (*this)(s.analytic->origin);
      s.analytic->radius = (*this)(s.analytic->radius);
      s.analytic->minor_radius = (*this)(s.analytic->minor_radius);
    }
    return s;
  }

  [[noreturn]] void too_far() const {
    fail_input(file_ + ": a coordinate is too large to be told in " + std::string(to_string(to_)));
  }

  LengthUnit from_, to_;
  const std::string& file_;
};

}  // namespace

Assembly in_unit(const Assembly& assembly, LengthUnit unit, const std::string& file) {
  if (assembly.units() == unit) return assembly;
  const Converter convert(assembly.units(), unit, file);
  Assembly out(unit);
  for (const Frame& frame : assembly.frames()) (void)out.add_frame({frame.path, convert.pose(frame.pose)}).value();
  std::map<const Point3*, Mesh> known;  // shared data, shared address
  for (const Part& part : assembly.parts()) {
    const Point3* const key = part.mesh.vertices().data();
    auto found = known.find(key);
    if (found == known.end()) found = known.emplace(key, convert.mesh(part.mesh)).first;
    (void)out.add({part.path, found->second, convert.pose(part.pose), part.color, part.frame}).value();
  }
  for (const Problem& problem : assembly.problems()) out.add_problem(problem);
  for (const Problem& loss : assembly.losses()) out.add_loss(loss);
  out.add_problem({{},
                   "lengths converted from " + std::string(to_string(assembly.units())) + " to " +
                       std::string(to_string(unit)) + ", each rounded by up to a unit in its last place"});
  return out;
}

}  // namespace snug::cli
