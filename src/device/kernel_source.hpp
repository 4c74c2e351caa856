#pragma once

#include "support/rooms.hpp"

#include <string_view>

namespace snug::device {

/// The text of a kernel with the layouts it shares with the host, embedded when snug is built.
struct KernelSource {
  std::string_view name, text;
};

extern const KernelSource k_dop_walk_source, k_follow_source, k_project_source, k_rays_source;

/// Items of a group; kernels are compiled for it.
inline constexpr unsigned k_group_items = 64;

}  // namespace snug::device
