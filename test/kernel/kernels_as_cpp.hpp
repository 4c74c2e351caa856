#pragma once

// What OpenCL C has and C++ has not, so that kernels can be included as they are: one item is a group of its own.

#include "device/dop_encode.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wignored-attributes"
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"

namespace {

using uint = unsigned;
thread_local std::size_t current_item = 0;

std::size_t get_global_id(int) { return current_item; }
std::size_t get_group_id(int) { return current_item; }
std::size_t get_local_id(int) { return 0; }
uint atomic_add(uint* at, uint more) { return std::exchange(*at, *at + more); }
std::int64_t mul_hi(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<snug::detail::fixed::int128>(a) * b >> 64);
}

#define SNUG_GROUP 1
#define __kernel
#define __global
#define __local
#define reqd_work_group_size(x, y, z)
#define CLK_LOCAL_MEM_FENCE 0
#define barrier(fence)

using std::fabs;
using std::fmax;
using std::fmin;
using std::sqrt;

}  // namespace
