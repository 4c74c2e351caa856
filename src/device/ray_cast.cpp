#include "device/ray_cast.hpp"

#include "query/shape_data.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace snug::detail {

namespace {

template <class T>
void send_behind(Worker& worker, Worker::Slot slot, const std::vector<T>& data, std::size_t before) {
  std::ranges::copy(data, worker.host<T>(slot, data.size()).begin());
  worker.upload(slot, data.size() * sizeof(T), before * sizeof(T));
}

/// Calls for which a body that is not asked for is kept where there is no need to.
constexpr std::uint64_t k_kept_calls = 64;
/// Triangles that are kept without a thought.
constexpr std::size_t k_kept_triangles = std::size_t{1} << 17;

}  // namespace

void RayBodies::forget() noexcept {
  kept_.clear();
  there_ = {};
}

bool RayBodies::knows(const Shape& shape) const {
  const auto known = kept_.find(&Access::data(shape));
  return known != kept_.end() && known->second.shape.lock() == Access::shared(shape);
}

std::uint32_t RayBodies::place(const Shape& shape) const { return kept_.at(&Access::data(shape)).place; }

std::vector<Shape> RayBodies::shed(const std::vector<Shape>& wanted) {
  std::vector<std::pair<std::uint64_t, Shape>> still;
  for (const auto& [address, kept] : kept_)
    if (kept.used + k_kept_calls > calls_)
      if (auto alive = kept.shape.lock()) still.emplace_back(kept.place, Access::shape(std::move(alive)));
  std::ranges::sort(still, {}, &std::pair<std::uint64_t, Shape>::first);
  std::vector<Shape> all;
  for (const auto& [at, shape] : still) all.push_back(shape);
  all.insert(all.end(), wanted.begin(), wanted.end());
  forget();
  return all;
}

DeviceOutcome RayBodies::send(Worker& worker, const std::vector<Shape>& shapes) {
  EncodedBodies fresh;
  fresh.before = there_;
  bool fits = true;
  for (const Shape& shape : shapes) fits = fits && fresh.add(shape);
  const EncodedBodies::Counts all = fresh.all();
  if (!fits || !worker.fits(std::max({all.boxes * sizeof(SnugRayBox), all.triangles * sizeof(SnugRayTriangle),
                                      all.links * sizeof(SnugRayLinks), all.vertices * sizeof(SnugRayVertex)})))
    return DeviceOutcome::does_not_fit;
  // Memory that has to grow loses what it held.
  const bool grows = all.bodies * sizeof(SnugRayBody) > worker.room(Worker::k_bodies) ||
                     all.boxes * sizeof(SnugRayBox) > worker.room(Worker::k_boxes) ||
                     all.triangles * sizeof(SnugRayTriangle) > worker.room(Worker::k_triangles) ||
                     all.links * sizeof(SnugRayLinks) > worker.room(Worker::k_links) ||
                     all.vertices * sizeof(SnugRayVertex) > worker.room(Worker::k_vertices);
  if (grows && there_.bodies > 0) return send(worker, shed(shapes));
  send_behind(worker, Worker::k_bodies, fresh.bodies, there_.bodies);
  send_behind(worker, Worker::k_boxes, fresh.boxes, there_.boxes);
  send_behind(worker, Worker::k_triangles, fresh.triangles, there_.triangles);
  send_behind(worker, Worker::k_links, fresh.links, there_.links);
  send_behind(worker, Worker::k_vertices, fresh.vertices, there_.vertices);
  if (!worker.ok()) return DeviceOutcome::failed;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    kept_[&Access::data(shapes[i])] = {Access::shared(shapes[i]), static_cast<std::uint32_t>(there_.bodies + i), calls_,
                                       shapes[i].mesh().triangles().size()};
  there_ = all;
  return DeviceOutcome::done;
}

DeviceOutcome RayBodies::bring(Worker& worker, const DeviceRays& rays, const std::vector<RayChunk>& chunks) {
  ++calls_;
  std::vector<Shape> fresh;
  std::unordered_set<const ShapeData*> seen;
  for (const RayChunk& chunk : chunks)
    for (const Shape* const shape : {rays.sides[chunk.side].source, rays.sides[chunk.side].target}) {
      if (!seen.insert(&Access::data(*shape)).second) continue;
      if (knows(*shape))
        kept_.at(&Access::data(*shape)).used = calls_;
      else
        fresh.push_back(*shape);
    }
  if (fresh.empty()) return DeviceOutcome::done;
  std::size_t lately = 0;
  for (const auto& [address, kept] : kept_)
    if (kept.used + k_kept_calls > calls_ && !kept.shape.expired()) lately += kept.triangles;
  try {
    const bool crowded = there_.triangles > k_kept_triangles + 2 * lately;
    DeviceOutcome outcome = send(worker, crowded ? shed(fresh) : fresh);
    if (outcome == DeviceOutcome::does_not_fit && there_.bodies > 0) {
      // What is asked for now may fit by itself.
      forget();
      fresh.clear();
      for (const RayChunk& chunk : chunks)
        for (const Shape* const shape : {rays.sides[chunk.side].source, rays.sides[chunk.side].target})
          if (seen.erase(&Access::data(*shape)) > 0) fresh.push_back(*shape);
      outcome = send(worker, fresh);
    }
    if (outcome != DeviceOutcome::done) forget();
    return outcome;
  } catch (...) {
    forget();  // who knows what has been sent
    throw;
  }
}

DeviceOutcome cast_on_device(Worker& worker, RayBodies& bodies, const DeviceRays& rays,
                             const std::vector<RayChunk>& chunks, std::vector<DeviceRayTold>& told,
                             std::span<DeviceRaysTold::Work> work) {
  const EncodedStep step(rays.sides, chunks, k_group_items);
  constexpr std::size_t k_word = sizeof(std::uint32_t);
  // Places of words are numbers of 32 bits.
  if (step.rays() >= (std::size_t{1} << 27) || step.all() >= UINT32_MAX || !worker.fits(step.all() * k_word))
    return DeviceOutcome::does_not_fit;
  if (const DeviceOutcome brought = bodies.bring(worker, rays, chunks); brought != DeviceOutcome::done) return brought;
  worker.reserve(Worker::k_step, step.all() * k_word);
  step.fill(worker.host<std::uint32_t>(Worker::k_step, step.sent()),
            [&](const Shape& shape) { return bodies.place(shape); });
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
