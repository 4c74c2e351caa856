#pragma once

#include <snug/assembly.hpp>

namespace snug::scenes {

/// A plate on two feet with a post, a screw that is too long, a washer pair sharing one mesh, and a cover: a handful of
/// parts with contacts that belong there and one clash that does not. Millimetres.
[[nodiscard]] Assembly workbench();

}  // namespace snug::scenes
