#pragma once

#include "support/rooms.hpp"

#include <snug/self.hpp>

namespace snug::query {

/// Pairs in order of (a, b): all of them, or with `first` only the first. False if cancelled.
[[nodiscard]] bool self_brute(const Mesh& mesh, const SelfOptions& options, bool first,
                              std::vector<TrianglePair>& pairs);

}  // namespace snug::query
