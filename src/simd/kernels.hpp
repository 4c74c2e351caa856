#pragma once

#include "query/surface/pair_search.hpp"
#include "tree/fit.hpp"
#include "tree/obb_tree.hpp"

namespace snug::detail {

/// What is compiled once for each instruction set. All give the same bits.
struct Kernels {
  const char* name;
  void (*fit_children)(const TriangleBlock* blocks, const BlockRange* ranges, std::uint32_t count, ObbNode& node) noexcept;
  bool (*walk)(PairSearch& search) noexcept;
};

namespace scalar {
[[nodiscard]] const Kernels& kernels() noexcept;
}
namespace sse2 {
[[nodiscard]] const Kernels& kernels() noexcept;
}
namespace avx2 {
[[nodiscard]] const Kernels& kernels() noexcept;
}

/// The fastest this machine can run.
[[nodiscard]] const Kernels& best_kernels() noexcept;

}  // namespace snug::detail
