#include "bench/pairs/answers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace snug::bench::pairs {

namespace {

constexpr double k_distance_tolerance = 1e-12;

double relative_difference(double a, double b) {
  if (a == b) return 0;
  return std::abs(a - b) / std::max(std::abs(a), std::abs(b));
}

Comparison compare(Query query, const Trial& trial, const Trial& judge) {
  Comparison out{trial.engine, judge.engine};
  out.of = std::min(trial.answers.size(), judge.answers.size());
  for (std::size_t i = 0; i < out.of; ++i) {
    const Answer &a = trial.answers[i], &b = judge.answers[i];
    out.count += a.count, out.judge_count += b.count;
    if (query == Query::distance) {
      const double difference = relative_difference(a.distance, b.distance);
      // NaN counts as a difference too.
      out.steps += difference <= k_distance_tolerance ? 0 : 1;
      out.worst_relative = std::max(out.worst_relative, difference);
    } else {
      out.steps += a.count == b.count && a.hash == b.hash ? 0 : 1;
    }
  }
  return out;
}

}  // namespace

Answer answer_of(std::vector<IdPair>& pairs) {
  std::ranges::sort(pairs);
  const auto repeated = std::ranges::unique(pairs);
  pairs.erase(repeated.begin(), repeated.end());
  Hash hash;
  for (const IdPair& pair : pairs) hash.add((std::uint64_t{pair.a} << 32) | pair.b);
  return {pairs.size(), hash.value(), 0};
}

std::vector<Comparison> compared(Query query, std::span<const Trial> trials) {
  const Trial* judge = nullptr;
  for (const Trial& trial : trials)
    if (trial.broke.empty() && (judge == nullptr || trial.trust < judge->trust)) judge = &trial;
  std::vector<Comparison> out;
  for (const Trial& trial : trials) {
    if (&trial == judge || !trial.broke.empty()) continue;
    out.push_back(compare(query, trial, *judge));
  }
  return out;
}

std::vector<Disagreement> disagreements(Query query, std::span<const Trial> trials) {
  std::vector<Disagreement> out = compared(query, trials);
  std::erase_if(out, [](const Disagreement& one) { return one.steps == 0; });
  return out;
}

std::string answers_text(Query query, const Trial& trial) {
  if (!trial.broke.empty()) return trial.broke;
  if (query == Query::distance) {
    double sum = 0;
    for (const Answer& answer : trial.answers) sum += answer.distance;
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", sum / static_cast<double>(std::max<std::size_t>(trial.answers.size(), 1)));
    return text;
  }
  std::uint64_t sum = 0;
  for (const Answer& answer : trial.answers) sum += answer.count;
  return std::to_string(sum);
}

std::string hash_text(Query query, const Trial& trial) {
  if (!trial.broke.empty() || query == Query::distance) return "-";
  Hash hash;
  for (const Answer& answer : trial.answers) hash.add(answer.count), hash.add(answer.hash);
  char text[24];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash.value()));
  return text;
}

}  // namespace snug::bench::pairs
