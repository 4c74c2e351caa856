#include "bench/peers/self_engine.hpp"

// Where CGAL is not.

namespace snug::bench {

std::unique_ptr<SelfQuery> make_cgal_self(const Mesh& /*mesh*/) { return nullptr; }

}  // namespace snug::bench
