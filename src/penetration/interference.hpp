#pragma once

#include "penetration/common_ball.hpp"
#include "penetration/fits.hpp"
#include "support/rooms.hpp"

#include <snug/progress.hpp>

#include <optional>

namespace snug::penetration {

/// A ball between the walls of a bore and of a pin that is too wide for it, by however little: inside both parts wherever
/// their other faces are within their sags. The two walls are known by their analytic forms, so their own sags do not
/// matter. It is as wide as the interference, less what axes, tolerances and roundings leave open. Splines that were
/// recognised are no proof. Of parts with very many fits not all are tried; none once cancelled.
[[nodiscard]] std::optional<CommonBall> ball_of_interference(const PosedSolid& a, const PosedSolid& b, const Fits& fits,
                                                             const CancelToken* cancel = nullptr);

}  // namespace snug::penetration
