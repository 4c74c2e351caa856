#include "bvh/dop24/dop_tree.hpp"

#include <cmath>

namespace snug::bvh {

std::optional<std::string> validate(const DopTree& tree, const Mesh& mesh) {
  const std::size_t triangles = mesh.triangles().size();
  const auto at = [](const char* what, std::size_t node) {
    return what + std::string(" at node ") + std::to_string(node);
  };
  if (triangles == 0) return tree.empty() ? std::nullopt : std::optional<std::string>("a tree without triangles");
  if (tree.links.size() != 2 * triangles - 1 || tree.dops.size() != tree.links.size())
    return "wrong number of nodes: " + std::to_string(tree.links.size());
  std::vector<bool> led_to(tree.links.size(), false), held(triangles, false);
  led_to[0] = true;
  const double scale = std::ldexp(1.0, -tree.exponent);
  for (std::size_t node = 0; node < tree.links.size(); ++node) {
    const DopTree::Links& links = tree.links[node];
    const Dop24& dop = tree.dops[node];
    for (const double c : dop.d)
      if (!(std::abs(c) <= tree.largest)) return at("a coefficient beyond the largest", node);
    if (!led_to[node]) return at("no way leads to a node,", node);
    if (links.leaf()) {
      if (links.left >= triangles || held[links.left]) return at("a triangle that is not there or held twice", node);
      held[links.left] = true;
      std::array<Point3, 3> corner;
      for (std::size_t i = 0; i < 3; ++i)
        corner[i] = scale * (mesh.vertices()[mesh.triangles()[links.left][i]] - tree.centre);
      if (!dop.contains(Dop24::tight(corner))) return at("a triangle outside its DOP", node);
      continue;
    }
    for (const std::uint32_t child : {links.left, links.right}) {
      if (child <= node || child >= tree.links.size() || led_to[child]) return at("a wrong child", node);
      led_to[child] = true;
      if (!dop.contains(tree.dops[child])) return at("a child outside its parent", node);
    }
  }
  return std::nullopt;
}

}  // namespace snug::bvh
