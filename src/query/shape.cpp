#include <snug/shape.hpp>

#include "query/shape_data.hpp"

namespace snug {

Shape::Shape(Mesh mesh) : data_(std::make_shared<const detail::ShapeData>(detail::ShapeData{std::move(mesh)})) {}
const Mesh& Shape::mesh() const noexcept { return data_->mesh; }
const Aabb& Shape::bounds() const noexcept { return data_->mesh.bounds(); }
std::size_t Shape::bytes() const noexcept { return data_->mesh.bytes() + sizeof(detail::ShapeData); }

Scratch::Scratch() : data_(std::make_unique<detail::ScratchData>()) {}
Scratch::~Scratch() = default;
Scratch::Scratch(Scratch&&) noexcept = default;
Scratch& Scratch::operator=(Scratch&&) noexcept = default;

}  // namespace snug
