#pragma once

#include "scenes/blob.hpp"

#include <snug/mesh.hpp>

#include <cstdint>

// Concave bodies with as many vertices as asked for: closed, of genus 0, so with 2 * vertices - 4 triangles. They look
// along +x, stand on z = 0 and are about one unit high. Their surfaces are their limbs. The same bits on every machine.

namespace snug::scenes {

/// Sitting, ears up. 453 vertices make 902 triangles.
[[nodiscard]] Mesh bunny(std::uint32_t vertices);
/// On four legs, with snout and curly tail. 1,085 vertices make 2,166 triangles, 1,067 make 2,130.
[[nodiscard]] Mesh pig(std::uint32_t vertices);
/// Swimming. 1,731 vertices make 3,458 triangles.
[[nodiscard]] Mesh duck(std::uint32_t vertices);

/// The surface of a body, with exactly so many vertices, standing on z = 0 around the z axis and of height 1. The grid it
/// is found on has `width`; it must be fine enough to yield more vertices than asked for.
[[nodiscard]] Mesh skin(const Blob& body, double width, std::uint32_t vertices);

}  // namespace snug::scenes
