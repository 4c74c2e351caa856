#include "simd/kernels.hpp"

#include <snug/progress.hpp>

namespace snug::simd {

const Kernels& kernels_for(Instructions instructions) noexcept {
  if (instructions == Instructions::scalar) return lanes::scalar::kernels();
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return has_avx2 && instructions != Instructions::sse2 ? lanes::avx2::kernels() : lanes::sse2::kernels();
#else
  return lanes::scalar::kernels();
#endif
}

}  // namespace snug::simd
