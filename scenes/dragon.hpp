#pragma once

#include <snug/mesh.hpp>

#include <cstdint>

namespace snug::scenes {

/// A dragon that stands on z = 0 and looks along +x, about one unit high and two long: neck, horns, wings, four legs with toes, a row of spikes
/// from head to tail. Closed, of one shell, with exactly so many vertices; 100,002 make 200,000 triangles if it has no hole. The same bits
/// on every machine.
[[nodiscard]] Mesh dragon(std::uint32_t vertices);

}  // namespace snug::scenes
