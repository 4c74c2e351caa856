#include "device/ray_cast.hpp"

#include "support/assert.hpp"

#include <algorithm>

namespace snug::device {

namespace {

constexpr std::size_t k_word = sizeof(std::uint32_t);

bool is_exact(const Worker& worker, const DeviceRays& rays) noexcept { return rays.project && worker.info().doubles; }

Worker::Need need_of(const EncodedStep& step) noexcept { return {Worker::k_step, step.all() * k_word}; }

bool could_fit(const Worker& worker, const EncodedStep& step) {
  // Places of words are numbers of 32 bits.
  const Worker::Need need = need_of(step);
  return step.rays() < (std::size_t{1} << 27) && step.all() < UINT32_MAX && worker.could_fit({&need, 1});
}

}  // namespace

KeptShapes::Needs RayBodies::needs_of(const Worker& worker, const Shape& shape) const {
  const EncodedBodies::Counts counts = EncodedBodies::counts_of(shape);
  const std::size_t exact = worker.info().doubles ? 1 : 0;
  return {
      {Worker::k_bodies, counts.bodies * sizeof(SnugRayBody)},
      {Worker::k_boxes, counts.boxes * sizeof(SnugRayBox)},
      {Worker::k_triangles, counts.triangles * sizeof(SnugRayTriangle)},
      {Worker::k_links, counts.links * sizeof(SnugRayLinks)},
      {Worker::k_vertices, counts.vertices * sizeof(SnugRayVertex)},
      {Worker::k_exact_vertices, exact * counts.vertices * sizeof(SnugExactVertex)},
      {Worker::k_exact_triangles, exact * counts.links * sizeof(SnugExactTriangle)},
      {Worker::k_corner_normals, exact * counts.corner_normals * sizeof(Vec3)},
  };
}

KeptShapes::Sent RayBodies::send(Worker& worker, const std::vector<Shape>& shapes) {
  EncodedBodies fresh;
  fresh.before = there_;
  fresh.exact = worker.info().doubles;
  for (const Shape& shape : shapes)
    if (!fresh.add(shape)) return Sent::too_many;
  SNUG_ASSERT(!fresh.exact || (fresh.exact_vertices.size() == fresh.vertices.size() &&
                               fresh.exact_triangles.size() == fresh.links.size()));
  const EncodedBodies::Counts all = fresh.all();
  send_behind<SnugRayBody>(worker, Worker::k_bodies, fresh.bodies, there_.bodies);
  send_behind<SnugRayBox>(worker, Worker::k_boxes, fresh.boxes, there_.boxes);
  send_behind<SnugRayTriangle>(worker, Worker::k_triangles, fresh.triangles, there_.triangles);
  send_behind<SnugRayLinks>(worker, Worker::k_links, fresh.links, there_.links);
  send_behind<SnugRayVertex>(worker, Worker::k_vertices, fresh.vertices, there_.vertices);
  if (fresh.exact) {
    send_behind<SnugExactVertex>(worker, Worker::k_exact_vertices, fresh.exact_vertices, there_.vertices);
    send_behind<SnugExactTriangle>(worker, Worker::k_exact_triangles, fresh.exact_triangles, there_.links);
    send_behind<Vec3>(worker, Worker::k_corner_normals, fresh.corner_normals, there_.corner_normals);
  }
  if (!worker.ok()) return Sent::failed;
  there_ = all;
  return Sent::done;
}

bool too_many(const Worker& worker, const DeviceRays& rays, const std::vector<RayChunk>& chunks) {
  return !could_fit(worker, EncodedStep(rays.sides, chunks, k_group_items, is_exact(worker, rays)));
}

DeviceOutcome cast_on_device(Worker& worker, RayBodies& bodies, const DeviceRays& rays,
                             const std::vector<RayChunk>& chunks, std::vector<DeviceRayTold>& told,
                             std::span<DeviceRaysTold::Work> work) {
  SNUG_ASSERT(work.size() == rays.sides.size());
  const bool exact = is_exact(worker, rays);
  const EncodedStep step(rays.sides, chunks, k_group_items, exact);
  if (!could_fit(worker, step)) return DeviceOutcome::never_fits;
  const Worker::Need need = need_of(step);
  std::vector<const Shape*> shapes;
  for (const RayChunk& chunk : chunks)
    for (const Shape* const shape : {rays.sides[chunk.side].source, rays.sides[chunk.side].target})
      shapes.push_back(shape);
  if (const DeviceOutcome brought = bodies.bring(worker, shapes, {&need, 1}); brought != DeviceOutcome::done)
    return brought;
  if (!worker.fits({&need, 1})) return DeviceOutcome::does_not_fit;
  worker.reserve(Worker::k_step, step.all() * k_word);
  step.fill(worker.host<std::uint32_t>(Worker::k_step, step.sent()),
            [&](const Shape& shape) { return bodies.place(shape); });
  worker.upload(Worker::k_step, step.sent() * k_word);
  const SnugRayStep& at = step.at();
  if (step.groups_through() > 0)
    worker.run(k_rays_source, rays.basic ? "-D SNUG_BASIC=1" : "", "snug_rays", step.groups_through() * k_group_items,
               cl_uint{0}, Worker::k_step, Worker::k_bodies, Worker::k_boxes, Worker::k_triangles, Worker::k_vertices);
  if (step.groups_of_walks() > 0)
    worker.run(k_follow_source, "", "snug_follow", step.groups_of_walks() * k_group_items,
               static_cast<cl_uint>(step.groups_through()), Worker::k_step, Worker::k_bodies, Worker::k_links,
               Worker::k_triangles, Worker::k_vertices);
  if (exact)
    worker.run(k_project_source, "", "snug_project", step.rays(), Worker::k_step, Worker::k_bodies,
               Worker::k_exact_vertices, Worker::k_exact_triangles, Worker::k_corner_normals);
  // As much as is expected to be told is read at once; what is beyond that, if anything, afterwards.
  const std::size_t head_words = at.told - at.head, told_words = at.told_words;
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
  const std::span words = worker.host<std::uint32_t>(Worker::k_step, step.all());
  if (step.take(words.subspan(at.head, head_words + count * told_words), told, work)) return DeviceOutcome::done;
  return worker.fail("a device tells of rays or triangles that are not there"), DeviceOutcome::failed;
}

}  // namespace snug::device
