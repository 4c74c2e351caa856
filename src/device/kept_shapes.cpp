#include "device/kept_shapes.hpp"

#include "query/shape_data.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace snug::detail {

namespace {

/// Calls for which a shape that is not asked for is kept where there is no need to.
constexpr std::uint64_t k_kept_calls = 64;
/// Triangles that are kept without a thought.
constexpr std::size_t k_kept_triangles = std::size_t{1} << 17;

}  // namespace

void KeptShapes::forget() noexcept {
  kept_.clear();
  sent_ = 0, triangles_ = 0;
  clear();
}

bool KeptShapes::knows(const Shape& shape) const {
  const auto known = kept_.find(&Access::data(shape));
  return known != kept_.end() && known->second.shape.lock() == Access::shared(shape);
}

std::uint32_t KeptShapes::place(const Shape& shape) const { return kept_.at(&Access::data(shape)).place; }

KeptShapes::Sent KeptShapes::has_room(const Worker& worker, std::span<const Worker::Need> needs,
                                      bool something) noexcept {
  if (!worker.fits(needs)) return Sent::does_not_fit;
  return something && worker.grows(needs) ? Sent::grows : Sent::done;
}

std::vector<Shape> KeptShapes::shed(const std::vector<Shape>& wanted) {
  std::vector<std::pair<std::uint32_t, Shape>> still;
  for (const auto& [address, kept] : kept_)
    if (kept.used + k_kept_calls > calls_)
      if (auto alive = kept.shape.lock()) still.emplace_back(kept.place, Access::shape(std::move(alive)));
  std::ranges::sort(still, {}, &std::pair<std::uint32_t, Shape>::first);
  std::vector<Shape> all;
  for (const auto& [at, shape] : still) all.push_back(shape);
  all.insert(all.end(), wanted.begin(), wanted.end());
  forget();
  return all;
}

DeviceOutcome KeptShapes::add(Worker& worker, const std::vector<Shape>& shapes) {
  const Sent sent = send(worker, shapes);
  if (sent == Sent::grows) return add(worker, shed(shapes));
  if (sent != Sent::done) return sent == Sent::failed ? DeviceOutcome::failed : DeviceOutcome::does_not_fit;
  for (const Shape& shape : shapes) {
    const std::size_t triangles = shape.mesh().triangles().size();
    kept_[&Access::data(shape)] = {Access::shared(shape), sent_++, calls_, triangles};
    triangles_ += triangles;
  }
  return DeviceOutcome::done;
}

DeviceOutcome KeptShapes::bring(Worker& worker, std::span<const Shape* const> wanted) {
  ++calls_;
  std::vector<Shape> fresh;
  std::unordered_set<const ShapeData*> seen;
  for (const Shape* const shape : wanted) {
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
    const bool crowded = triangles_ > k_kept_triangles + 2 * lately;
    DeviceOutcome outcome = add(worker, crowded ? shed(fresh) : fresh);
    if (outcome == DeviceOutcome::does_not_fit && (sent_ > 0 || fresh.size() < seen.size())) {
      // What is asked for now may fit by itself.
      forget();
      fresh.clear();
      for (const Shape* const shape : wanted)
        if (seen.erase(&Access::data(*shape)) > 0) fresh.push_back(*shape);
      outcome = add(worker, fresh);
    }
    if (outcome != DeviceOutcome::done) forget();
    return outcome;
  } catch (...) {
    forget();  // who knows what has been sent
    throw;
  }
}

}  // namespace snug::detail
