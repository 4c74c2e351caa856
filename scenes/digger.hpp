#pragma once

#include "scenes/scene.hpp"

namespace snug::scenes {

/// A small excavator being put together: undercarriage, swing body, boom, arm and bucket, each carried to its pin. Pins
/// run free in their bushes, so the finished machine is clear; on the way bushes pass through pins. 5 parts.
[[nodiscard]] Scene digger();

}  // namespace snug::scenes
