#pragma once

#include "bench/peers/engine.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace snug::bench::pairs {

/// What a query has found: how many pairs and which, or how far.
struct Answer {
  std::uint64_t count = 0;  ///< pairs, or 1 for a hit
  std::uint64_t hash = 0;   ///< of the sorted set of pairs
  double distance = 0;
};

/// One engine on one scene. A step is whatever is timed as one: a pose of two bodies, or all pairs of an assembly.
class Contender {
 public:
  Contender(std::string name, Trust trust, bool fragile) : name_(std::move(name)), trust_(trust), fragile_(fragile) {}
  virtual ~Contender() = default;
  virtual void prepare(std::size_t step) = 0;
  virtual void run(Query query) = 0;  ///< timed
  virtual Answer answer(Query query) = 0;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Trust trust() const { return trust_; }
  [[nodiscard]] bool fragile() const { return fragile_; }

 private:
  std::string name_;
  Trust trust_;
  bool fragile_;
};

enum class Caches : std::uint8_t { warm, cold };

struct SeriesPlan {
  Query query = Query::all;
  Caches caches = Caches::warm;
  std::size_t steps = 0;    ///< 0 … steps-1 are timed, each once by each engine
  std::size_t warm_up = 0;  ///< steps … steps+warm_up-1 are there to warm up on, and are not timed
  double budget_s = 6;
  std::size_t least = 5;  ///< steps that are done whatever the budget says
};

/// One engine's times and answers, by step.
struct Trial {
  std::string engine;
  Trust trust = Trust::exact;
  std::vector<double> us;
  std::vector<Answer> answers;
  std::string broke;  ///< how the engine ended, if it did; it then has no times

  [[nodiscard]] double mean_us() const;
  [[nodiscard]] double p99_us() const;
};

/// Engines take turns, another first each time. Times are those of the steady clock; where the thread's CPU time tells that
/// it was off the processor meanwhile, CPU time. Warm: each turn starts with a query that is not timed, on a step that is
/// not timed either. Cold: the caches are filled with something else before each query.
[[nodiscard]] std::vector<Trial> run_series(const std::vector<Contender*>& contenders, const SeriesPlan& plan);

}  // namespace snug::bench::pairs
