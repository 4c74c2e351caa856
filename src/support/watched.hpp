#pragma once

#include "support/parallel.hpp"

#include <snug/progress.hpp>

#include <atomic>
#include <thread>

namespace snug::support {

/// The loop of `run`, watched: progress is reported on the caller's thread, and no chunk is begun after a cancel. False if one was.
template <class Run, class Body>
[[nodiscard]] bool run_watched(const Run& run, std::size_t chunks, const Watch& watch, Body&& body) {
  std::atomic<std::size_t> done{0};
  const std::thread::id caller = std::this_thread::get_id();
  if (watch.progress) watch.progress(0);
  run(chunks, [&](std::size_t chunk) {
    if (watch.cancelled()) return;
    body(chunk);
    const std::size_t so_far = 1 + done.fetch_add(1, std::memory_order_relaxed);
    // Others may have counted on in the meantime; what the caller's thread sees does not fall.
    if (watch.progress && so_far < chunks && std::this_thread::get_id() == caller)
      watch.progress(static_cast<double>(so_far) / static_cast<double>(chunks));
  });
  if (watch.cancelled()) return false;
  if (watch.progress) watch.progress(1);
  return true;
}

/// for_each_chunk() on up to so many threads, watched.
template <class Body>
[[nodiscard]] bool for_each_chunk_watched(std::size_t chunks, unsigned threads, const Watch& watch, Body&& body) {
  return run_watched([&](std::size_t n, const auto& each) { for_each_chunk(n, threads, each); }, chunks, watch, body);
}
/// The same on the threads of a Team.
template <class Body>
[[nodiscard]] bool for_each_chunk_watched(std::size_t chunks, Team& team, const Watch& watch, Body&& body) {
  return run_watched([&](std::size_t n, const auto& each) { team.for_each_chunk(n, each); }, chunks, watch, body);
}

/// Told between the stages of a call: how much of it is done. False if it is to end. Done to the last, it has an answer.
[[nodiscard]] inline bool go_on(const Watch& watch, double share) {
  if (watch.cancelled()) return false;
  if (watch.progress) watch.progress(share);
  return share >= 1 || !watch.cancelled();
}

/// Watches a part of a call: its progress from 0 to 1 is the call's from `begin` to `end`. Borrows the watch.
[[nodiscard]] inline Watch part_of(const Watch& watch, double begin, double end) {
  Watch part{.cancel = watch.cancel};
  if (watch.progress)
    part.progress = [&watch, begin, end](double share) { watch.progress(begin + (end - begin) * share); };
  return part;
}

}  // namespace snug::support
