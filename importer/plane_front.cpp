#include "plane_front.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace snug::importer {

namespace {

bool are_apart(const Point2& a, const Point2& b, const Point2& p, const Point2& q) {
  return std::max(a.x, b.x) < std::min(p.x, q.x) || std::max(p.x, q.x) < std::min(a.x, b.x) ||
         std::max(a.y, b.y) < std::min(p.y, q.y) || std::max(p.y, q.y) < std::min(a.y, b.y);
}

/// A fixed permutation without pattern. Points of a polygon in their order come nearer to a side one by one, and each would
/// be the best so far; in a shuffled order only about log(n) are.
std::vector<int> shuffled(std::size_t count) {
  std::vector<int> out(count);
  std::iota(out.begin(), out.end(), 0);
  std::uint64_t state = 1;
  for (std::size_t i = count; i > 1; --i) {
    state = state * 6364136223846793005U + 1442695040888963407U;  // Knuth, MMIX
    std::swap(out[i - 1], out[(state >> 33U) % i]);
  }
  return out;
}

}  // namespace

PlaneFront::PlaneFront(std::vector<Point2> points)
    : points_(std::move(points)), targets_(points_.size()), active_(shuffled(points_.size())) {}

bool PlaneFront::crosses_itself() const {
  std::vector<std::pair<int, int>> sides;
  for (int p = 0; p < static_cast<int>(points_.size()); ++p)
    for (const int q : targets_[at(p)]) sides.emplace_back(p, q);
  for (std::size_t i = 0; i < sides.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (do_cross(sides[i].first, sides[i].second, sides[k].first, sides[k].second)) return true;
  return false;
}

bool PlaneFront::triangulate(std::vector<std::array<int, 3>>& triangles) {
  const auto is_done = [this](int p) { return targets_[at(p)].empty(); };
  std::erase_if(active_, is_done);
  while (!active_.empty()) {
    const int a = active_.back(), b = targets_[at(a)].back();
    const int c = apex_of(a, b);
    if (c < 0) return false;
    triangles.push_back({a, b, c});
    cover(a, b), cover(b, c), cover(c, a);
    std::erase_if(active_, is_done);
  }
  return true;
}

/// A new triangle lies on the left of this side of it: the front moves to the other side of the triangle, or ends here.
void PlaneFront::cover(int from, int to) {
  std::vector<int>& targets = targets_[at(from)];
  const auto found = std::ranges::find(targets, to);
  if (found != targets.end())
    targets.erase(found);
  else
    targets_[at(to)].push_back(from);
}

int PlaneFront::apex_of(int a, int b) {
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (const int p : active_) {
    if (p == a || p == b || orient(a, b, p) <= 0) continue;
    const double cotangent = cotangent_at(p, a, b);
    if ((best < 0 || cotangent < least) && is_visible(a, b, p)) best = p, least = cotangent;
  }
  return best;
}

/// Falls as the angle under which the apex sees the side grows. It decides on the triangle's form alone.
double PlaneFront::cotangent_at(int apex, int a, int b) const {
  const Point2 o = points_[at(apex)], p = points_[at(a)], q = points_[at(b)];
  const double dot = (p.x - o.x) * (q.x - o.x) + (p.y - o.y) * (q.y - o.y),
               cross = (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
  if (cross > 0) return dot / cross;
  return dot < 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
}

/// In a point inside both. Sides that share an end do not cross, nor do sides that touch.
bool PlaneFront::do_cross(int a, int b, int p, int q) const {
  if (a == p || a == q || b == p || b == q || are_apart(points_[at(a)], points_[at(b)], points_[at(p)], points_[at(q)]))
    return false;
  return orient(a, b, p) * orient(a, b, q) < 0 && orient(p, q, a) * orient(p, q, b) < 0;
}

/// Does the front's side pq reach into the triangle abc? Then one of its ends lies in the triangle, or it crosses a new side.
bool PlaneFront::is_blocking(int p, int q, int a, int b, int c) const {
  if (do_cross(p, q, a, c) || do_cross(p, q, b, c)) return true;
  return p != a && p != b && p != c && orient(a, b, p) >= 0 && orient(b, c, p) >= 0 && orient(c, a, p) >= 0;
}

bool PlaneFront::is_visible(int a, int b, int c) {
  const auto [left, right] = std::minmax({points_[at(a)].x, points_[at(b)].x, points_[at(c)].x});
  const auto [low, high] = std::minmax({points_[at(a)].y, points_[at(b)].y, points_[at(c)].y});
  const auto blocks = [&](int p, int q) {
    const Point2 &u = points_[at(p)], &v = points_[at(q)];
    if ((u.x < left && v.x < left) || (u.x > right && v.x > right) || (u.y < low && v.y < low) ||
        (u.y > high && v.y > high))
      return false;
    return is_blocking(p, q, a, b, c);
  };
  if (const auto [p, q] = last_blocking_;
      p >= 0 && std::ranges::find(targets_[at(p)], q) != targets_[at(p)].end() && blocks(p, q))
    return false;
  for (const int p : active_)
    for (const int q : targets_[at(p)])
      if (blocks(p, q)) {
        last_blocking_ = {p, q};
        return false;
      }
  return true;
}

}  // namespace snug::importer
