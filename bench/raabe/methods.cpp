#include "bench/raabe/methods.hpp"

#include "bench/pairs/answers.hpp"
#include "shape/shape_data.hpp"

#include <algorithm>

namespace snug::bench::raabe {

Setting dop_setting(std::string name, unsigned axes) {
  return {std::move(name), {.method = Method::dop, .dop = {.axes = axes}}};
}

Setting fixed_setting(std::string name, unsigned width, unsigned axes) {
  const unsigned bits = width - 1;
  return {std::move(name),
          {.method = Method::dop_fixed,
           .dop = {.axes = axes, .coefficient_bits = bits, .mapping_bits = bits, .offset_bits = bits}}};
}

void MethodBodies::run(Query query) {
  if (query == Query::first) {
    found_.clear();
    if (const auto pair = first_pair(shape_, at_->a, shape_, at_->b, scratch_, options_)) found_.push_back(*pair);
  } else {
    triangle_pairs(shape_, at_->a, shape_, at_->b, scratch_, found_, options_);
  }
}

pairs::Answer MethodBodies::answer(Query query) {
  if (query == Query::first) return {found_.empty() ? 0U : 1U, 0, 0};
  std::vector<IdPair> ids;
  for (const TrianglePair& pair : found_) ids.push_back({pair.a, pair.b});
  return pairs::answer_of(ids);
}

MethodBodies::Work MethodBodies::work() {
  Work work;
  Stats stats;
  options_.stats = &stats;
  for (std::size_t i = 0; i < poses_.size(); ++i) {
    prepare(i);
    run(Query::all);
    work.found += static_cast<double>(found_.size());
    const query::DopMemory& memory = detail::Access::data(scratch_).get<query::DopMemory>();
    work.most_pending = std::max(work.most_pending, memory.most_pending);
    work.most_images = std::max(work.most_images, memory.images);
  }
  options_.stats = nullptr;
  const auto count = static_cast<double>(poses_.size());
  work.node_pairs = static_cast<double>(stats.node_pairs) / count;
  work.leaf_pairs = static_cast<double>(stats.triangle_tests) / count;
  work.found /= count;
  return work;
}

void MethodSteps::run(Query query) {
  found_.resize(meetings_->size());
  for (std::size_t i = 0; i < meetings_->size(); ++i) {
    const auto& m = (*meetings_)[i];
    const Shape &a = steps_.shapes[m.a], &b = steps_.shapes[m.b];
    if (query == Query::first) {
      found_[i].clear();
      if (const auto pair = first_pair(a, m.pose_a, b, m.pose_b, scratch_, options_)) found_[i].push_back(*pair);
    } else {
      triangle_pairs(a, m.pose_a, b, m.pose_b, scratch_, found_[i], options_);
    }
  }
}

pairs::Answer MethodSteps::answer(Query query) {
  pairs::Answer out;
  pairs::Hash hash;
  for (const auto& pairs : found_) {
    out.count += pairs.size();
    hash.add(pairs.size());
    if (query == Query::first) continue;
    for (const TrianglePair& pair : pairs) hash.add((std::uint64_t{pair.a} << 32) | pair.b);
  }
  out.hash = hash.value();
  return out;
}

}  // namespace snug::bench::raabe
