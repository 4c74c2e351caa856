#if defined(__x86_64__)
#include "simd/axes_sse2.hpp"
#include "simd/doubles_sse2.hpp"
#include "simd/kernels.hpp"
#include "simd/lanes_sse2.hpp"

#define SNUG_LANES sse2
#include "kernels/table.hpp"
#endif
