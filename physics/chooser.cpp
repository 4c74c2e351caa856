#include "physics/chooser.hpp"

#include <algorithm>
#include <limits>

namespace snug::bullet {

void Chooser::choose(std::vector<Touch>& touches, double reach) {
  left_.clear();
  for (std::size_t begin = 0; begin < touches.size();) {
    std::size_t end = begin + 1;
    while (end < touches.size() && touches[end].patch == touches[begin].patch) ++end;
    if (end - begin <= k_most)
      left_.insert(left_.end(), touches.begin() + static_cast<std::ptrdiff_t>(begin),
                   touches.begin() + static_cast<std::ptrdiff_t>(end));
    else
      choose_of(begin, end, touches, reach);
    begin = end;
  }
  touches.swap(left_);
  known_.clear();
  for (const Touch& touch : touches) known_.push_back(touch.id);
  std::ranges::sort(known_);
}

void Chooser::choose_of(std::size_t begin, std::size_t end, const std::vector<Touch>& touches, double reach) {
  constexpr double k_preference = 1.1;
  std::size_t best = begin;
  for (std::size_t i = begin; i < end; ++i)
    if (touches[i].distance < touches[best].distance) best = i;
  chosen_.assign(1, best);
  nearest_.assign(end - begin, std::numeric_limits<double>::infinity());
  while (chosen_.size() < k_most) {
    double most = 0;
    const Point3 last = touches[chosen_.back()].on_b;
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3 apart = touches[i].on_b - last;
      double& nearest = nearest_[i - begin];
      nearest = std::min(nearest, apart.x * apart.x + apart.y * apart.y + apart.z * apart.z);
      const bool known = std::ranges::binary_search(known_, touches[i].id);
      const double value = nearest * (reach - touches[i].distance) * (known ? k_preference : 1);
      if (value > most) most = value, best = i;
    }
    if (!(most > 0)) break;  // all others lie on those chosen
    chosen_.push_back(best);
  }
  std::ranges::sort(chosen_);
  for (const std::size_t i : chosen_) left_.push_back(touches[i]);
}

}  // namespace snug::bullet
