#pragma once

#include "scenes/brep/solid.hpp"

#include <span>

// Parts of the process plant, all in the plant's frame: millimetres, z up, the skid's upper side at z = 0.

namespace snug::scenes::plant_parts {

/// A bolted pipe joint and the pipe that ends in it.
struct Pipe {
  double radius, bore;
  double flange, raised, bolt_circle, bolt_hole;  ///< radii
  std::uint32_t bolts, chords, bolt_chords;
};
inline constexpr Pipe k_pipe{60, 48, 125, 85, 105, 10, 8, 16, 6};
inline constexpr double k_flange_thickness = 26, k_raised_height = 4;
inline constexpr double k_joint = k_flange_thickness + k_raised_height;  ///< from a pipe's end to where two joints meet

// Where pipes meet vessels and pump, and the directions in which those look.
inline constexpr double k_nozzle = 550;  ///< from the axes of column and drum to their joints
inline constexpr Point3 k_column_foot{700, 1100, 0}, k_drum_middle{2700, 1600, 1500};
inline constexpr Point3 k_column_inlet{1250, 1100, 1250}, k_column_outlet{1250, 1100, 2500};  // look along +x
inline constexpr Point3 k_drum_inlet{2300, 1600, 2050};                                       // looks up
inline constexpr Point3 k_drum_outlet{2700, 1600, 950};                                       // looks down
inline constexpr Point3 k_pump_suction{1900, 600, 400};                                       // looks along -x
inline constexpr Point3 k_pump_discharge{2320, 600, 800};                                     // looks up

/// Ends a pipe or nozzle in a flange with bolt holes; the flange's raised face.
brep::FaceId add_flange(brep::Solid& solid, const brep::Tip& end, const Pipe& pipe);
/// The same with a bore that ends blind after `depth`.
void add_nozzle(brep::Solid& solid, const brep::Tip& stub, const Pipe& pipe, double depth);
/// A manhole: a flange with a bolted cover and a handle.
void add_manhole(brep::Solid& solid, const brep::Tip& stub, std::uint32_t bolts);

/// Flanged at both ends, through points joined at right angles along the axes.
[[nodiscard]] Mesh pipe_run(std::span<const Point3> points, const Pipe& pipe, double bend_radius);
[[nodiscard]] Mesh skid();
[[nodiscard]] Mesh column();
[[nodiscard]] Mesh drum();
[[nodiscard]] Mesh pump();
[[nodiscard]] Mesh platform();

}  // namespace snug::scenes::plant_parts
