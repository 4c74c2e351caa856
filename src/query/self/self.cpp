#include <snug/self.hpp>

#include "query/self/self_brute.hpp"
#include "query/self/self_search.hpp"
#include "shape/trees.hpp"
#include "support/parallel.hpp"
#include "support/watched.hpp"

#include <algorithm>
#include <mutex>

namespace snug {

namespace {

using query::SearchMemory;
using query::SelfSearch;

/// One for each part that is searched at the moment; the first is the caller's.
class Memories {
 public:
  Memories(SearchMemory& own, unsigned threads) : more_(threads - 1) {
    for (SearchMemory& memory : more_) idle_.push_back(&memory);
    idle_.push_back(&own);
  }

  class Loan {
   public:
    explicit Loan(Memories& from) : from_(from) {
      const std::lock_guard lock(from.mutex_);
      memory_ = from.idle_.back();
      from.idle_.pop_back();
    }
    ~Loan() {
      const std::lock_guard lock(from_.mutex_);
      from_.idle_.push_back(memory_);  // there is room: it was taken from there
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    SearchMemory& operator*() const noexcept { return *memory_; }

   private:
    Memories& from_;
    SearchMemory* memory_;
  };

 private:
  std::vector<SearchMemory> more_;
  std::vector<SearchMemory*> idle_;
  std::mutex mutex_;
};

unsigned threads_of(const SelfOptions& options) { return support::sensible_threads(options.threads); }

SelfSearch search_of(const Shape& shape, const SelfOptions& options) {
  const detail::ShapeData& data = detail::Access::data(shape);
  return {data.mesh, data.get<bvh::ObbTree>(), query::kernels_for(options.instructions)};
}

void tell(const SelfOptions& options, const std::vector<Stats>& stats) {
  if (options.stats == nullptr) return;
  for (const Stats& one : stats) *options.stats += one;
}

/// Pairs of every part, in lists by part: the list of what was found above the parts comes first. False if cancelled. With
/// `first`, lists end with their first pair, and parts behind one that has a pair may be left out.
bool search_parts(const Shape& shape, Scratch& scratch, const SelfOptions& options, bool first,
                  std::vector<std::vector<TrianglePair>>& found) {
  const support::OneUser user = query::use(scratch);
  const unsigned threads = threads_of(options);
  SearchMemory& own = detail::Access::data(scratch).get<query::SearchMemory>();
  const CancelToken* const cancel = options.watch.cancel;
  SelfSearch search = search_of(shape, options);
  std::vector<Stats> stats(1);
  found.assign(1, {});
  const auto taker = [first](std::vector<TrianglePair>& list) {
    return [first, &list](const TrianglePair& pair) {
      list.push_back(pair);
      return !first;
    };
  };
  auto take_above = taker(found[0]);
  search.open(own, take_above, cancel, stats[0]);
  const std::size_t parts = first && !found[0].empty() ? 0 : search.parts();
  found.resize(1 + parts), stats.resize(1 + parts);
  Memories memories(own, threads);
  std::atomic<std::size_t> best{parts};
  const bool complete = support::for_each_chunk_watched(parts, threads, options.watch, [&](std::size_t part) {
    if (first && best.load() < part) return;
    const Memories::Loan memory(memories);
    auto take = taker(found[1 + part]);
    search.search(part, *memory, take, cancel, stats[1 + part]);
    if (!first || found[1 + part].empty()) return;
    for (std::size_t known = best.load(); part < known && !best.compare_exchange_weak(known, part);) {
    }
  });
  tell(options, stats);
  return complete;
}

}  // namespace

Result<void, Cancelled> self_intersections(const Shape& shape, Scratch& scratch, std::vector<TrianglePair>& pairs,
                                           const SelfOptions& options) {
  pairs.clear();
  if (!shape.is_mesh()) return {};
  if (options.method == Method::brute) {
    if (!query::self_brute(shape.mesh(), options, false, pairs)) return Failure{Cancelled{}};
    return {};
  }
  if (auto prepared = shape.prepare_for(shape::k_for_pairs, {.cancel = options.watch.cancel}); !prepared)
    return prepared;
  std::vector<std::vector<TrianglePair>> found;
  if (!search_parts(shape, scratch, options, false, found)) return Failure{Cancelled{}};
  std::size_t total = 0;
  for (const auto& some : found) total += some.size();
  pairs.reserve(total);
  for (const auto& some : found) pairs.insert(pairs.end(), some.begin(), some.end());
  query::sort_pairs(pairs, detail::Access::data(scratch).get<query::SearchMemory>().sorting);
  return {};
}

Result<std::vector<TrianglePair>, Cancelled> self_intersections(const Shape& shape, Scratch& scratch,
                                                                const SelfOptions& options) {
  std::vector<TrianglePair> pairs;
  if (auto done = self_intersections(shape, scratch, pairs, options); !done) return Failure{done.error()};
  return pairs;
}

Result<void, Cancelled> visit_self_intersections(const Shape& shape, Scratch& scratch, const PairVisitor& visit,
                                                 const SelfOptions& options) {
  if (!shape.is_mesh()) return {};
  if (options.method == Method::brute) {
    std::vector<TrianglePair> pairs;
    SelfOptions one_thread = options;
    one_thread.threads = 1;
    if (!query::self_brute(shape.mesh(), one_thread, false, pairs)) return Failure{Cancelled{}};
    for (const TrianglePair& pair : pairs)
      if (!visit(pair)) break;
    return {};
  }
  if (auto prepared = shape.prepare_for(shape::k_for_pairs, {.cancel = options.watch.cancel}); !prepared)
    return prepared;
  const support::OneUser user = query::use(scratch);
  SearchMemory& memory = detail::Access::data(scratch).get<query::SearchMemory>();
  SelfSearch search = search_of(shape, options);
  bool ended = false;
  const auto ask = [&](const TrianglePair& pair) { return !(ended = !visit(pair)); };
  std::vector<Stats> stats(1);
  search.open(memory, ask, options.watch.cancel, stats[0]);
  const std::size_t parts = search.parts();
  for (std::size_t part = 0; part < parts && !ended && !options.watch.cancelled(); ++part) {
    if (options.watch.progress) options.watch.progress(static_cast<double>(part) / static_cast<double>(parts));
    search.search(part, memory, ask, options.watch.cancel, stats[0]);
  }
  tell(options, stats);
  // A visitor that had enough has what it wanted, cancel or no cancel.
  if (!ended && options.watch.cancelled()) return Failure{Cancelled{}};
  if (options.watch.progress) options.watch.progress(1);
  return {};
}

Result<std::optional<TrianglePair>, Cancelled> first_self_intersection(const Shape& shape, Scratch& scratch,
                                                                       const SelfOptions& options) {
  if (!shape.is_mesh()) return std::optional<TrianglePair>();
  if (options.method == Method::brute) {
    std::vector<TrianglePair> pairs;
    if (!query::self_brute(shape.mesh(), options, true, pairs)) return Failure{Cancelled{}};
    return pairs.empty() ? std::nullopt : std::optional(pairs.front());
  }
  if (auto prepared = shape.prepare_for(shape::k_for_pairs, {.cancel = options.watch.cancel}); !prepared)
    return Failure{prepared.error()};
  std::vector<std::vector<TrianglePair>> found;
  if (!search_parts(shape, scratch, options, true, found)) return Failure{Cancelled{}};
  for (const auto& some : found)
    if (!some.empty()) return std::optional(some.front());
  return std::optional<TrianglePair>();
}

bool intersects_itself(const Shape& shape, Scratch& scratch, unsigned threads) {
  return first_self_intersection(shape, scratch, {.threads = threads}).value().has_value();
}

}  // namespace snug
