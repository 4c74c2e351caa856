#include "bench/figueiredo/contenders.hpp"

#include "bench/pairs/answers.hpp"

#include <algorithm>

namespace snug::bench::figueiredo {

namespace {

using pairs::Answer;
using pairs::Hash;

template <class Pairs>
Answer counted(const std::vector<Pairs>& by_meeting, std::size_t meetings) {
  Answer out;
  Hash hash;
  for (std::size_t i = 0; i < meetings; ++i) {
    out.count += by_meeting[i].size();
    hash.add(by_meeting[i].size());
    for (const auto& pair : by_meeting[i]) hash.add((std::uint64_t{pair.a} << 32) | pair.b);
  }
  out.hash = hash.value();
  return out;
}

/// Which pair comes first is up to the engine; whether there is one is not.
template <class Pairs>
Answer hits_of(const std::vector<Pairs>& by_meeting, std::size_t meetings) {
  Answer out;
  Hash hash;
  for (std::size_t i = 0; i < meetings; ++i) {
    const std::uint64_t hit = by_meeting[i].empty() ? 0 : 1;
    out.count += hit;
    hash.add(hit);
  }
  out.hash = hash.value();
  return out;
}

template <class Pair>
void put(std::vector<Pair>& into, const std::optional<Pair>& pair) {
  into.clear();
  if (pair) into.push_back(*pair);
}

template <class Pair>
void exchange(std::vector<Pair>& pairs) {
  for (Pair& pair : pairs) std::swap(pair.a, pair.b);
  std::ranges::sort(pairs);
}

}  // namespace

std::string_view to_string(Question question) noexcept {
  switch (question) {
    case Question::first_surface:
      return "first-surface";
    case Question::surfaces:
      return "surfaces";
    case Question::first_triangle:
      return "first";
    case Question::triangles:
      return "all";
  }
  return "?";
}

Query query_of(Question question) noexcept {
  return question == Question::first_surface || question == Question::first_triangle ? Query::first : Query::all;
}

const std::vector<Setting>& settings() {
  constexpr auto k_aligned = SurfaceSearch::Bounds::aligned;
  static const std::vector<Setting> all{
      {k_published, {.bounds = k_aligned}},
      {k_no_overlap_box, {.bounds = k_aligned, .overlap_box = false}},
      {"snug-aligned-cover", {.bounds = k_aligned, .tight_boxes = false}},
      {"snug-aligned-simultaneous", {.bounds = k_aligned, .one_sided = false}},
      {"snug-aligned-exchanged", {.bounds = k_aligned}, true},
      {k_default, {}},
  };
  return all;
}

OurSteps::OurSteps(const Setting& setting, Question question, const AssemblySteps& steps)
    : Contender(std::string(setting.name), Trust::exact, false),
      question_(question),
      exchanged_(setting.exchanged),
      steps_(steps) {
  options_.surface = setting.search;
}

void OurSteps::prepare(std::size_t step) {
  meetings_ = &steps_.steps[steps_.spread[step % steps_.spread.size()]];
  if (surfaces_.size() < meetings_->size()) surfaces_.resize(meetings_->size());
  if (triangles_.size() < meetings_->size()) triangles_.resize(meetings_->size());
}

void OurSteps::run(Query) {
  for (std::size_t i = 0; i < meetings_->size(); ++i) {
    const AssemblySteps::Meeting& m = (*meetings_)[i];
    const Shape &a = steps_.shapes[exchanged_ ? m.b : m.a], &b = steps_.shapes[exchanged_ ? m.a : m.b];
    const Pose &pose_a = exchanged_ ? m.pose_b : m.pose_a, &pose_b = exchanged_ ? m.pose_a : m.pose_b;
    switch (question_) {
      case Question::first_surface:
        put(surfaces_[i], first_surface_pair(a, pose_a, b, pose_b, scratch_, options_));
        break;
      case Question::surfaces:
        surfaces_[i] = surface_pairs(a, pose_a, b, pose_b, scratch_, options_);
        break;
      case Question::first_triangle:
        put(triangles_[i], first_pair(a, pose_a, b, pose_b, scratch_, options_));
        break;
      case Question::triangles:
        triangles_[i] = triangle_pairs(a, pose_a, b, pose_b, scratch_, options_);
        break;
    }
  }
}

Answer OurSteps::answer(Query) {
  const std::size_t count = meetings_->size();
  if (exchanged_) {
    for (std::size_t i = 0; i < count; ++i) exchange(surfaces_[i]), exchange(triangles_[i]);
  }
  switch (question_) {
    case Question::first_surface:
      return hits_of(surfaces_, count);
    case Question::surfaces:
      return counted(surfaces_, count);
    case Question::first_triangle:
      return hits_of(triangles_, count);
    case Question::triangles:
      return counted(triangles_, count);
  }
  return {};
}

OurSteps::Counts OurSteps::counts(std::size_t count) {
  Stats stats;
  std::uint64_t found = 0, crossing = 0;
  options_.stats = &stats;
  for (std::size_t step = 0; step < count; ++step) {
    prepare(step);
    run(query_of(question_));
    for (std::size_t i = 0; question_ == Question::triangles && i < meetings_->size(); ++i)
      for (const TrianglePair& pair : triangles_[i]) ++found, crossing += pair.relation == Relation::crossing ? 1U : 0U;
  }
  options_.stats = nullptr;
  const auto mean = [count](std::uint64_t sum) { return static_cast<double>(sum) / static_cast<double>(count); };
  return {
      mean(stats.node_pairs),  mean(stats.box_tests),
      mean(stats.box_updates), mean(stats.triangle_tests),
      mean(stats.exact_tests), static_cast<double>(crossing) / static_cast<double>(std::max<std::uint64_t>(found, 1))};
}

PeerSteps::PeerSteps(const Engine& engine, const AssemblySteps& steps)
    : Contender(std::string(engine.name()), engine.trust(), engine.fragile()), engine_(engine), steps_(steps) {
  for (const Shape& shape : steps.shapes) bodies_.push_back(engine.build(shape.mesh()));
}

void PeerSteps::place(const std::vector<AssemblySteps::Meeting>& meetings) {
  placed_.clear();
  for (const auto& m : meetings) {
    auto& slot = queries_[{m.a, m.b}];
    if (!slot) slot = engine_.pair(*bodies_[m.a], *bodies_[m.b]);
    slot->place(m.pose_a, m.pose_b);
    placed_.push_back(slot.get());
  }
  hits_.assign(placed_.size(), 0);
}

void PeerSteps::prepare(std::size_t step) { place(steps_.steps[steps_.spread[step % steps_.spread.size()]]); }

void PeerSteps::run(Query query) {
  for (std::size_t i = 0; i < placed_.size(); ++i)
    if (query == Query::first)
      hits_[i] = placed_[i]->find_first() ? 1 : 0;
    else
      placed_[i]->find_all();
}

Answer PeerSteps::answer(Query query) {
  std::vector<std::vector<IdPair>> found(placed_.size());
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    if (query == Query::first) {
      found[i].resize(hits_[i] != 0 ? 1 : 0);
      continue;
    }
    placed_[i]->pairs(found[i]);
    std::ranges::sort(found[i]);
    const auto repeated = std::ranges::unique(found[i]);
    found[i].erase(repeated.begin(), repeated.end());
  }
  return query == Query::first ? hits_of(found, found.size()) : counted(found, found.size());
}

bool PeerSteps::meets(std::size_t step) {
  place(steps_.steps[step]);
  return std::ranges::any_of(placed_, [](PairQueries* pair) { return pair->find_first(); });
}

}  // namespace snug::bench::figueiredo
