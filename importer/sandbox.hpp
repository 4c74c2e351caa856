#pragma once

#include <cstdint>
#include <string>

namespace snug {

struct SandboxLimits {
  double seconds = 600;
  std::uint64_t memory_bytes = 4ULL << 30;
  std::uint64_t output_bytes = 2ULL << 30;
};

/// Gives up what reading a file does not need, for good: from here on the process can compute, read from and write
/// to what is open already and end itself; it can not open files, start processes or threads, reach the network, or
/// touch other processes, and it lives within the limits. Memory that runs out ends it with the line "limit memory" on
/// stderr and exit status 3. Call it before the first byte of a file is looked at. Returns one line that tells what is in
/// force; what the machine or the build does not offer is named there as missing.
[[nodiscard]] std::string enter_sandbox(const SandboxLimits& limits);

/// Enters the sandbox, tries what it forbids and prints a line for each: "try socket: refused (…)" or "try socket:
/// ALLOWED". Returns the exit status: 0 if all was refused, 1 if not.
[[nodiscard]] int report_isolation(const SandboxLimits& limits);

}  // namespace snug
