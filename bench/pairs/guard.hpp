#pragma once

#include <functional>
#include <string>

namespace snug::bench::pairs {

/// Runs `work`; returns nothing, or how it ended: a peer that aborts, faults or does not return within a minute must not
/// take the benchmark with it. What such a peer leaves behind is lost, so it is not to be used again.
[[nodiscard]] std::string guarded(const std::function<void()>& work);

}  // namespace snug::bench::pairs
