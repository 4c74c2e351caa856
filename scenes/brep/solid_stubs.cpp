#include "scenes/brep/arithmetic.hpp"
#include "scenes/brep/solid.hpp"
#include "scenes/brep/triangulate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace snug::scenes::brep {

Tip Solid::straight_with_stubs(const Tip& tip, double distance, std::span<const Stub> stubs, std::vector<Tip>& ends) {
  const auto count = static_cast<std::uint32_t>(tip.ring.size());
  const double body = tip.radius;
  Tip next = tip;
  next.frame.origin = tip.frame.at({}, distance);
  next.ring = ring(next.frame, circle({}, body, count));

  std::vector<bool> taken(count, false);
  AnalyticSurface form;
  form.origin = tip.frame.origin;
  form.axis = tip.frame.n;
  form.radius = body;
  const std::uint32_t id = surface("round", SurfaceKind::cylinder, form, 0);
  double widest = 1.0 / count;  // of a triangle, in turns

  std::vector<bool> done(stubs.size(), false);
  for (std::size_t first = 0; first < stubs.size(); ++first) {
    if (done[first]) continue;
    // All stubs of one direction pierce one panel, wide enough for the largest.
    double radius = 0;
    for (const Stub& stub : stubs)
      if (stub.turns == stubs[first].turns) radius = std::max(radius, stub.radius);
    const double half_width = half_angle(radius, std::sqrt(body * body - radius * radius)) / (2 * k_pi);
    const double middle = stubs[first].turns * count;
    const auto k0 = static_cast<std::int64_t>(std::floor(middle - half_width * count - 0.3));
    const auto k1 = static_cast<std::int64_t>(std::ceil(middle + half_width * count + 0.3));
    std::vector<std::vector<Point2>> loops(1);
    std::vector<std::uint32_t> ids;
    const auto wrap = [&](std::int64_t k) {
      const auto n = static_cast<std::int64_t>(count);
      return static_cast<std::size_t>((k % n + n) % n);
    };
    // In the unrolled wall: turns times circumference, and height.
    const double unroll = 2 * k_pi * body;
    for (std::int64_t k = k0; k <= k1; ++k) {
      loops[0].push_back({unroll * static_cast<double>(k) / count, 0});
      ids.push_back(tip.ring[wrap(k)]);
      if (k < k1) taken[wrap(k)] = true;
    }
    for (std::int64_t k = k1; k >= k0; --k) {
      loops[0].push_back({unroll * static_cast<double>(k) / count, distance});
      ids.push_back(next.ring[wrap(k)]);
    }
    const auto [c, s] = at_turns(stubs[first].turns);
    const Vec3 out = c * tip.frame.u + s * tip.frame.v, across = cross(tip.frame.n, out);
    for (std::size_t i = first; i < stubs.size(); ++i) {
      const Stub& stub = stubs[i];
      if (stub.turns != stubs[first].turns) continue;
      done[i] = true;
      const Frame frame{tip.frame.at({}, stub.z) + stub.reach * out, across, tip.frame.n, out};
      const Outline rim = circle({}, stub.radius, stub.segments);
      Ring on_wall;
      std::vector<Point2> loop;
      for (const Point2& p : rim.points) {
        const double depth = std::sqrt(body * body - p.x * p.x);
        on_wall.push_back(vertex(frame.at(p, depth - stub.reach)));
        const double angle = p.x < 0 ? -half_angle(p.x, depth) : p.x > 0 ? half_angle(p.x, depth) : 0;
        loop.push_back({unroll * stub.turns + body * angle, stub.z + p.y});
        ids.push_back(on_wall.back());
      }
      loops.push_back(std::move(loop));
      Tip end{frame, stub.radius, ring(frame, rim), 1};
      AnalyticSurface neck;
      neck.origin = frame.origin;
      neck.axis = out;
      neck.radius = stub.radius;
      strip(on_wall, end.ring, surface("neck", SurfaceKind::cylinder, neck, circle_sag(stub.radius, stub.segments)));
      ends.push_back(std::move(end));
    }
    std::vector<Point2> flat;
    for (const auto& loop : loops) flat.insert(flat.end(), loop.begin(), loop.end());
    for (const Index3& t : triangulate(loops)) {
      for (int k = 0; k < 3; ++k)
        widest = std::max(widest, std::fabs(flat[t[static_cast<std::size_t>(k)]].x -
                                            flat[t[static_cast<std::size_t>((k + 1) % 3)]].x) /
                                      unroll);
      patches_.push_back({id, {ids[t[0]], ids[t[1]], ids[t[2]]}});
    }
  }
  for (std::size_t i = 0; i < count; ++i)
    if (!taken[i]) quad(tip.ring[i], tip.ring[(i + 1) % count], next.ring[(i + 1) % count], next.ring[i], id);
  surfaces_[id].sag.value = upward(body * (1 - at_turns(widest / 2).cos));
  return next;
}

}  // namespace snug::scenes::brep
