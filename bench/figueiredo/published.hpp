#pragma once

#include <array>
#include <string_view>

// Figures of M. Figueiredo (2010), "Surface collision detection for virtual prototyping", measured on an Intel Core 2 Duo
// T7300 at 2 GHz with models that are not public. Our scenes have as many parts, surfaces, triangles and intersecting
// steps, but are other models on another machine: only the shape of the figures can be compared.

namespace snug::bench::figueiredo {

/// The scenes in the order of the paper's columns: Digger, Sener, Process Plant.
inline constexpr std::array<std::string_view, 3> k_scenes{"digger", "control-box", "plant"};
using ByScene = std::array<double, 3>;

/// Table 1.
inline constexpr ByScene k_parts{5, 25, 8}, k_surfaces{109, 1250, 1073}, k_triangles{2452, 25525, 24415},
    k_steps{507, 980, 233};

/// Tables 2 and 5, milliseconds per step.
struct SurfaceTimes {
  ByScene first, surfaces, triangles;
};
inline constexpr SurfaceTimes k_with_overlap_box{{0.04, 0.15, 0.09}, {0.25, 0.55, 0.94}, {0.36, 0.72, 1.26}};
inline constexpr SurfaceTimes k_without_overlap_box{{0.09, 0.38, 0.28}, {0.34, 1.06, 1.75}, {0.50, 1.23, 2.06}};

/// Tables 3 and 4, milliseconds per step.
struct ToolkitTimes {
  std::string_view toolkit;
  ByScene first, all;
};
inline constexpr std::array k_toolkits{
    ToolkitTimes{"PQP", {0.42, 0.32, 0.40}, {1.82, 1.57, 4.96}},
    ToolkitTimes{"RAPID", {0.06, 0.10, 0.12}, {1.24, 1.18, 3.62}},
    ToolkitTimes{"OPCODE", {0.02, 0.08, 0.04}, {0.90, 1.73, 2.09}},
    ToolkitTimes{"Dop Tree", {0.77, 1.25, 1.52}, {5.81, 10.48, 17.29}},
    ToolkitTimes{"S-CD", {0.04, 0.15, 0.09}, {0.36, 0.72, 1.26}},
};

/// Table 6, per step, while looking for the first pair of surfaces.
inline constexpr ByScene k_box_tests_with{507, 2256, 1263}, k_box_tests_without{754, 3942, 2915},
    k_box_updates_with{39, 87, 102}, k_box_updates_without{202, 825, 713};

}  // namespace snug::bench::figueiredo
