#include "bench/pairs/two_bodies.hpp"

#include "bench/pairs/answers.hpp"

namespace snug::bench::pairs {

TwoBodies::TwoBodies(const Engine& engine, const Mesh& a, const Mesh& b, const std::vector<PosePair>& poses)
    : Contender(std::string(engine.name()), engine.trust(), engine.fragile()),
      poses_(poses),
      a_(engine.build(a)),
      b_(a.same_data(b) ? nullptr : engine.build(b)),
      queries_(engine.pair(*a_, b_ ? *b_ : *a_)) {}

void TwoBodies::prepare(std::size_t step) { queries_->place(poses_[step].a, poses_[step].b); }

void TwoBodies::run(Query query) {
  switch (query) {
    case Query::all:
      queries_->find_all();
      break;
    case Query::first:
      hit_ = queries_->find_first();
      break;
    case Query::distance:
      distance_ = queries_->find_distance();
      break;
  }
}

Answer TwoBodies::answer(Query query) {
  if (query == Query::first) return {hit_ ? 1U : 0U, 0, 0};
  if (query == Query::distance) return {0, 0, distance_};
  queries_->pairs(pairs_);
  return answer_of(pairs_);
}

}  // namespace snug::bench::pairs
