#pragma once

#include <snug/progress.hpp>

namespace snug::cli {

/// From the first call on, Ctrl-C (SIGINT) and SIGTERM set the token instead of ending the program; a second one ends it.
/// `words`: tell the user so on stderr.
[[nodiscard]] const CancelToken& watch_interrupts(bool words);

}  // namespace snug::cli
