#pragma once

#include "support/assert.hpp"

#include <atomic>
#include <thread>

namespace snug::support {

/// Who uses an object that serves one thread at a time.
struct UserMark {
  std::atomic<std::thread::id> thread{};
};

/// While it lives, the calling thread uses the object; calls of the same thread may nest. With assertions on, a second thread is
/// reported instead of corrupting memory in silence; without, this costs nothing.
class [[nodiscard]] OneUser {
 public:
#if SNUG_ASSERTS
  explicit OneUser(UserMark& mark) noexcept {
    const std::thread::id self = std::this_thread::get_id();
    std::thread::id user = mark.thread.load(std::memory_order_relaxed);
    if (user == self) return;  // a query that asks another
    user = {};
    const bool used_by_one_thread = mark.thread.compare_exchange_strong(user, self, std::memory_order_acquire);
    SNUG_ASSERT(used_by_one_thread && "a Scratch, tracker or scene's scratch is used by two threads at once");
    if (used_by_one_thread) mark_ = &mark;
  }
  ~OneUser() {
    if (mark_ != nullptr) mark_->thread.store({}, std::memory_order_release);
  }
  OneUser(const OneUser&) = delete;
  OneUser& operator=(const OneUser&) = delete;

 private:
  UserMark* mark_ = nullptr;
#else
  explicit OneUser(UserMark&) noexcept {}
  ~OneUser() {}
#endif
};

}  // namespace snug::support
