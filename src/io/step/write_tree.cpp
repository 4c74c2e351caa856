#include "io/step/write_tree.hpp"

#include <unordered_map>

namespace snug::io {

std::vector<std::string_view> levels_of(std::string_view path) {
  constexpr std::size_t k_most_levels = 32;
  std::vector<std::string_view> levels;
  std::size_t first = 0;
  for (std::size_t i = 1; i + 1 < path.size() && levels.size() + 1 < k_most_levels; ++i)
    if (path[i] == '/' && i > first && path[i - 1] != '/' && path[i + 1] != '/') {
      levels.push_back(path.substr(first, i - first));
      first = i + 1;
    }
  levels.push_back(path.substr(first));
  return levels;
}

ProductTree product_tree(const Assembly& assembly) {
  ProductTree tree;
  std::unordered_map<std::string_view, std::uint32_t> node_of;  // by its path, a piece of a part's
  for (std::uint32_t p = 0; p < assembly.parts().size(); ++p) {
    const std::string_view path = assembly.parts()[p].path;
    const std::vector<std::string_view> levels = levels_of(path);
    std::vector<ProductTree::Child>* siblings = &tree.roots;
    for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
      const std::string_view above(path.data(),
                                   static_cast<std::size_t>(levels[i].data() + levels[i].size() - path.data()));
      const auto [known, is_new] = node_of.try_emplace(above, static_cast<std::uint32_t>(tree.nodes.size()));
      if (is_new) {
        siblings->push_back({true, known->second});
        tree.nodes.push_back({std::string(above), std::string(levels[i]), {}});
      }
      siblings = &tree.nodes[known->second].children;
    }
    siblings->push_back({false, p});
    tree.name_of_part.emplace_back(levels.back());
  }
  return tree;
}

}  // namespace snug::io
