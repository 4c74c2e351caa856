#include "bench/peers/depth_engine.hpp"

// Where FCL is not.

namespace snug::bench {

std::unique_ptr<DepthQuery> make_fcl_depth(const Primitive& /*a*/, const Primitive& /*b*/) { return nullptr; }

}  // namespace snug::bench
