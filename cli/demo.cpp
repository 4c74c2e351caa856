#include "commands.hpp"

#include "scenes/workbench.hpp"

#include <snug/snug.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

namespace snug::cli {

namespace {

std::string names_of(const Mesh& mesh, const std::set<std::uint32_t>& surfaces) {
  std::string text;
  for (const std::uint32_t s : surfaces) text += (text.empty() ? "" : ", ") + mesh.surfaces()[s].name;
  return text;
}

/// One line per pair of parts that share a point; returns whether any two cross.
bool print_pair(const Part& a, const Part& b, const std::vector<TrianglePair>& pairs) {
  std::set<std::uint32_t> surfaces_a, surfaces_b;
  for (const TrianglePair& p : pairs) {
    surfaces_a.insert(a.mesh.surface_of(p.a));
    surfaces_b.insert(b.mesh.surface_of(p.b));
  }
  const auto crossing = std::ranges::count(pairs, Relation::crossing, &TrianglePair::relation);
  std::printf("  %-8s  %-17s %-17s %5zu %5td   %s | %s\n", crossing > 0 ? "crossing" : "touching", a.path.c_str(),
              b.path.c_str(), pairs.size(), crossing, names_of(a.mesh, surfaces_a).c_str(),
              names_of(b.mesh, surfaces_b).c_str());
  return crossing > 0;
}

}  // namespace

int demo() {
  const Assembly assembly = scenes::workbench();
  std::size_t triangles = 0;
  std::vector<Shape> shapes;
  for (const Part& part : assembly.parts()) {
    shapes.emplace_back(part.mesh);
    triangles += part.mesh.triangles().size();
  }
  std::printf("workbench: %zu parts, %zu distinct meshes, %zu triangles, in %s\n\n", assembly.parts().size(),
              assembly.distinct_meshes(), triangles, to_string(assembly.units()).data());
  std::printf("  %-8s  %-17s %-17s %5s %5s   %s\n", "", "part a", "part b", "pairs", "cross", "surfaces of a | of b");

  Scratch scratch;
  const QueryOptions options{.threads = hardware_threads()};
  std::size_t tested = 0, touching = 0, crossing = 0;
  double worst_resolution = 0;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = i + 1; j < shapes.size(); ++j) {
      const Part &a = assembly.parts()[i], &b = assembly.parts()[j];
      const auto pairs = triangle_pairs(shapes[i], a.pose, shapes[j], b.pose, scratch, options);
      worst_resolution = std::max(worst_resolution, resolution(shapes[i], a.pose, shapes[j], b.pose));
      ++tested;
      if (pairs.empty()) continue;
      ++(print_pair(a, b, pairs) ? crossing : touching);
    }
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;

  std::printf("\n%zu part pairs tested: %zu crossing, %zu touching, %zu apart; exact, resolution %.1e %s\n", tested,
              crossing, touching, tested - crossing - touching, worst_resolution, to_string(assembly.units()).data());
  std::fprintf(stderr, "%.1f ms\n", elapsed.count());
  return k_clean;
}

}  // namespace snug::cli
