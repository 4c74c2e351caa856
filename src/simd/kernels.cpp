#include "simd/kernels.hpp"

namespace snug::detail {

const Kernels& best_kernels() noexcept {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  return has_avx2 ? avx2::kernels() : sse2::kernels();
#else
  return scalar::kernels();
#endif
}

}  // namespace snug::detail
