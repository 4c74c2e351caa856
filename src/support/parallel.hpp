#pragma once

#include <snug/progress.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace snug::support {

/// Threads for a caller who asked for so many: at least the caller's own, and no more than any machine could use, so that
/// a number that was never meant does not ask for that much memory.
[[nodiscard]] constexpr unsigned sensible_threads(unsigned asked) noexcept { return std::clamp(asked, 1U, 1024U); }

/// Calls body(chunk) once for every chunk in [0, chunks), on up to `threads` threads, the caller's among them. Chunks are
/// handed out in rising order, but which thread takes which is open: write results by chunk, combine them in order.
/// A thread that the system refuses to start is done without. When a body throws (memory runs out), no further chunks are
/// begun and the first exception is thrown again to the caller.
void for_each_chunk(std::size_t chunks, unsigned threads, const std::function<void(std::size_t)>& body);

/// Thrown by a loop of a Team that was cancelled: what it was to do is not done. Whoever made the Team catches it.
struct LoopCancelled {};

/// Looks at a token now and then, however often it is asked to: for loops with short steps, and for the comparisons of sorts.
class Looks {
 public:
  explicit Looks(const CancelToken* cancel) noexcept : cancel_(cancel) {}

  /// Throws LoopCancelled if a token was given and is cancelled. Sees that after some thousand calls at most.
  void look() {
    if (++calls_ % k_calls_between == 0 && cancel_ != nullptr && cancel_->cancelled()) throw LoopCancelled{};
  }

 private:
  static constexpr std::uint32_t k_calls_between = 1 << 12;
  const CancelToken* cancel_;
  std::uint32_t calls_ = 0;
};

/// Threads for several such loops, one after the other. They are started once, and a loop does not wait for one that has
/// not come to run yet, as it must for one that it has started itself. Not for use by several callers at a time.
class Team {
 public:
  /// As many as the system grants of `threads`, the caller's among them. Loops look at `cancel`, if given, before each chunk.
  explicit Team(unsigned threads, const CancelToken* cancel = nullptr);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  [[nodiscard]] unsigned threads() const noexcept { return static_cast<unsigned>(helpers_.size()) + 1; }
  /// Does what the function of this name does.
  void for_each_chunk(std::size_t chunks, const std::function<void(std::size_t)>& body);

 private:
  struct Loop;
  void help();
  void run(std::size_t chunks, const std::function<void(std::size_t)>& body);

  const CancelToken* cancel_;
  std::mutex mutex_;
  std::condition_variable begun_, left_;
  Loop* loop_ = nullptr;     ///< what there is to do
  std::uint64_t loops_ = 0;  ///< so far
  std::size_t helping_ = 0;  ///< threads that are at it
  bool over_ = false;
  std::vector<std::thread> helpers_;
};

}  // namespace snug::support
