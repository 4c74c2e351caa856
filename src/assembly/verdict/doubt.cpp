#include <snug/check.hpp>

#include <map>
#include <set>

namespace snug {

std::vector<SurfaceInDoubt> surfaces_in_doubt(const Assembly& assembly, const CheckReport& report) {
  const auto parts = assembly.parts();
  std::map<const Point3*, std::uint32_t> first_with_mesh;  // instances share their vertices
  for (std::uint32_t i = 0; i < parts.size(); ++i) first_with_mesh.try_emplace(parts[i].mesh.vertices().data(), i);

  std::set<SurfaceInDoubt> found;
  const auto note = [&](std::uint32_t part, std::uint32_t surface) {
    const Mesh& mesh = parts[part].mesh;
    const double sag = mesh.surfaces()[surface].sag.value;
    if (sag > 0) found.insert({first_with_mesh.at(mesh.vertices().data()), surface, sag});
  };
  for (const Finding& finding : report.findings) {
    if (finding.firm) continue;
    for (const SurfacesInDoubt& pair : finding.in_doubt) {
      if (pair.meet_exactly) continue;
      note(finding.a.id, pair.surface_a);
      note(finding.b.id, pair.surface_b);
    }
    if (!finding.in_doubt.empty()) continue;
    for (const auto& pair : finding.surface_pairs) {
      note(finding.a.id, pair[0]);
      note(finding.b.id, pair[1]);
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace snug
