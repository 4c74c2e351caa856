#include "support/parallel.hpp"

#include "support/assert.hpp"

#include <snug/progress.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace snug {

unsigned hardware_threads() noexcept { return std::max(1U, std::thread::hardware_concurrency()); }

namespace support {

/// What is left of a loop, for all threads that are at it.
struct Chunks {
  const std::function<void(std::size_t)>& body;
  std::size_t count;
  std::atomic<std::size_t> next{0};
  std::mutex failure_mutex = {};
  std::exception_ptr failure = nullptr;

  void work() {
    try {
      for (std::size_t chunk = next.fetch_add(1); chunk < count; chunk = next.fetch_add(1)) body(chunk);
    } catch (...) {
      next.store(count);
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  }
};

void for_each_chunk(std::size_t chunks, unsigned threads, const std::function<void(std::size_t)>& body) {
  Chunks work{body, chunks};
  const std::size_t helpers = std::min<std::size_t>(sensible_threads(threads), std::max<std::size_t>(chunks, 1)) - 1;
  {
    std::vector<std::jthread> team;  // joins when it goes out of scope
    team.reserve(helpers);
    for (std::size_t i = 0; i < helpers; ++i) {
      try {
        team.emplace_back([&work] { work.work(); });
      } catch (const std::system_error&) {
        break;
      }
    }
    work.work();
  }
  if (work.failure) std::rethrow_exception(work.failure);
}

struct Team::Loop : Chunks {};

Team::Team(unsigned threads, const CancelToken* cancel) : cancel_(cancel) {
  threads = sensible_threads(threads);
  helpers_.reserve(threads - 1);
  for (unsigned i = 1; i < threads; ++i) {
    try {
      helpers_.emplace_back([this] { help(); });
    } catch (const std::exception&) {  // no thread, or no memory for one: those there are must be able to go home
      break;
    }
  }
}

Team::~Team() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  begun_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Team::for_each_chunk(std::size_t chunks, const std::function<void(std::size_t)>& body) {
  if (cancel_ == nullptr) return run(chunks, body);
  run(chunks, [&](std::size_t chunk) {
    if (cancel_->cancelled()) throw LoopCancelled{};
    body(chunk);
  });
}

void Team::run(std::size_t chunks, const std::function<void(std::size_t)>& body) {
  if (helpers_.empty() || chunks < 2) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) body(chunk);
    return;
  }
  Loop loop{{body, chunks}};
  {
    const std::lock_guard lock(mutex_);
    SNUG_ASSERT(loop_ == nullptr && helping_ == 0);  // one caller at a time
    loop_ = &loop;
    ++loops_;
  }
  begun_.notify_all();
  loop.work();
  std::unique_lock lock(mutex_);
  loop_ = nullptr;
  left_.wait(lock, [this] { return helping_ == 0; });
  if (loop.failure) std::rethrow_exception(loop.failure);
}

void Team::help() {
  std::unique_lock lock(mutex_);
  for (std::uint64_t seen = 0;;) {
    begun_.wait(lock, [&] { return over_ || (loop_ != nullptr && loops_ != seen); });
    if (over_) return;
    seen = loops_;
    Loop& loop = *loop_;
    ++helping_;
    lock.unlock();
    loop.work();
    lock.lock();
    if (--helping_ == 0) left_.notify_one();
  }
}

}  // namespace support

}  // namespace snug
