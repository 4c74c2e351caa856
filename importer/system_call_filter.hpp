#pragma once

#include <string>

namespace snug {

struct FilterState {
  bool in_force = false;
  std::string words;  ///< "system calls filtered (84 allowed)", or why they are not
};

/// Leaves this process, for good, the system calls that computing and reading need; all others fail with EPERM. Needs
/// PR_SET_NO_NEW_PRIVS, and that there is one thread.
[[nodiscard]] FilterState install_system_call_filter();

}  // namespace snug
