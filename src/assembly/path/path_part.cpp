#include "assembly/path/path_part.hpp"

#include "support/parallel.hpp"

namespace snug::assembly {

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
    : body_(shape, cancel), trajectory_(motion, body_.radius(), range), overlap_(overlap), cancel_(cancel) {}

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

}  // namespace snug::assembly
