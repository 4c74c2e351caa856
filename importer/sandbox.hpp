#pragma once

#include <cstdint>
#include <string>

namespace snug {

struct SandboxLimits {
  double seconds = 600;
  std::uint64_t memory_bytes = 4ULL << 30;
  std::uint64_t output_bytes = 2ULL << 30;
};

[[nodiscard]] inline std::string enter_sandbox(const SandboxLimits& limits) {
  (void)limits;
  return "no sandbox";
}

}  // namespace snug
