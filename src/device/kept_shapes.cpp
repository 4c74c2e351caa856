#include "device/kept_shapes.hpp"

#include "shape/shape_data.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace snug::device {

namespace {

/// Slots that both have, and those that one has.
void add_to(std::vector<Worker::Need>& sum, std::span<const Worker::Need> more) {
  for (const Worker::Need& need : more) {
    const auto at = std::ranges::find(sum, need.slot, &Worker::Need::slot);
    if (at == sum.end())
      sum.push_back(need);
    else
      at->bytes += need.bytes;
  }
}

std::vector<Worker::Need> sum_of(std::vector<Worker::Need> some, std::span<const Worker::Need> others) {
  add_to(some, others);
  return some;
}

}  // namespace

void KeptShapes::forget() noexcept {
  kept_.clear();
  sent_ = 0;
  taken_.clear();
  clear();
}

bool KeptShapes::knows(const Shape& shape) const {
  const auto known = kept_.find(&Access::data(shape));
  return known != kept_.end() && known->second.shape.lock() == Access::shared(shape);
}

std::uint32_t KeptShapes::place(const Shape& shape) const { return kept_.at(&Access::data(shape)).place; }

std::vector<KeptShapes::Sending> KeptShapes::alive() const {
  std::vector<std::pair<const Kept*, Shape>> found;
  for (const auto& [address, kept] : kept_)
    if (auto shape = kept.shape.lock()) found.emplace_back(&kept, Access::shape(std::move(shape)));
  std::ranges::sort(found, {}, [](const auto& one) { return std::tuple(~one.first->used, one.first->place); });
  std::vector<Sending> all;
  for (auto& [kept, shape] : found) all.push_back({std::move(shape), kept->used, kept->needs});
  return all;
}

KeptShapes::Sent KeptShapes::add(Worker& worker, const std::vector<Sending>& some) {
  std::vector<Shape> shapes;
  for (const Sending& one : some) shapes.push_back(one.shape);
  if (const Sent sent = send(worker, shapes); sent != Sent::done) return sent;
  for (const Sending& one : some) {
    kept_[&Access::data(one.shape)] = {Access::shared(one.shape), sent_++, one.used, one.needs};
    add_to(taken_, one.needs);
  }
  return Sent::done;
}

KeptShapes::Sent KeptShapes::send_again(Worker& worker, std::vector<Sending> fresh, const Needs& beside) {
  // Those asked for at this call come first, and are sent whatever else is: there is room for them. Of the others no more than leave half
  // of the memory free, and then there is room for half as many more: this is not done again before as many have come.
  std::vector<Sending> all = std::move(fresh);
  Needs needs;
  for (const Sending& one : all) add_to(needs, one.needs);
  for (Sending& one : alive()) {
    const Needs more = sum_of(needs, one.needs);
    if (one.used != calls_ && !worker.fits(sum_of(sum_of(more, more), beside))) break;
    needs = more;
    all.push_back(std::move(one));
  }
  forget();
  Needs room = needs;
  for (Worker::Need& need : room) need.bytes += need.bytes / 2;
  if (worker.fits(sum_of(room, beside)))
    for (const auto& [slot, bytes] : room) worker.reserve(slot, bytes);
  return worker.ok() ? add(worker, all) : Sent::failed;
}

DeviceOutcome KeptShapes::bring(Worker& worker, std::span<const Shape* const> wanted,
                                std::span<const Worker::Need> beside) {
  ++calls_;
  std::vector<Sending> fresh;
  Needs needs(beside.begin(), beside.end()), behind = taken_;
  std::unordered_set<const ShapeData*> seen;
  for (const Shape* const shape : wanted) {
    SNUG_ASSERT(shape != nullptr);
    if (!seen.insert(&Access::data(*shape)).second) continue;
    if (knows(*shape)) {
      Kept& kept = kept_.at(&Access::data(*shape));
      kept.used = calls_;
      add_to(needs, kept.needs);
      continue;
    }
    fresh.push_back({*shape, calls_, needs_of(worker, *shape)});
    add_to(needs, fresh.back().needs), add_to(behind, fresh.back().needs);
  }
  if (!worker.could_fit(needs)) return DeviceOutcome::never_fits;
  if (fresh.empty()) return DeviceOutcome::done;
  if (!worker.fits(needs)) return DeviceOutcome::does_not_fit;
  try {
    const Needs others(beside.begin(), beside.end());
    const bool has_room = worker.fits(sum_of(behind, others)) && (sent_ == 0 || !worker.grows(behind));
    const bool began = sent_ == 0;
    Sent sent = has_room ? add(worker, fresh) : send_again(worker, fresh, others);
    if (sent == Sent::too_many && !began) {
      // What is asked for now may be few enough by itself.
      std::vector<Sending> now;
      for (const Shape* const shape : wanted)
        if (seen.erase(&Access::data(*shape)) > 0) now.push_back({*shape, calls_, needs_of(worker, *shape)});
      forget();
      sent = add(worker, now);
    }
    SNUG_ASSERT(sent != Sent::done || std::ranges::all_of(wanted, [&](const Shape* shape) { return knows(*shape); }));
    if (sent != Sent::done) forget();
    return sent == Sent::done     ? DeviceOutcome::done
           : sent == Sent::failed ? DeviceOutcome::failed
                                  : DeviceOutcome::never_fits;
  } catch (...) {
    forget();  // who knows what has been sent
    throw;
  }
}

}  // namespace snug::device
