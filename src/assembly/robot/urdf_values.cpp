#include "assembly/robot/urdf_values.hpp"

#include "io/errors.hpp"
#include "io/text/number.hpp"
#include "support/trig.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace snug::robot {

namespace {

using io::XmlElement;

/// Finite numbers between blanks; how many there are, or nothing if something else is among them.
template <std::size_t N>
std::optional<std::array<double, N>> numbers_in(std::string_view text) {
  std::array<double, N> out{};
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto skip = [&] {
    while (at != end && io::is_space(*at)) ++at;
  };
  skip();
  for (double& number : out) {
    if (io::parse_coordinate(at, end, number) != io::NumberState::ok) return std::nullopt;
    if (at != end && !io::is_space(*at)) return std::nullopt;
    skip();
  }
  return at == end ? std::optional(out) : std::nullopt;
}

std::string named(const XmlElement& of, std::string_view attribute) {
  return "'" + std::string(attribute) + "' of <" + of.name + '>';
}

/// About x, then y, then z, all fixed: as URDF has it.
Quaternion from_rpy(const Vec3& rpy) {
  using support::cosine, support::sine;
  const double cr = cosine(rpy.x / 2), sr = sine(rpy.x / 2), cp = cosine(rpy.y / 2), sp = sine(rpy.y / 2),
               cy = cosine(rpy.z / 2), sy = sine(rpy.z / 2);
  return {cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy,
          cr * cp * sy - sr * sp * cy};
}

}  // namespace

Failure<IoError> UrdfValues::fail(const XmlElement& at, std::string text, IoError::Code code) const {
  return io::failure_at_line(code, path_, at.line, std::move(text));
}

Result<std::string, IoError> UrdfValues::word(const XmlElement& of, std::string_view name) const {
  const std::string* value = of.attribute(name);
  if (value == nullptr || value->empty()) return fail(of, named(of, name) + " is missing");
  return *value;
}

Result<double, IoError> UrdfValues::number(const XmlElement& of, std::string_view name,
                                           std::optional<double> otherwise) const {
  const std::string* value = of.attribute(name);
  if (value == nullptr && otherwise) return *otherwise;
  if (value == nullptr) return fail(of, named(of, name) + " is missing");
  const auto number = numbers_in<1>(*value);
  if (!number) return fail(of, named(of, name) + " must be a finite number, found " + support::quoted(*value));
  return (*number)[0];
}

Result<double, IoError> UrdfValues::size(const XmlElement& of, std::string_view name) const {
  auto value = number(of, name);
  if (value && !(*value > 0))
    return fail(of, named(of, name) + " must be above zero, found " + support::quoted(*of.attribute(name)));
  return value;
}

Result<Vec3, IoError> UrdfValues::three(const XmlElement& of, std::string_view name,
                                        std::optional<Vec3> otherwise) const {
  const std::string* value = of.attribute(name);
  if (value == nullptr && otherwise) return *otherwise;
  if (value == nullptr) return fail(of, named(of, name) + " is missing");
  const auto numbers = numbers_in<3>(*value);
  if (!numbers) return fail(of, named(of, name) + " must be three finite numbers, found " + support::quoted(*value));
  return Vec3{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
}

Result<Pose, IoError> UrdfValues::origin(const XmlElement& of) const {
  const XmlElement* element = xml_.child(of, "origin");
  if (element == nullptr) return Pose{};
  const auto xyz = three(*element, "xyz", Vec3{});
  if (!xyz) return Failure{xyz.error()};
  const auto rpy = three(*element, "rpy", Vec3{});
  if (!rpy) return Failure{rpy.error()};
  if (std::max({std::abs(rpy->x), std::abs(rpy->y), std::abs(rpy->z)}) > support::k_max_angle)
    return fail(*element, "'rpy' of <origin> is beyond a million radians", IoError::Code::out_of_range);
  const auto pose = Pose::make(*rpy == Vec3{} ? Quaternion{} : from_rpy(*rpy), *xyz);
  if (!pose) return fail(*element, pose.error().message());
  return *pose;
}

Result<const XmlElement*, IoError> UrdfValues::only(const XmlElement& of, std::string_view name) const {
  const XmlElement* found = nullptr;
  for (const std::uint32_t id : of.children) {
    const XmlElement& child = xml_.elements[id];
    if (child.name != name) continue;
    if (found != nullptr) return fail(child, "there is a second <" + std::string(name) + "> in <" + of.name + '>');
    found = &child;
  }
  if (found == nullptr) return fail(of, "there is no <" + std::string(name) + "> in <" + of.name + '>');
  return found;
}

}  // namespace snug::robot
