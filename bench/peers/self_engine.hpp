#pragma once

#include "bench/peers/engine.hpp"

// Where a mesh meets itself: what peers make of it.

namespace snug::bench {

class SelfQuery {
 public:
  virtual ~SelfQuery() = default;
  virtual void find_all() = 0;  ///< timed
  virtual bool find_any() = 0;  ///< timed
  virtual void pairs(std::vector<IdPair>& out) const = 0;
};

/// CGAL's, on a mesh that is already a surface mesh of its own; null if the mesh is no manifold or CGAL is not there.
[[nodiscard]] std::unique_ptr<SelfQuery> make_cgal_self(const Mesh& mesh);

}  // namespace snug::bench
