#pragma once

#include "bench/peers/engine.hpp"

// Each is defined in the file of its name, which is compiled only where the peer is installed.

namespace snug::bench {

[[nodiscard]] std::unique_ptr<Engine> make_fcl();
[[nodiscard]] std::unique_ptr<Engine> make_cgal();
[[nodiscard]] std::unique_ptr<Engine> make_bullet();
[[nodiscard]] std::unique_ptr<Engine> make_ode();
/// Sorting by Morton code: the quickest build it has.
[[nodiscard]] std::unique_ptr<Engine> make_embree_morton();
/// Its default build.
[[nodiscard]] std::unique_ptr<Engine> make_embree_sah();
/// Boxes of both bodies' triangles against one another.
[[nodiscard]] std::unique_ptr<Engine> make_embree_collide();

}  // namespace snug::bench
