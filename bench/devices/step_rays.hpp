#pragma once

#include "bench/lehericey/recording.hpp"
#include "bench/measure.hpp"

#include "contact/device_rays.hpp"

#include <ctime>
#include <deque>

namespace snug::bench::devices {

/// Processor time of this thread.
inline double own_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// All rays of a step, from the vertices of both bodies of each pair, as devices are given them: standard ones, or walks from
/// what standard ones met at the step before.
class StepRays {
 public:
  StepRays(const lehericey::Stage& stage, const lehericey::Frame& frame, const lehericey::Frame* before)
      : stage_(stage) {
    asked_.reserve(2 * frame.pairs.size());
    for (const auto& [a, b] : frame.pairs) {
      keys_.push_back(std::uint64_t{a} << 32 | b);
      for (const bool of_a : {true, false}) {
        const contact::VertexRays& rays = made(frame, of_a ? a : b, of_a ? b : a, of_a);
        if (before == nullptr)
          asked_.push_back(contact::AskedRays::standard(rays, 0, -1));
        else
          asked_.push_back(walks(rays, made(*before, of_a ? a : b, of_a ? b : a, of_a)));
        sides_.push_back(asked_.back().side());
        rays_ += asked_.back().size();
        const double start = own_seconds();
        on_processor(rays);
        processor_seconds_ += own_seconds() - start;
      }
    }
  }
  [[nodiscard]] std::span<query::DeviceRaySide> sides() noexcept { return sides_; }
  [[nodiscard]] const std::vector<contact::AskedRays>& asked() const noexcept { return asked_; }
  [[nodiscard]] std::size_t rays() const noexcept { return rays_; }
  [[nodiscard]] const std::vector<std::uint64_t>& keys() const noexcept { return keys_; }  ///< by pair
  /// What the same rays and their contacts take there.
  [[nodiscard]] double processor_seconds() const noexcept { return processor_seconds_; }

 private:
  const contact::VertexRays& made(const lehericey::Frame& frame, std::uint32_t from, std::uint32_t to, bool of_a) {
    const contact::RayTarget& target =
        targets_.emplace_back(stage_.shape(to), frame.poses[to], options_.traversal, options_.instructions);
    return made_.emplace_back(stage_.shape(from), frame.poses[from], target, of_a, options_);
  }
  contact::AskedRays walks(const contact::VertexRays& rays, const contact::VertexRays& before) {
    contact::AskedRays asked = contact::AskedRays::walks(rays, -1, k_most_walked);
    ContactStats unwanted;
    before.list(0, -1, starts_);
    walks_.clear();
    for (const contact::RayStart& start : starts_)
      if (const auto told = before.cast(start, -1, unwanted)) {
        asked.add(start.vertex, told->hit.triangle);
        walks_.emplace_back(start.vertex, told->hit.triangle);
      }
    return asked;
  }
  void on_processor(const contact::VertexRays& rays) {
    ContactStats unwanted;
    if (asked_.back().side().most > 0) {
      for (const auto& [vertex, triangle] : walks_)
        if (const auto told = rays.follow(vertex, triangle, -1, k_most_walked, unwanted))
          keep(rays.contact(vertex, *told));
      return;
    }
    rays.list(0, -1, starts_);
    for (const contact::RayStart& one : starts_)
      if (const auto told = rays.cast(one, -1, unwanted)) keep(rays.contact(one.vertex, *told));
  }

  static constexpr unsigned k_most_walked = 16;
  const lehericey::Stage& stage_;
  RayContactOptions options_{.rays = RayContactOptions::Rays::standard};
  std::deque<contact::RayTarget> targets_;
  std::deque<contact::VertexRays> made_;
  std::vector<contact::AskedRays> asked_;
  std::vector<query::DeviceRaySide> sides_;
  std::vector<std::uint64_t> keys_;
  std::vector<contact::RayStart> starts_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> walks_;
  std::size_t rays_ = 0;
  double processor_seconds_ = 0;
};

}  // namespace snug::bench::devices
