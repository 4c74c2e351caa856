#include "device/ray_cast.hpp"

#include "query/shape_data.hpp"

#include <algorithm>

namespace snug::detail {

namespace {

template <class T>
void send(Worker& worker, Worker::Slot slot, const std::vector<T>& data) {
  std::ranges::copy(data, worker.host<T>(slot, data.size()).begin());
  worker.upload(slot, data.size() * sizeof(T));
}

/// Triangles that are kept, more or less; beyond that, bodies that are not asked for are forgotten.
constexpr std::size_t k_kept_triangles = std::size_t{1} << 22;

/// Sends bodies that are not there yet.
DeviceOutcome bring(Worker& worker, RayBodies& bodies, const DeviceRays& rays, const std::vector<RayChunk>& chunks) {
  if (bodies.encoded.triangles.size() > k_kept_triangles) bodies = {};
  const std::size_t known = bodies.shapes.size();
  bool fits = true;
  const auto add = [&](const Shape& shape) {
    const auto number = static_cast<std::uint32_t>(bodies.shapes.size());
    if (!fits || !bodies.place.try_emplace(&Access::data(shape), number).second) return;
    bodies.shapes.push_back(shape);
    fits = bodies.encoded.add(shape);
  };
  for (const RayChunk& chunk : chunks) add(*rays.sides[chunk.side].source), add(*rays.sides[chunk.side].target);
  if (bodies.shapes.size() == known) return DeviceOutcome::done;
  const EncodedBodies& all = bodies.encoded;
  if (!fits || !worker.fits(std::max({all.boxes.size() * sizeof(SnugRayBox), all.links.size() * sizeof(SnugRayLinks),
                                      all.triangles.size() * sizeof(SnugRayTriangle),
                                      all.vertices.size() * sizeof(SnugRayVertex)}))) {
    bodies = {};
    return DeviceOutcome::does_not_fit;
  }
  send(worker, Worker::k_bodies, all.bodies);
  send(worker, Worker::k_boxes, all.boxes);
  send(worker, Worker::k_triangles, all.triangles);
  send(worker, Worker::k_links, all.links);
  send(worker, Worker::k_vertices, all.vertices);
  return worker.ok() ? DeviceOutcome::done : DeviceOutcome::failed;
}

}  // namespace

DeviceOutcome cast_on_device(Worker& worker, RayBodies& bodies, const DeviceRays& rays,
                             const std::vector<RayChunk>& chunks, std::vector<DeviceRayTold>& told,
                             std::span<DeviceRaysTold::Work> work) {
  const EncodedStep step(rays.sides, chunks, k_group_items);
  constexpr std::size_t k_word = sizeof(std::uint32_t);
  // Places of words are numbers of 32 bits.
  if (step.rays() >= (std::size_t{1} << 27) || step.all() >= UINT32_MAX || !worker.fits(step.all() * k_word))
    return DeviceOutcome::does_not_fit;
  if (const DeviceOutcome brought = bring(worker, bodies, rays, chunks); brought != DeviceOutcome::done) return brought;
  worker.reserve(Worker::k_step, step.all() * k_word);
  step.fill(worker.host<std::uint32_t>(Worker::k_step, step.sent()),
            [&](const Shape& shape) { return bodies.place.at(&Access::data(shape)); });
  worker.upload(Worker::k_step, step.sent() * k_word);
  const SnugRayStep& at = step.at();
  const auto groups_of_walks = static_cast<std::uint32_t>(at.groups + step.groups_through() * sizeof(SnugRayGroup) / 4);
  if (step.groups_through() > 0)
    worker.run(k_rays_source, rays.basic ? "-D SNUG_BASIC=1" : "", "snug_rays", step.groups_through() * k_group_items,
               at.groups, at.rays, at.head, at.told, Worker::k_step, Worker::k_bodies, Worker::k_boxes,
               Worker::k_triangles, Worker::k_vertices);
  if (step.groups_of_walks() > 0)
    worker.run(k_follow_source, "", "snug_follow", step.groups_of_walks() * k_group_items, groups_of_walks, at.rays,
               at.head, at.told, Worker::k_step, Worker::k_bodies, Worker::k_links, Worker::k_triangles,
               Worker::k_vertices);
  // As much as is expected to be told is read at once; what is beyond that, if anything, afterwards.
  const std::size_t head_words = at.told - at.head, told_words = sizeof(SnugRayTold) / k_word;
  const std::size_t expected = std::min(step.rays(), bodies.expected + bodies.expected / 4 + 64);
  worker.download(Worker::k_step, (head_words + expected * told_words) * k_word, at.head * k_word);
  if (!worker.ok()) return DeviceOutcome::failed;
  const std::size_t count = worker.host<std::uint32_t>(Worker::k_step, step.all())[at.head];
  if (count > step.rays()) return worker.fail("a device tells of more rays than there are"), DeviceOutcome::failed;
  if (count > expected)
    worker.download(Worker::k_step, (count - expected) * told_words * k_word,
                    (at.told + expected * told_words) * k_word);
  if (!worker.ok()) return DeviceOutcome::failed;
  bodies.expected = count;
  step.take(worker.host<std::uint32_t>(Worker::k_step, step.all()).subspan(at.head, head_words + count * told_words),
            told, work);
  return DeviceOutcome::done;
}

}  // namespace snug::detail
