#pragma once

#include <snug/pose.hpp>
#include <snug/primitive.hpp>

#include <memory>
#include <optional>

// The depth of two primitives by a peer.

namespace snug::bench {

struct PeerDepth {
  bool meets = false;
  double depth = 0;
};

class DepthQuery {
 public:
  virtual ~DepthQuery() = default;
  virtual PeerDepth ask(const Pose& a, const Pose& b) = 0;
};

/// Null if the peer was not found at configure time, or knows no such primitives.
[[nodiscard]] std::unique_ptr<DepthQuery> make_fcl_depth(const Primitive& a, const Primitive& b);

}  // namespace snug::bench
