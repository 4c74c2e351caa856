#pragma once

#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace snug::mesh {

/// Vertices ordered so that those close together stand together: cut in two along the longest axis, over and over. Of the
/// points whose `wanted` is true.
[[nodiscard]] std::vector<std::uint32_t> order_by_place(std::span<const Point3> points,
                                                        const std::vector<bool>& wanted);

/// Boxes around every 16 vertices of such an order, and around every 16 of those: most of a body's vertices are told to be far
/// from another body without a look at them.
class VertexGroups {
 public:
  static constexpr std::uint32_t k_size = 16;

  struct Group {
    Point3 middle;
    Vec3 half;      ///< of the box
    double radius;  ///< of its diagonal, half
  };

  VertexGroups() = default;
  VertexGroups(std::span<const Point3> points, std::span<const std::uint32_t> order);

  /// Calls each(begin, end), places in the order, for groups that may_matter(group).
  template <class MayMatter, class Each>
  void visit(const MayMatter& may_matter, const Each& each) const {
    for (std::uint32_t c = 0; c < clusters_.size(); ++c) {
      if (!may_matter(clusters_[c])) continue;
      const auto end_group = static_cast<std::uint32_t>(groups_.size());
      for (std::uint32_t g = c * k_size; g < end_group && g < (c + 1) * k_size; ++g) {
        if (!may_matter(groups_[g])) continue;
        each(g * k_size, std::min(count_, (g + 1) * k_size));
      }
    }
  }

 private:
  std::vector<Group> groups_, clusters_;
  std::uint32_t count_ = 0;
};

}  // namespace snug::mesh
