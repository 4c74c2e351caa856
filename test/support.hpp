#pragma once

#include <snug/snug.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace snug::test {

/// Cases to go through: all of `count`, or the share that SNUG_TEST_SCALE (percent) asks for under slow sanitizers;
/// ten times as many when SNUG_LONG is set.
inline std::uint64_t scaled(std::uint64_t count) {
  const char* percent = std::getenv("SNUG_TEST_SCALE");
  const std::uint64_t scale = percent != nullptr ? std::strtoull(percent, nullptr, 10) : 100;
  const char* is_long = std::getenv("SNUG_LONG");
  const std::uint64_t factor = is_long != nullptr && *is_long == '1' ? 10 : 1;
  return std::max<std::uint64_t>(1, count * factor * scale / 100);
}

/// Folder of test data from elsewhere, or empty.
inline std::filesystem::path data_dir() {
  const char* folder = std::getenv("SNUG_DATA");
  return folder != nullptr && std::filesystem::is_directory(folder) ? folder : "";
}

/// The 24 rotations of the cube: exact in doubles.
inline std::vector<Pose> cube_rotations() {
  std::vector<Pose> poses;
  const double h = 0.70710678118654757;
  for (const Quaternion& q : std::initializer_list<Quaternion>{
           {1, 0, 0, 0},      {0, 1, 0, 0},       {0, 0, 1, 0},       {0, 0, 0, 1},       {h, h, 0, 0},
           {h, -h, 0, 0},     {h, 0, h, 0},       {h, 0, -h, 0},      {h, 0, 0, h},       {h, 0, 0, -h},
           {0, h, h, 0},      {0, h, -h, 0},      {0, h, 0, h},       {0, h, 0, -h},      {0, 0, h, h},
           {0, 0, h, -h},     {.5, .5, .5, .5},   {.5, .5, .5, -.5},  {.5, .5, -.5, .5},  {.5, .5, -.5, -.5},
           {.5, -.5, .5, .5}, {.5, -.5, .5, -.5}, {.5, -.5, -.5, .5}, {.5, -.5, -.5, -.5}})
    poses.push_back(Pose::make(q, {}).value());
  return poses;
}

inline Triangle posed(const Triangle& t, const Pose& pose) {
  return {{pose.apply(t[0]), pose.apply(t[1]), pose.apply(t[2])}};
}

/// Adds a mesh to another as shells of their own; `turned`: inside out. Surfaces are not kept.
inline void append(MeshInput& input, const Mesh& mesh, bool turned = false) {
  const auto first = static_cast<std::uint32_t>(input.vertices.size());
  input.vertices.insert(input.vertices.end(), mesh.vertices().begin(), mesh.vertices().end());
  for (const Index3& t : mesh.triangles())
    input.triangles.push_back({first + t[0], first + t[turned ? 2 : 1], first + t[turned ? 1 : 2]});
}

/// Calls f with both triangles in all 72 orders of triangles and corners.
template <class F>
void for_all_72_orders(const Triangle& a, const Triangle& b, F&& f) {
  std::array<std::size_t, 3> i{0, 1, 2};
  do {
    std::array<std::size_t, 3> j{0, 1, 2};
    do {
      const Triangle x{{a[i[0]], a[i[1]], a[i[2]]}}, y{{b[j[0]], b[j[1]], b[j[2]]}};
      f(x, y);
      f(y, x);
    } while (std::ranges::next_permutation(j).found);
  } while (std::ranges::next_permutation(i).found);
}

}  // namespace snug::test
