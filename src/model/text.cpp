#include "support/assert.hpp"
#include "support/sha256.hpp"

#include <snug/assembly.hpp>
#include <snug/mesh.hpp>
#include <snug/motion.hpp>
#include <snug/pose.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <numeric>

// Words for enumerations and errors, in one place so that they read alike.

namespace snug {

std::string_view to_string(SurfaceKind kind) noexcept {
  switch (kind) {
    case SurfaceKind::unknown:
      return "unknown";
    case SurfaceKind::plane:
      return "plane";
    case SurfaceKind::cylinder:
      return "cylinder";
    case SurfaceKind::cone:
      return "cone";
    case SurfaceKind::sphere:
      return "sphere";
    case SurfaceKind::torus:
      return "torus";
    case SurfaceKind::spline:
      return "spline";
  }
  return "?";
}

std::string to_hex(const ContentHash& hash) { return support::to_hex(hash); }

std::string MeshError::message() const {
  const std::string id = std::to_string(element);
  switch (code) {
    case Code::empty:
      return "the mesh has no triangles";
    case Code::too_many:
      return id + " vertices or triangles are more than 32-bit ids can name";
    case Code::non_finite_vertex:
      return "vertex " + id + " is not finite";
    case Code::vertex_too_large:
      return "vertex " + id + " has a coordinate beyond 2^996";
    case Code::index_out_of_range:
      return "triangle " + id + " names a vertex that does not exist";
    case Code::surface_out_of_range:
      return "triangle " + id + " names a surface that does not exist";
    case Code::surface_count_differs:
      return "surfaces are named for " + id + " triangles, not for each one";
    case Code::bad_sag:
      return "surface " + id + " has a sag or a tolerance that is negative or not finite";
    case Code::bad_analytic:
      return "surface " + id + " has an analytic form that is not valid for its kind";
    case Code::bad_crease_angle:
      return "the crease angle is not within 0 to 180 degrees";
    case Code::vertex_count_differs:
      return "there are new places for " + id + " vertices, which is not how many the mesh has";
    case Code::cancelled:
      return "cancelled";
  }
  return "?";
}

namespace {
std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}
}  // namespace

std::string PoseError::message() const {
  switch (code) {
    case Code::non_finite:
      return "the pose has a number that is not finite";
    case Code::too_large:
      return "the pose has a translation beyond 2^996";
    case Code::zero_rotation:
      return "the pose has a zero quaternion";
    case Code::not_a_rotation:
      return "the matrix is no rotation: it deviates from one by " + short_text(deviation);
    case Code::bad_last_row:
      return "the last row of the matrix is not 0 0 0 1: it deviates by " + short_text(deviation);
  }
  return "?";
}

std::string MotionError::message() const {
  const std::string id = std::to_string(key);
  switch (code) {
    case Code::empty:
      return "the motion has no keys";
    case Code::non_finite_time:
      return "key " + id + " has a time that is not finite";
    case Code::times_not_rising:
      return "key " + id + " is not later than the key before it";
    case Code::vertex_count:
      return "key " + id + " has another number of vertices than the first";
    case Code::non_finite_vertex:
      return "key " + id + " has a vertex that is not finite or beyond 2^996";
    case Code::bad_pose:
      return "key " + id + " has an invalid pose";
    case Code::longer_arc:
      return "key " + id +
             " has a quaternion more than half a turn from that of the key before it: say which way by Motion::then() "
             "with a Turn, by a key in between, or take the shorter way by Arc::shorter";
    case Code::bad_turn:
      return "key " + id +
             " turns about an axis without a direction, by an angle beyond 100000 radians, or with lengths that are "
             "not finite or beyond 2^990";
  }
  return "?";
}

std::string AssemblyError::message() const {
  switch (code) {
    case Code::empty_path:
      return "a part has no name";
    case Code::duplicate_path:
      return "two parts are named '" + path + "'";
    case Code::bad_pose:
      return "the pose of part '" + path + "' is not valid";
    case Code::no_part:
      return "there is no part of that id";
    case Code::no_frame:
      return "part '" + path + "' belongs to a sub-assembly that is not there";
    case Code::bad_frame:
      return "the pose of sub-assembly '" + path + "' is not valid";
  }
  return "?";
}

namespace {
struct UnitWord {
  LengthUnit unit;
  std::string_view word;
  double metres;
  std::int64_t tenths_of_um;
};
constexpr std::array<UnitWord, 6> k_units{{{LengthUnit::micrometre, "um", 1e-6, 10},
                                           {LengthUnit::millimetre, "mm", 1e-3, 10'000},
                                           {LengthUnit::centimetre, "cm", 1e-2, 100'000},
                                           {LengthUnit::metre, "m", 1.0, 10'000'000},
                                           {LengthUnit::inch, "in", 0.0254, 254'000},
                                           {LengthUnit::foot, "ft", 0.3048, 3'048'000}}};
}  // namespace

std::string_view to_string(LengthUnit unit) noexcept {
  const auto at = static_cast<std::size_t>(unit);
  return at < k_units.size() ? k_units[at].word : "?";
}
double metres_per(LengthUnit unit) noexcept {
  const auto at = static_cast<std::size_t>(unit);
  SNUG_ASSERT(at < k_units.size());
  return at < k_units.size() ? k_units[at].metres : 0;
}

double convert_length(double value, LengthUnit from, LengthUnit to) noexcept {
  const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
  SNUG_ASSERT(a < k_units.size() && b < k_units.size());
  if (a == b || a >= k_units.size() || b >= k_units.size()) return value;
  // In whole numbers, which doubles hold: metres per unit are rounded already.
  const std::int64_t common = std::gcd(k_units[a].tenths_of_um, k_units[b].tenths_of_um);
  const auto times = static_cast<double>(k_units[a].tenths_of_um / common);
  const auto over = static_cast<double>(k_units[b].tenths_of_um / common);
  return value * times / over;
}

std::optional<LengthUnit> parse_length_unit(std::string_view text) noexcept {
  for (const UnitWord& u : k_units)
    if (u.word == text) return u.unit;
  return std::nullopt;
}

}  // namespace snug
