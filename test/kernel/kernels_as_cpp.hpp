#pragma once

// What OpenCL C has and C++ has not, so that kernels can be included as they are. Items run one after the other, and each takes its
// places by itself; how many make a group shows in their ids alone.

#include "device/dop_encode.hpp"

#include <bit>
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
thread_local std::size_t current_item = 0, group_items = 1;

std::size_t get_global_id(int) { return current_item; }
std::size_t get_group_id(int) { return current_item / group_items; }
std::size_t get_local_id(int) { return current_item % group_items; }
uint atomic_add(uint* at, uint more) { return std::exchange(*at, *at + more); }
std::int64_t mul_hi(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<snug::query::fixed::int128>(a) * b >> 64);
}

std::uint64_t as_ulong(double x) { return std::bit_cast<std::uint64_t>(x); }
double as_double(std::uint64_t bits) { return std::bit_cast<double>(bits); }

#define SNUG_GROUP 1
#define SNUG_LEADS true
#define __kernel
#define __global
#define __local
#define reqd_work_group_size(x, y, z)
#define CLK_LOCAL_MEM_FENCE 0
#define barrier(fence)

using std::fabs;
using std::fma;
using std::fmax;
using std::fmin;
using std::sqrt;

}  // namespace
