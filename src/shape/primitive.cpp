#include <snug/primitive.hpp>

#include "shape/convex.hpp"

#include <cmath>
#include <optional>

namespace snug {

namespace {

using Code = PrimitiveError::Code;

Failure<PrimitiveError> refused(Code code) { return {PrimitiveError{code}}; }

/// What is wrong with some lengths, if anything. Half of the largest coordinate leaves room for two of them to add up.
std::optional<Code> wrong(std::initializer_list<double> lengths) noexcept {
  for (const double length : lengths) {
    if (!std::isfinite(length)) return Code::not_finite;
    if (length < 0) return Code::negative_size;
    if (length > 0.5 * k_max_coordinate) return Code::too_large;
  }
  return std::nullopt;
}

std::optional<Code> wrong(const Point3& point) noexcept {
  if (!std::isfinite(point.x) || !std::isfinite(point.y) || !std::isfinite(point.z)) return Code::not_finite;
  if (geometry::max_abs(point) > k_max_coordinate) return Code::too_large;
  return std::nullopt;
}

Aabb around_origin(const Vec3& half) noexcept { return {-half, half}; }

}  // namespace

Result<Primitive, PrimitiveError> Primitive::sphere(double radius) {
  if (const auto code = wrong({radius})) return refused(*code);
  Primitive made(Kind::sphere);
  made.radius_ = radius;
  made.bounds_ = around_origin({radius, radius, radius});
  return made;
}

Result<Primitive, PrimitiveError> Primitive::capsule(double radius, double length) {
  if (const auto code = wrong({radius, length})) return refused(*code);
  Primitive made(Kind::capsule);
  made.radius_ = radius;
  made.half_ = {0, 0, 0.5 * length};
  made.bounds_ = around_origin({radius, radius, radius + made.half_.z});
  return made;
}

Result<Primitive, PrimitiveError> Primitive::box(const Vec3& edges) {
  if (const auto code = wrong({edges.x, edges.y, edges.z})) return refused(*code);
  Primitive made(Kind::box);
  made.half_ = 0.5 * edges;
  made.bounds_ = around_origin(made.half_);
  return made;
}

Result<Primitive, PrimitiveError> Primitive::cylinder(double radius, double height) {
  if (const auto code = wrong({radius, height})) return refused(*code);
  Primitive made(Kind::cylinder);
  made.radius_ = radius;
  made.half_ = {0, 0, 0.5 * height};
  made.bounds_ = around_origin({radius, radius, made.half_.z});
  return made;
}

Result<Primitive, PrimitiveError> Primitive::cone(double radius, double height) {
  if (const auto code = wrong({radius, height})) return refused(*code);
  Primitive made(Kind::cone);
  made.radius_ = radius;
  made.half_ = {0, 0, 0.5 * height};
  made.bounds_ = around_origin({radius, radius, made.half_.z});
  return made;
}

Result<Primitive, PrimitiveError> Primitive::ellipsoid(const Vec3& radii) {
  if (const auto code = wrong({radii.x, radii.y, radii.z})) return refused(*code);
  Primitive made(Kind::ellipsoid);
  made.half_ = radii;
  made.bounds_ = around_origin(radii);
  return made;
}

Result<Primitive, PrimitiveError> Primitive::half_space(const Vec3& normal, double offset) {
  return flat(Kind::half_space, normal, offset);
}

Result<Primitive, PrimitiveError> Primitive::plane(const Vec3& normal, double offset) {
  return flat(Kind::plane, normal, offset);
}

Result<Primitive, PrimitiveError> Primitive::flat(Kind kind, const Vec3& normal, double offset) {
  if (const auto code = wrong(normal)) return refused(*code);
  if (!std::isfinite(offset)) return refused(Code::not_finite);
  if (std::abs(offset) > k_max_coordinate) return refused(Code::too_large);
  const double largest = geometry::max_abs(normal);
  if (!(largest > 0)) return refused(Code::zero_normal);
  Primitive made(kind);
  // By a power of two first, so that no square overflows or vanishes.
  const Vec3 scaled = geometry::scale_to_one(largest) * normal;
  made.normal_ = (1 / geometry::length_of(scaled)) * scaled;
  made.offset_ = offset;
  made.bounds_ = around_origin({k_max_coordinate, k_max_coordinate, k_max_coordinate});
  return made;
}

Result<Primitive, PrimitiveError> Primitive::hull(std::span<const Point3> points) { return around(Kind::hull, points); }

Result<Primitive, PrimitiveError> Primitive::triangle(const Triangle& corners) {
  return around(Kind::triangle, corners.corner);
}

Result<Primitive, PrimitiveError> Primitive::around(Kind kind, std::span<const Point3> points) {
  if (points.empty()) return refused(Code::no_points);
  Primitive made(kind);
  for (const Point3& point : points) {
    if (const auto code = wrong(point)) return refused(*code);
    made.bounds_.include(point);
  }
  detail::HullPoints kept{{points.begin(), points.end()}, {}};
  const Point3 middle = geometry::middle_of(made.bounds_);
  kept.centred.reserve(points.size());
  for (const Point3& point : points) kept.centred.push_back(point - middle);
  made.points_ = std::make_shared<const detail::HullPoints>(std::move(kept));
  return made;
}

std::span<const Point3> Primitive::points() const noexcept {
  return points_ == nullptr ? std::span<const Point3>() : std::span<const Point3>(points_->given);
}

std::string_view to_string(Primitive::Kind kind) noexcept {
  switch (kind) {
    case Primitive::Kind::sphere:
      return "sphere";
    case Primitive::Kind::capsule:
      return "capsule";
    case Primitive::Kind::box:
      return "box";
    case Primitive::Kind::cylinder:
      return "cylinder";
    case Primitive::Kind::half_space:
      return "half-space";
    case Primitive::Kind::hull:
      return "hull";
    case Primitive::Kind::cone:
      return "cone";
    case Primitive::Kind::ellipsoid:
      return "ellipsoid";
    case Primitive::Kind::plane:
      return "plane";
    case Primitive::Kind::triangle:
      return "triangle";
  }
  return "unknown";
}

std::string PrimitiveError::message() const {
  switch (code) {
    case Code::not_finite:
      return "a size or coordinate is not a finite number";
    case Code::too_large:
      return "a size or coordinate is too large";
    case Code::negative_size:
      return "a radius, length or edge is negative";
    case Code::zero_normal:
      return "the normal of a half-space or plane is zero";
    case Code::no_points:
      return "a hull needs at least one point";
  }
  return "unknown error";
}

}  // namespace snug
