#pragma once

#include "mesh/mesh_links.hpp"
#include "shape/posed.hpp"
#include "shape/scratch_memory.hpp"
#include "shape/structure_cache.hpp"
#include "support/rooms.hpp"

#include <snug/pose.hpp>
#include <snug/shape.hpp>

#include <atomic>
#include <memory>
#include <utility>

namespace snug::detail {

/// What a Shape shares among its copies: the mesh, and the search structures that queries have asked for.
struct ShapeData {
  ShapeData(Mesh m, const ShapeOptions& o)
      : mesh(std::move(m)), options(o), links(std::make_shared<const LazyLinks>(mesh)) {}

  Mesh mesh;
  ShapeOptions options;
  /// Of the mesh that this one is a deformation of, or its own.
  std::shared_ptr<const LazyLinks> links;
  StructureCache structures;
  mutable std::atomic<std::uint32_t> prepared{0};  ///< bits of what prepare_for() knows to be there

  /// Builds the structure if it is not there yet. If that is cancelled, it throws LoopCancelled.
  template <class T>
  [[nodiscard]] const T& get(const CancelToken* cancel = nullptr) const {
    return structures.get<T>(*this, cancel);
  }
};

/// The one door to what Shape and Scratch hide.
struct Access {
  static const ShapeData& data(const Shape& shape) noexcept { return *shape.data_; }
  static const std::shared_ptr<const ShapeData>& shared(const Shape& shape) noexcept { return shape.data_; }
  static Shape shape(std::shared_ptr<const ShapeData> data) noexcept { return Shape(std::move(data)); }
  /// One that was moved from gets new memory.
  static ScratchData& data(Scratch& scratch) {
    if (scratch.data_ == nullptr) [[unlikely]]
      scratch.data_ = std::make_unique<ScratchData>();
    return *scratch.data_;
  }
};

}  // namespace snug::detail

namespace snug::shape {

using detail::Access;
using detail::ShapeData;

/// For the duration of a query.
[[nodiscard]] inline OneUser use(Scratch& scratch) { return OneUser(Access::data(scratch).user); }

/// What searches of pairs of triangles need, and no more.
inline constexpr Preparation k_for_pairs{.rays = false, .contacts = false, .motion = false, .verdicts = false};

}  // namespace snug::shape
