#pragma once

#include "scene/scene_data.hpp"
#include "support/parallel.hpp"
#include "support/rooms.hpp"

#include <atomic>
#include <cstddef>
#include <optional>
#include <thread>

// What the queries of a scene share: a list of pairs to decide, gone through by one thread or several.

namespace snug::scene {

[[nodiscard]] inline unsigned threads_of(const SceneOptions& options) noexcept {
  return sensible_threads(options.threads);
}

[[nodiscard]] inline BroadRun broad_run(const SceneOptions& options) {
  return {kernels_for(options.instructions), threads_of(options), options.cancel};
}

[[nodiscard]] inline HowToAsk how_to_ask(const SceneOptions& options, unsigned threads = 1) {
  return {{.method = options.method, .threads = threads, .instructions = options.instructions}, options.cancel};
}

[[nodiscard]] inline Failure<SceneError> cancelled_error() { return {SceneError{SceneError::Code::cancelled}}; }

/// Tells the caller's hook, and the caller alone, how far the work is.
class WorkProgress {
 public:
  WorkProgress(const SceneOptions& options, std::size_t total)
      : options_(options), total_(total), caller_(std::this_thread::get_id()) {
    if (options_.progress) options_.progress(0);
  }
  void advance() {
    const std::size_t done = done_.fetch_add(1, std::memory_order_relaxed) + 1;
    if (options_.progress && done < total_ && std::this_thread::get_id() == caller_)
      options_.progress(static_cast<double>(done) / static_cast<double>(total_));
  }
  void finish() const {
    if (options_.progress) options_.progress(1);
  }

 private:
  const SceneOptions& options_;
  std::size_t total_;
  std::thread::id caller_;
  std::atomic<std::size_t> done_{0};
};

/// Decides whether item i of the work is a hit.
class Decide {
 public:
  template <class F>
  Decide(F& f) noexcept
      : object_(&f),
        call_([](void* object, std::size_t i, Scratch& scratch) { return (*static_cast<F*>(object))(i, scratch); }) {}
  bool operator()(std::size_t i, Scratch& scratch) const { return call_(object_, i, scratch); }

 private:
  void* object_;
  bool (*call_)(void*, std::size_t, Scratch&);
};

/// Goes through all items and leaves in memory.hits which of them are hits. False if cancelled.
[[nodiscard]] bool decide_all(std::size_t count, const Decide& decide, const SceneOptions& options,
                              SceneScratchData& memory);
/// The first hit, or `count`; nothing if cancelled.
[[nodiscard]] std::optional<std::size_t> decide_first(std::size_t count, const Decide& decide,
                                                      const SceneOptions& options, SceneScratchData& memory);
/// A scratch for the calling thread alone.
[[nodiscard]] Scratch& own_scratch(SceneScratchData& memory);

/// No less than `clearance` and what the rounding of distances may add to it among coordinates up to `largest`, so that
/// boxes leave out nothing that within() would count.
[[nodiscard]] double widened(double clearance, double largest) noexcept;

}  // namespace snug::scene
