#include "scenes/brep/triangulate.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

// Ear clipping after joining every hole to the outer loop by a bridge, then flips to Delaunay. Quadratic, and small
// enough to be seen to be right; faces have some hundred points.

namespace snug::scenes::brep {

namespace {

[[noreturn]] void stop(const char* why) {
  std::fprintf(stderr, "snug scenes: triangulate: %s\n", why);
  std::abort();
}

bool same(Point2 a, Point2 b) { return a.x == b.x && a.y == b.y; }
double squared(Point2 a, Point2 b) { return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y); }

double doubled_area(std::span<const Point2> loop) {
  double sum = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Point2 a = loop[i], b = loop[(i + 1) % loop.size()];
    sum += a.x * b.y - a.y * b.x;
  }
  return sum;
}

bool on_segment(Point2 p, Point2 a, Point2 b) {
  return orient2d(a, b, p) == 0 && std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) &&
         std::min(a.y, b.y) <= p.y && p.y <= std::max(a.y, b.y);
}

/// Closed segments; ends in common do not count.
bool blocks(Point2 a, Point2 b, Point2 p, Point2 q) {
  const bool p_end = same(p, a) || same(p, b), q_end = same(q, a) || same(q, b);
  if (p_end && q_end) return true;
  if (p_end) return on_segment(q, a, b) || (on_segment(a, p, q) && !same(a, p)) || (on_segment(b, p, q) && !same(b, p));
  if (q_end) return on_segment(p, a, b) || (on_segment(a, p, q) && !same(a, q)) || (on_segment(b, p, q) && !same(b, q));
  const int s1 = orient2d(a, b, p), s2 = orient2d(a, b, q), s3 = orient2d(p, q, a), s4 = orient2d(p, q, b);
  if (s1 * s2 < 0 && s3 * s4 < 0) return true;
  return on_segment(p, a, b) || on_segment(q, a, b) || on_segment(a, p, q) || on_segment(b, p, q);
}

using Chain = std::vector<std::uint32_t>;

/// Joins the hole by the shortest segment that crosses nothing.
void bridge(Chain& outer, const Chain& hole, std::span<const Chain> later, std::span<const Point2> points) {
  struct Candidate {
    double length2;
    std::size_t outer, hole;
  };
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < outer.size(); ++i)
    for (std::size_t j = 0; j < hole.size(); ++j)
      candidates.push_back({squared(points[outer[i]], points[hole[j]]), i, j});
  const auto shorter = [](const Candidate& a, const Candidate& b) {
    return a.length2 != b.length2 ? a.length2 < b.length2 : std::pair{a.outer, a.hole} < std::pair{b.outer, b.hole};
  };
  std::ranges::make_heap(candidates, [&](const auto& a, const auto& b) { return shorter(b, a); });
  const auto crossed = [&](const Chain& chain, Point2 a, Point2 b) {
    for (std::size_t k = 0; k < chain.size(); ++k)
      if (blocks(a, b, points[chain[k]], points[chain[(k + 1) % chain.size()]])) return true;
    return false;
  };
  // Of the copies of a point that earlier bridges made, the one within whose corner the segment starts.
  const auto inside_corner = [&](std::size_t i, Point2 target) {
    const Point2 p = points[outer[i]], before = points[outer[(i + outer.size() - 1) % outer.size()]],
                 after = points[outer[(i + 1) % outer.size()]];
    if (orient2d(before, p, after) > 0) return orient2d(before, p, target) > 0 && orient2d(p, after, target) > 0;
    return orient2d(before, p, target) > 0 || orient2d(p, after, target) > 0;
  };
  while (!candidates.empty()) {
    std::ranges::pop_heap(candidates, [&](const auto& a, const auto& b) { return shorter(b, a); });
    const Candidate best = candidates.back();
    candidates.pop_back();
    const Point2 a = points[outer[best.outer]], b = points[hole[best.hole]];
    if (!inside_corner(best.outer, b) || crossed(outer, a, b) || crossed(hole, a, b)) continue;
    if (std::ranges::any_of(later, [&](const Chain& other) { return crossed(other, a, b); })) continue;
    Chain joined(outer.begin(), outer.begin() + static_cast<std::ptrdiff_t>(best.outer) + 1);
    for (std::size_t k = 0; k <= hole.size(); ++k) joined.push_back(hole[(best.hole + k) % hole.size()]);
    joined.insert(joined.end(), outer.begin() + static_cast<std::ptrdiff_t>(best.outer), outer.end());
    outer = std::move(joined);
    return;
  }
  stop("a hole cannot be joined: loops meet");
}

/// No flat ear, and none with another point in or on it, so that what remains can always be clipped further.
std::vector<Index3> clip_ears(Chain chain, std::span<const Point2> points) {
  std::vector<Index3> triangles;
  const auto is_ear = [&](std::size_t i) {
    const std::size_t n = chain.size();
    const std::uint32_t ia = chain[(i + n - 1) % n], ib = chain[i], ic = chain[(i + 1) % n];
    const Point2 a = points[ia], b = points[ib], c = points[ic];
    if (orient2d(a, b, c) <= 0) return false;
    const double x0 = std::min({a.x, b.x, c.x}), x1 = std::max({a.x, b.x, c.x}), y0 = std::min({a.y, b.y, c.y}),
                 y1 = std::max({a.y, b.y, c.y});
    for (const std::uint32_t k : chain) {
      const Point2 p = points[k];
      if (k == ia || k == ib || k == ic || p.x < x0 || p.x > x1 || p.y < y0 || p.y > y1) continue;
      if (orient2d(a, b, p) >= 0 && orient2d(b, c, p) >= 0 && orient2d(c, a, p) >= 0) return false;
    }
    return true;
  };
  const auto longest2 = [&](std::size_t i) {
    const std::size_t n = chain.size();
    return squared(points[chain[(i + n - 1) % n]], points[chain[(i + 1) % n]]);
  };
  std::vector<double> cost;  // of each corner: its diagonal, or endless where there is no ear
  const auto assess = [&](std::size_t i) { return is_ear(i) ? longest2(i) : std::numeric_limits<double>::infinity(); };
  for (std::size_t i = 0; i < chain.size(); ++i) cost.push_back(assess(i));
  while (chain.size() > 3) {
    auto best = std::ranges::min_element(cost);
    if (*best == std::numeric_limits<double>::infinity()) {
      // Clipping may free corners that were blocked by points now gone.
      for (std::size_t i = 0; i < chain.size(); ++i) cost[i] = assess(i);
      best = std::ranges::min_element(cost);
      if (*best == std::numeric_limits<double>::infinity()) stop("no ear left: a loop crosses itself or another");
    }
    const auto i = static_cast<std::size_t>(best - cost.begin()), n = chain.size();
    triangles.push_back({chain[(i + n - 1) % n], chain[i], chain[(i + 1) % n]});
    chain.erase(chain.begin() + static_cast<std::ptrdiff_t>(i));
    cost.erase(cost.begin() + static_cast<std::ptrdiff_t>(i));
    const std::size_t m = chain.size();
    cost[(i + m - 1) % m] = assess((i + m - 1) % m);
    cost[i % m] = assess(i % m);
  }
  if (orient2d(points[chain[0]], points[chain[1]], points[chain[2]]) <= 0) stop("loops meet");
  triangles.push_back({chain[0], chain[1], chain[2]});
  return triangles;
}

/// Positive if d is inside the circle through a, b, c, by more than rounding.
bool in_circle(Point2 a, Point2 b, Point2 c, Point2 d) {
  const double ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x, cy = c.y - d.y;
  const double a2 = ax * ax + ay * ay, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
  const double det = a2 * (bx * cy - cx * by) - b2 * (ax * cy - cx * ay) + c2 * (ax * by - bx * ay);
  const double scale = std::max({a2, b2, c2});
  return det > 1e-9 * scale * scale;
}

void flip_to_delaunay(std::vector<Index3>& triangles, std::span<const Point2> points) {
  using Edge = std::pair<std::uint32_t, std::uint32_t>;
  for (int round = 0; round < 100; ++round) {
    std::map<Edge, std::pair<std::size_t, std::size_t>> owner;  // directed edge: triangle, corner it starts from
    for (std::size_t t = 0; t < triangles.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k) owner[{triangles[t][k], triangles[t][(k + 1) % 3]}] = {t, k};
    std::vector<bool> touched(triangles.size(), false);
    bool flipped = false;
    for (const auto& [edge, place] : owner) {
      const auto twin = owner.find({edge.second, edge.first});
      if (edge.first > edge.second || twin == owner.end()) continue;
      const auto [t, k] = place;
      const auto [s, j] = twin->second;
      if (touched[t] || touched[s]) continue;
      const std::uint32_t a = edge.first, b = edge.second, c = triangles[t][(k + 2) % 3], d = triangles[s][(j + 2) % 3];
      if (orient2d(points[c], points[a], points[d]) <= 0 || orient2d(points[d], points[b], points[c]) <= 0) continue;
      if (!in_circle(points[a], points[b], points[c], points[d])) continue;
      triangles[t] = {c, a, d};
      triangles[s] = {d, b, c};
      touched[t] = touched[s] = flipped = true;
    }
    if (!flipped) return;
  }
}

}  // namespace

std::vector<Index3> triangulate(std::span<const std::vector<Point2>> loops) {
  std::vector<Point2> points;
  std::vector<Chain> chains;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    Chain chain;
    for (const Point2& p : loops[i]) {
      chain.push_back(static_cast<std::uint32_t>(points.size()));
      points.push_back(p);
    }
    if ((doubled_area(loops[i]) > 0) != (i == 0)) std::ranges::reverse(chain);
    chains.push_back(std::move(chain));
  }
  // Holes from left to right: each finds what has been joined before it in reach.
  const auto leftmost = [&](const Chain& chain) {
    double x = std::numeric_limits<double>::infinity();
    for (const std::uint32_t k : chain) x = std::min(x, points[k].x);
    return x;
  };
  std::stable_sort(chains.begin() + 1, chains.end(),
                   [&](const Chain& a, const Chain& b) { return leftmost(a) < leftmost(b); });
  Chain outer = std::move(chains[0]);
  for (std::size_t i = 1; i < chains.size(); ++i) bridge(outer, chains[i], std::span(chains).subspan(i + 1), points);
  std::vector<Index3> triangles = clip_ears(std::move(outer), points);
  flip_to_delaunay(triangles, points);
  return triangles;
}

}  // namespace snug::scenes::brep
