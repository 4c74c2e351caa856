#if defined(__x86_64__)
// Everything shared with other files comes first, as baseline code: the linker may keep this file's copy of an inline
// function for all of them. Only what follows the pragma is for AVX2, and it lives in a namespace of its own.
#include "simd/kernels.hpp"

#include <immintrin.h>
#include <cmath>
#include <cstdint>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif

#include "simd/axes_avx2.hpp"
#include "simd/doubles_avx2.hpp"
#include "simd/lanes_avx2.hpp"

#define SNUG_LANES avx2
#include "kernels/table.hpp"

#if defined(__clang__)
#pragma clang attribute pop
#endif  // GCC instantiates templates at the very end of the file, with the options that hold there: they stay.
#endif
