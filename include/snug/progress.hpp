#pragma once

#include <snug/export.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace snug {

/// Asks a long call to stop. Any thread may ask; the call answers soon after with an error or a partial result that
/// says so. Must outlive the calls that look at it.
class CancelToken {
 public:
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> cancelled_{false};
};

/// Called now and then from the thread that made the long call, with the share done so far: never falling, from 0 to 1.
using ProgressHook = std::function<void(double fraction)>;

/// How to watch a long call, and end it.
struct Watch {
  const CancelToken* cancel = nullptr;
  ProgressHook progress = {};

  [[nodiscard]] bool cancelled() const noexcept { return cancel != nullptr && cancel->cancelled(); }
};

/// Why there is no answer: somebody asked the call to stop.
struct Cancelled {
  [[nodiscard]] std::string message() const { return "cancelled"; }
  friend bool operator==(const Cancelled&, const Cancelled&) = default;
};

/// Threads the machine can run at once, at least 1.
[[nodiscard]] SNUG_API unsigned hardware_threads() noexcept;

/// What the search by oriented boxes runs on. Answers do not depend on it, to the last bit.
enum class Instructions : std::uint8_t {
  best,    ///< the widest this machine has
  scalar,  ///< one number at a time
  sse2,    ///< four: every x86-64 machine; as `scalar` elsewhere
  avx2,    ///< eight; as `best` on machines without
};

}  // namespace snug
