#include "support/parallel.hpp"

#include <snug/query.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace snug {

unsigned hardware_threads() noexcept { return std::max(1U, std::thread::hardware_concurrency()); }

namespace detail {

void for_each_chunk(std::size_t chunks, unsigned threads, const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next{0};
  std::mutex failure_mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::size_t chunk = next.fetch_add(1); chunk < chunks; chunk = next.fetch_add(1)) body(chunk);
    } catch (...) {
      next.store(chunks);
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  const std::size_t helpers = std::min<std::size_t>(std::max(threads, 1U), std::max<std::size_t>(chunks, 1)) - 1;
  {
    std::vector<std::jthread> team;  // joins when it goes out of scope
    team.reserve(helpers);
    for (std::size_t i = 0; i < helpers; ++i) {
      try {
        team.emplace_back(work);
      } catch (const std::system_error&) {
        break;
      }
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace detail

}  // namespace snug
