#include "assembly/path/path_part.hpp"

#include "shape/trees.hpp"
#include "support/parallel.hpp"

#include <algorithm>

namespace snug::assembly {

OriginRadius build(StructureOf<OriginRadius> /*of*/, const ShapeData& shape, const CancelToken* /*cancel*/) {
  return {radius_about_origin(shape.mesh.triangles(), shape.mesh.vertices())};
}

namespace {

constexpr double k_second = 0.9;  ///< what the second of a pair draws in, beside the first

/// The same triangles and surfaces; what the surfaces were called and made of is of no interest here.
Shape shape_of(const Shape& shape, const std::vector<Point3>& vertices, const CancelToken* cancel) {
  Looks looks(cancel);
  const Mesh& mesh = shape.mesh();
  MeshInput input;
  input.vertices = vertices;
  input.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  input.surfaces.resize(mesh.surfaces().size());
  input.surface_of_triangle.resize(input.triangles.size());
  for (std::uint32_t t = 0; t < input.triangles.size(); ++t) {
    looks.look();
    input.surface_of_triangle[t] = mesh.surface_of(t);
  }
  auto built = Mesh::build(std::move(input), {}, {.cancel = cancel});
  if (!built && built.error().code == MeshError::Code::cancelled) throw LoopCancelled{};
  return built ? Shape(std::move(built).value()) : shape;  // corners moved by a billionth of their size stay finite
}

}  // namespace

ShrunkPart::ShrunkPart(const Shape& shape, double by, const FaceSag& sag, const CancelToken* cancel)
    : ShrunkPart(shape, assembly::shrunk(shape, by, sag, cancel), cancel) {}

ShrunkPart::ShrunkPart(const Shape& shape, Shrunk drawn_in, const CancelToken* cancel)
    : regular(std::move(drawn_in.regular)),
      body(shape_of(shape, drawn_in.vertices, cancel), cancel),
      solid(body.shape(), Pose{}, cancel) {}

PathPart::PathPart(const Shape& shape, const Motion& motion, const TimeSpan& range, double overlap,
                   const CancelToken* cancel)
    : shape_(shape),
      trajectory_(motion, Access::data(shape).get<OriginRadius>(cancel).value, range),
      overlap_(overlap),
      cancel_(cancel) {}

const BoxedMesh& PathPart::body() const {
  std::call_once(body_once_, [&] { body_ = std::make_unique<BoxedMesh>(shape_, cancel_); });
  return *body_;
}

const PosedSolid& PathPart::solid() const {
  std::call_once(solid_once_, [&] { solid_ = std::make_unique<PosedSolid>(shape(), Pose{}, cancel_); });
  return *solid_;
}

const ShrunkPart& PathPart::shrunk(bool first, bool by_sag) const {
  const std::size_t i = (first ? 0U : 1U) + (by_sag ? 2U : 0U);
  std::call_once(shrunk_once_[i], [&] {
    shrunk_[i] = std::make_unique<ShrunkPart>(shape(), 0.5 * overlap_ * (first ? 1 : k_second),
                                              by_sag ? solid().sag() : FaceSag(), cancel_);
  });
  return *shrunk_[i];
}

double PathTask::overlap() const noexcept {
  // Nothing is deeper than this, and what is moved by it stays within the range of doubles.
  return std::min(std::max(options.tolerances.touch_overlap.value_or(0), resolution), 2 * k_max_coordinate);
}

double PathTask::gap() const noexcept { return std::max(options.tolerances.touch_gap, resolution); }

}  // namespace snug::assembly
