#pragma once

#include "bench/figueiredo/assembly_steps.hpp"
#include "bench/pairs/series.hpp"

#include <snug/query.hpp>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snug::bench::figueiredo {

/// What is asked at each step, of each pair of parts.
enum class Question : std::uint8_t { first_surface, surfaces, first_triangle, triangles };
[[nodiscard]] std::string_view to_string(Question question) noexcept;
/// As the peers' interface has it.
[[nodiscard]] Query query_of(Question question) noexcept;

/// One setting of our method `surface`.
struct Setting {
  std::string_view name;
  SurfaceSearch search;
  bool exchanged = false;  ///< b takes the part of a: the paper does not say which body's triangles are brought over
};
/// The published search, with one of its parts turned off at a time, and our default.
[[nodiscard]] const std::vector<Setting>& settings();
inline constexpr std::string_view k_published = "snug-aligned", k_no_overlap_box = "snug-aligned-no-overlap-box",
                                  k_default = "snug";

/// Our engine. Step k of the series is the k-th of `steps.spread`; beyond the last it begins anew.
class OurSteps final : public pairs::Contender {
 public:
  OurSteps(const Setting& setting, Question question, const AssemblySteps& steps);
  void prepare(std::size_t step) override;
  void run(Query query) override;
  pairs::Answer answer(Query query) override;

  /// What one step counts, in the mean over the first `count` of the spread order.
  struct Counts {
    double node_pairs = 0, box_tests = 0, box_updates = 0, triangle_tests = 0, exact_tests = 0;
    double crossing_share = 0;  ///< of the pairs of triangles found, if all are asked for
  };
  [[nodiscard]] Counts counts(std::size_t count);

 private:
  Question question_;
  bool exchanged_;
  QueryOptions options_;
  const AssemblySteps& steps_;
  const std::vector<AssemblySteps::Meeting>* meetings_ = nullptr;
  Scratch scratch_;
  std::vector<std::vector<SurfacePair>> surfaces_;    ///< by meeting
  std::vector<std::vector<TrianglePair>> triangles_;  ///< by meeting
};

/// A peer: it knows no surfaces, so only triangles can be asked for.
class PeerSteps final : public pairs::Contender {
 public:
  PeerSteps(const Engine& engine, const AssemblySteps& steps);
  void prepare(std::size_t step) override;
  void run(Query query) override;
  pairs::Answer answer(Query query) override;

  /// True if it finds any pair of parts to meet at a step of the motion (not of the spread order).
  [[nodiscard]] bool meets(std::size_t step);

 private:
  void place(const std::vector<AssemblySteps::Meeting>& meetings);

  const Engine& engine_;
  const AssemblySteps& steps_;
  std::vector<std::unique_ptr<Body>> bodies_;  ///< by part
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::unique_ptr<PairQueries>> queries_;
  std::vector<PairQueries*> placed_;
  std::vector<char> hits_;
};

}  // namespace snug::bench::figueiredo
