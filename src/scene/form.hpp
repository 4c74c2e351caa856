#pragma once

#include "shape/posed_bounds.hpp"

#include <snug/cast.hpp>
#include <snug/progress.hpp>
#include <snug/query.hpp>

#include <optional>
#include <vector>

namespace snug::detail {

/// What a body is and where: a mesh or a primitive. Borrowed.
struct Form {
  const Shape* shape = nullptr;
  const Primitive* primitive = nullptr;
  const Pose* pose = nullptr;

  [[nodiscard]] Aabb bounds() const noexcept {
    return shape != nullptr ? posed_bounds(*shape, *pose) : posed_bounds(*primitive, *pose);
  }
  [[nodiscard]] std::size_t triangles() const noexcept {
    return shape != nullptr ? shape->mesh().triangles().size() : 0;
  }
};

/// How two bodies are asked. What is found after a cancel means nothing: whoever gave the token looks at it afterwards.
struct HowToAsk {
  QueryOptions query;
  const CancelToken* cancel = nullptr;
};

// The queries of two bodies, whatever they are.

[[nodiscard]] bool meet(const Form& a, const Form& b, Scratch& scratch, const HowToAsk& how);
[[nodiscard]] bool within(const Form& a, const Form& b, double clearance, Scratch& scratch, const HowToAsk& how);
/// As SceneContacts lists them. `meeting` is working memory.
void contacts(const Form& a, const Form& b, Scratch& scratch, const HowToAsk& how, std::vector<std::uint32_t>& meeting,
              std::vector<TrianglePair>& out);

[[nodiscard]] Result<std::optional<RayCastHit>, CastError> cast_ray(const Ray& ray, const Form& body, double t_max);
[[nodiscard]] Result<bool, CastError> ray_meets(const Ray& ray, const Form& body, double t_max);
[[nodiscard]] Result<std::optional<ShapeCastHit>, CastError> cast_shape(const Form& moving, const Vec3& motion,
                                                                        const Form& other, const CancelToken* cancel);
/// Builds what searches of these bodies need. False if cancelled.
[[nodiscard]] bool prepared(const Form& a, const Form& b, const CancelToken* cancel);

}  // namespace snug::detail
