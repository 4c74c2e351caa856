#include "device/ray_cast.hpp"

#include <algorithm>

namespace snug::detail {

namespace {

static_assert(DeviceRayTold::k_none == SNUG_RAY_NONE && DeviceRayTold::k_redo == SNUG_RAY_REDO);

std::size_t place_of(const RayBodies& bodies, const Shape& shape) {
  const auto same = [&](const Shape& other) { return &Access::data(other) == &Access::data(shape); };
  return static_cast<std::size_t>(std::ranges::find_if(bodies.shapes, same) - bodies.shapes.begin());
}

template <class T>
void send(Worker& worker, Worker::Slot slot, const std::vector<T>& data) {
  std::ranges::copy(data, worker.host<T>(slot, data.size()).begin());
  worker.upload(slot, data.size() * sizeof(T));
}

/// Triangles that are kept, more or less; beyond that, bodies that are not asked for are forgotten.
constexpr std::size_t k_kept_triangles = std::size_t{1} << 22;

/// Sends bodies that are not there yet.
DeviceOutcome bring(Worker& worker, RayBodies& bodies, std::span<const Shape* const> targets) {
  if (bodies.encoded.triangles.size() > k_kept_triangles) bodies = {};
  const std::size_t known = bodies.shapes.size();
  bool fits = true;
  for (const Shape* const shape : targets) {
    if (place_of(bodies, *shape) < bodies.shapes.size()) continue;
    fits = fits && bodies.encoded.add(*shape);
    bodies.shapes.push_back(*shape);
  }
  if (bodies.shapes.size() == known) return DeviceOutcome::done;
  const EncodedBodies& all = bodies.encoded;
  if (!fits ||
      !worker.fits(std::max(all.boxes.size() * sizeof(SnugRayBox), all.triangles.size() * sizeof(SnugRayTriangle)))) {
    bodies = {};
    return DeviceOutcome::does_not_fit;
  }
  send(worker, Worker::k_bodies, all.bodies);
  send(worker, Worker::k_boxes, all.boxes);
  send(worker, Worker::k_triangles, all.triangles);
  return worker.ok() ? DeviceOutcome::done : DeviceOutcome::failed;
}

}  // namespace

DeviceOutcome cast_on_device(Worker& worker, RayBodies& bodies, const DeviceRays& rays, std::span<DeviceRayTold> told) {
  if (const DeviceOutcome brought = bring(worker, bodies, rays.targets); brought != DeviceOutcome::done) return brought;
  if (!worker.fits(rays.rays.size() * sizeof(SnugRay)) || rays.rays.size() >= UINT32_MAX)
    return DeviceOutcome::does_not_fit;
  std::vector<std::uint32_t> place;
  for (const Shape* const shape : rays.targets) place.push_back(static_cast<std::uint32_t>(place_of(bodies, *shape)));
  const auto host = worker.host<SnugRay>(Worker::k_rays, rays.rays.size());
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = encoded_ray(rays.rays[i], place[rays.rays[i].target]);
  worker.upload(Worker::k_rays, host.size_bytes());
  const std::size_t told_bytes = told.size() * sizeof(SnugRayTold);
  worker.reserve(Worker::k_told, told_bytes);
  worker.run(k_rays_source, rays.basic ? "-D SNUG_BASIC=1" : "", "snug_rays", host.size(),
             static_cast<std::uint32_t>(host.size()), Worker::k_rays, Worker::k_bodies, Worker::k_boxes,
             Worker::k_triangles, Worker::k_told);
  worker.download(Worker::k_told, told_bytes);
  if (!worker.ok()) return DeviceOutcome::failed;
  const auto answers = worker.host<SnugRayTold>(Worker::k_told, told.size());
  for (std::size_t i = 0; i < told.size(); ++i)
    told[i] = {answers[i].ahead, answers[i].behind, answers[i].boxes, answers[i].triangles};
  return DeviceOutcome::done;
}

}  // namespace snug::detail
