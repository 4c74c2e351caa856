#include "simd/kernels.hpp"

#include <snug/progress.hpp>

namespace snug::detail {

const Kernels& kernels_for(Instructions instructions) noexcept {
  if (instructions == Instructions::scalar) return scalar::kernels();
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return has_avx2 && instructions != Instructions::sse2 ? avx2::kernels() : sse2::kernels();
#else
  return scalar::kernels();
#endif
}

}  // namespace snug::detail
