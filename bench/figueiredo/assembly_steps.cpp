#include "bench/figueiredo/assembly_steps.hpp"

#include <snug/query.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace snug::bench::figueiredo {

namespace {

Aabb world_box(const Mesh& mesh, const Pose& pose) {
  Aabb box;
  for (const Point3& v : mesh.vertices()) box.include(pose.apply(v));
  return box;
}

/// Parts in the order in which they come to rest; those that never move come first.
std::vector<std::uint32_t> order_of_arrival(const scenes::Scene& scene) {
  const auto parts = scene.assembly.parts();
  std::vector<double> arrival(parts.size(), -1);
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const scenes::MotionTrack& track : scene.tracks)
      if (track.part == parts[i].path && !track.keys.empty()) arrival[i] = track.keys.back().t;
  std::vector<std::uint32_t> order(parts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return arrival[i]; });
  return order;
}

/// The items in an order whose every beginning is spread over all of them.
std::vector<std::size_t> spread_order(const std::vector<std::size_t>& items) {
  std::vector<std::pair<double, std::size_t>> keyed;
  for (std::size_t i = 0; i < items.size(); ++i) {
    // Multiples of the golden section, fractions only, fall evenly: sorted by rank they tell when each item has its turn.
    keyed.emplace_back(std::fmod(0.6180339887498949 * static_cast<double>(i), 1.0), i);
  }
  std::ranges::sort(keyed);
  std::vector<std::size_t> order(items.size());
  for (std::size_t rank = 0; rank < keyed.size(); ++rank) order[keyed[rank].second] = items[rank];
  return order;
}

}  // namespace

AssemblySteps::AssemblySteps(const scenes::Scene& scene) {
  for (const Part& part : scene.assembly.parts()) shapes.emplace_back(part.mesh);
  const std::vector<Motion> motions = scenes::world_motions(scene);
  const std::vector<std::uint32_t> order = order_of_arrival(scene);
  std::vector<Pose> poses(shapes.size()), before;
  std::vector<Aabb> boxes(shapes.size());
  Scratch scratch;
  for (std::uint32_t k = 0; k < scene.steps; ++k) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      poses[i] = motions[i].at(scenes::step_time(scene, k));
      if (before.empty() || before[i] != poses[i]) boxes[i] = world_box(shapes[i].mesh(), poses[i]);
    }
    auto& step = steps.emplace_back();
    for (std::size_t later = 1; later < order.size(); ++later)
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        const std::uint32_t a = order[later], b = order[earlier];
        if (boxes[a].overlaps(boxes[b])) step.push_back({a, b, poses[a], poses[b]});
      }
    if (std::ranges::any_of(
            step, [&](const Meeting& m) { return intersects(shapes[m.a], m.pose_a, shapes[m.b], m.pose_b, scratch); }))
      intersecting.push_back(k);
    before = poses;
  }
  spread = spread_order(intersecting);
}

std::size_t AssemblySteps::surfaces() const {
  std::size_t count = 0;
  for (const Shape& shape : shapes) count += shape.mesh().surfaces().size();
  return count;
}

std::size_t AssemblySteps::triangles() const {
  std::size_t count = 0;
  for (const Shape& shape : shapes) count += shape.mesh().triangles().size();
  return count;
}

double AssemblySteps::meetings_per_step() const {
  std::size_t count = 0;
  for (const std::size_t k : intersecting) count += steps[k].size();
  return static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(intersecting.size(), 1));
}

}  // namespace snug::bench::figueiredo
