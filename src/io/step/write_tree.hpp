#pragma once

#include "support/rooms.hpp"

#include <snug/assembly.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snug::io {

/// The levels of a path. Slashes at its ends and beside one another part nothing: a level has a name. What lies deeper
/// than other programs care to follow stays in one piece.
[[nodiscard]] std::vector<std::string_view> levels_of(std::string_view path);

/// Parts as a file of nested products has them.
struct ProductTree {
  struct Child {
    bool is_node = false;
    std::uint32_t id = 0;  ///< of a node, or of a part of the assembly
  };
  struct Node {
    std::string path, name;
    std::vector<Child> children;
  };
  std::vector<Node> nodes;   ///< each before those below it
  std::vector<Child> roots;  ///< of the nodes and parts that nothing is above
  std::vector<std::string> name_of_part;
};
[[nodiscard]] ProductTree product_tree(const Assembly& assembly);

}  // namespace snug::io
