#pragma once

#include <snug/query.hpp>
#include <snug/vec.hpp>

#include <cstdint>
#include <vector>

namespace snug::detail {

/// What contacts keep from call to call.
struct ContactMemory {
  std::vector<TrianglePair> pairs;  ///< of triangles that meet
  std::vector<std::uint32_t> stack, vertices;
  /// While pairs are put together to places where bodies meet.
  std::vector<std::uint32_t> parent, by_a, by_b;
  std::vector<bool> told;
  std::vector<std::uint64_t> sources;  ///< vertices whose rays are contacts: side and number, ascending
};

}  // namespace snug::detail
