#include "query/dop/chip/system.hpp"

#include "support/assert.hpp"

#include <algorithm>

namespace snug::detail::chip {

System::System(const Configuration& configuration, const Structure& structure)
    : configuration_(configuration),
      structure_(structure),
      format_(fixed::Format::of_width(configuration.width)),
      stack_(structure.stack_depth, structure.queue),
      cache_(structure.cached_records),
      pipe_(configuration.stages()) {}

void System::set(Setup setup) {
  SNUG_ASSERT(state_ == State::ready);
  SNUG_ASSERT(setup.axes >= 1 && setup.axes <= setup.axis.size() && setup.axis.size() <= k_most_chip_axes);
  setup_ = std::move(setup);
}

Outputs System::outputs() const noexcept {
  return {request(),
          triangle_left_ == 1 && triangle_kept_,
          triangle_a_,
          triangle_b_,
          state_ != State::ready,
          done_,
          overflow_,
          error_};
}

Request System::request() const noexcept {
  if (loading_ != Loading::ask_a && loading_ != Loading::ask_b) return {};
  const bool of_b = loading_ == Loading::ask_b;
  if (next_.cached[of_b ? 1 : 0]) return {};
  const std::uint32_t number = of_b ? next_.pair.b : next_.pair.a;
  if (next_.pair.triangles) return {true, (of_b ? setup_.triangles_b : setup_.triangles_a) + number, 1};
  const unsigned bursts = configuration_.record_bursts();
  return {true, (of_b ? setup_.nodes_b : setup_.nodes_a) + number * bursts, bursts};
}

void System::start() noexcept {
  counters_ = {};
  done_ = overflow_ = error_ = dead_ = false;
  stack_.clear();
  cache_.clear();
  stack_.push({});  // the pair of roots
  counters_.most_waiting = 1;
  state_ = State::run;
}

System::Result System::judged(const Test& result) const noexcept {
  if (!result.valid) return {};
  if (state_ == State::stop || (dead_ && result.a == dead_a_ && result.b == dead_b_)) return {.ignored = true};
  return {.separated = result.separated, .overlap = !result.separated && result.last};
}

StackEntry System::children_of(const Test& result) const noexcept {
  const auto is_it = [&](const NodePair& pair) { return pair.a.number == result.a && pair.b.number == result.b; };
  const NodePair& pair = is_it(current_.nodes) ? current_.nodes : is_it(previous_[0]) ? previous_[0] : previous_[1];
  SNUG_ASSERT(is_it(pair));
  StackEntry entry;
  entry.triangles = pair.a.links.leaf() && pair.b.links.leaf();
  const auto fill = [&](const Node& node, std::uint32_t* numbers, bool& two) {
    two = !node.links.leaf();
    const std::uint32_t own = entry.triangles ? node.links.left : node.number;
    numbers[0] = two ? node.links.left : own, numbers[1] = two ? node.links.right : own;
  };
  fill(pair.a, entry.a, entry.two_a);
  fill(pair.b, entry.b, entry.two_b);
  return entry;
}

/// What the pipe will say; the answer is carried along rather than the numbers.
System::Test System::next_test(bool last, unsigned axes) const noexcept {
  bool separated = false;
  for (unsigned i = axis_; i < axis_ + axes; ++i) {
    const fixed::Axis& axis = setup_.axis[i];
    separated =
        separated ||
        (format_.narrow()
             ? fixed::axis_sums<std::int64_t>(axis, current_.dop_a.data(), current_.dop_b.data(), format_).separated()
             : fixed::axis_sums<fixed::int128>(axis, current_.dop_a.data(), current_.dop_b.data(), format_)
                   .separated());
  }
  return {true, separated, last, current_.nodes.a.number, current_.nodes.b.number, axes};
}

void System::take_pair() noexcept {
  next_.pair = stack_.pop();
  next_.beats = 0;
  next_.beats_each = k_burst_beats * (next_.pair.triangles ? 1 : configuration_.record_bursts());
  next_.cached = {!next_.pair.triangles && cache_.find(0, next_.pair.a, next_.words[0]),
                  !next_.pair.triangles && cache_.find(1, next_.pair.b, next_.words[1])};
}

void System::take(const Beat& beat) noexcept {
  if (!beat.valid) return;
  auto& words = next_.words[!next_.cached[0] && next_.beats < next_.beats_each ? 0 : 1];
  const std::size_t at = std::size_t{next_.beats % next_.beats_each} * k_beat_words;
  std::ranges::copy(beat.data, words.begin() + static_cast<std::ptrdiff_t>(at));
  ++next_.beats;
}

void System::keep_records() noexcept {
  if (next_.pair.triangles) return;
  if (!next_.cached[0]) cache_.keep(0, next_.pair.a, next_.words[0]);
  if (!next_.cached[1]) cache_.keep(1, next_.pair.b, next_.words[1]);
}

void System::hand_over_dops() noexcept {
  previous_ = {current_.nodes, previous_[0]};
  const unsigned width = configuration_.width;
  const auto decode = [&](const std::uint64_t* words, std::array<std::int64_t, 24>& dop, Node& node) {
    for (std::size_t j = 0; j < dop.size(); ++j) dop[j] = get_signed_bits(words, j * width, width);
    node.links.left = static_cast<std::uint32_t>(get_bits(words, std::size_t{24} * width, 32));
    node.links.right = static_cast<std::uint32_t>(get_bits(words, std::size_t{24} * width + 32, 32));
  };
  decode(next_.words[0].data(), current_.dop_a, current_.nodes.a);
  decode(next_.words[1].data(), current_.dop_b, current_.nodes.b);
  current_.nodes.a.number = next_.pair.a, current_.nodes.b.number = next_.pair.b;
  axis_ = 0;
  ++counters_.dop_tests;
}

void System::hand_over_triangles() noexcept {
  const auto corners = [&](const std::uint64_t* words) {
    fixed::TriangleWords triangle;
    for (std::size_t i = 0; i < 9; ++i)
      triangle[i / 3][i % 3] = get_signed_bits(words, i * configuration_.width, configuration_.width);
    return triangle;
  };
  const fixed::Placement& placement = setup_.placement;
  triangle_kept_ =
      !placement.usable ||
      fixed::may_meet(corners(next_.words[0].data()),
                      fixed::placed(corners(next_.words[1].data()), placement, format_.c), placement.slack);
  triangle_a_ = next_.pair.a, triangle_b_ = next_.pair.b;
  triangle_left_ = structure_.triangle_clocks;
  ++counters_.triangle_tests;
}

void System::count_waits(bool handed_over) noexcept {
  if (!testing_ && (loading_ == Loading::idle || loading_ == Loading::pop)) ++counters_.waits_result;
  if (!testing_ && (loading_ == Loading::ask_a || loading_ == Loading::ask_b || loading_ == Loading::load))
    ++counters_.waits_memory;
  if (loading_ == Loading::full && !handed_over)
    ++(next_.pair.triangles ? counters_.waits_triangle : counters_.waits_pipe);
}

void System::clock(const Inputs& in) {
  if (in.reset) {
    // What no reset clears holds nothing that is looked at before it is written.
    *this = System(configuration_, structure_);
    return;
  }
  if (state_ == State::ready) {
    if (in.start) start();
    return;
  }
  const bool running = state_ == State::run;
  ++counters_.clocks;

  // Signals of this clock, from registers and pins.
  const Test result = pipe_[pipe_end_];
  const Result verdict = judged(result);
  const bool given_up =
      verdict.separated && testing_ && result.a == current_.nodes.a.number && result.b == current_.nodes.b.number;
  const bool overflow = verdict.overlap && stack_.full();

  const bool full_of_dops = loading_ == Loading::full && !next_.pair.triangles;
  const bool full_of_triangles = loading_ == Loading::full && next_.pair.triangles;
  const bool more = !full_of_dops && (loading_ != Loading::idle || !stack_.empty());
  const auto most_axes = static_cast<unsigned>(setup_.axis.size());
  const unsigned after = std::min(axis_ + structure_.pipes, most_axes);
  const bool leaves = current_.nodes.a.links.leaf() && current_.nodes.b.links.leaf();
  const unsigned axes = leaves && structure_.axes_of_leaves != 0 ? structure_.axes_of_leaves : setup_.axes;
  const bool last = testing_ && (after == most_axes || (after >= axes && !(setup_.go_on && more)));

  const bool hit_taken = triangle_left_ == 1 && triangle_kept_ && in.hit_ready;
  const bool triangle_leaves = hit_taken || (triangle_left_ == 1 && !triangle_kept_);
  const bool over_dops = running && full_of_dops && (!testing_ || last || given_up);
  const bool over_triangles = running && full_of_triangles && (triangle_left_ == 0 || triangle_leaves);
  const bool handed_over = over_dops || over_triangles;
  const bool ask = running && !stack_.empty() && !verdict.overlap && (loading_ == Loading::idle || handed_over);

  const bool accepted = request().valid && in.request_ready;
  const bool asked_a = accepted || next_.cached[0], asked_b = accepted || next_.cached[1];
  const bool error = in.beat.valid && in.beat.error;
  const bool ends =
      !testing_ && in_flight_ == 0 && loading_ == Loading::idle && triangle_left_ == 0 && (stack_.empty() || !running);

  // The edge.
  if (running) count_waits(handed_over);
  Test& slot = pipe_[pipe_end_];
  slot = testing_ ? next_test(last, after - axis_) : Test{};
  counters_.axis_tests += slot.axes;
  in_flight_ += (slot.valid ? 1U : 0U) - (result.valid ? 1U : 0U);
  pipe_end_ = (pipe_end_ + 1) % pipe_.size();
  if (verdict.ignored) ++counters_.ignored;
  if (verdict.separated) dead_ = true, dead_a_ = result.a, dead_b_ = result.b;
  if (verdict.overlap && !overflow) {
    stack_.push(children_of(result));
    counters_.most_waiting = std::max<std::uint64_t>(counters_.most_waiting, stack_.size());
  }

  if (testing_) {
    axis_ = after;
    if (last || given_up) testing_ = false;
  }
  if (triangle_leaves) triangle_left_ = 0;
  if (triangle_left_ > 1) --triangle_left_;
  if (hit_taken) ++counters_.hits;
  if (accepted) counters_.bursts += request().bursts;
  take(in.beat);
  if (over_dops) hand_over_dops(), testing_ = true;
  if (over_triangles) hand_over_triangles();

  switch (loading_) {
    case Loading::idle:
      loading_ = ask ? Loading::pop : Loading::idle;
      break;
    case Loading::pop:
      loading_ = Loading::idle;
      if (running && !verdict.overlap) {
        take_pair();
        loading_ = Loading::ask_a;
      }
      break;
    case Loading::ask_a:
      loading_ = asked_a ? Loading::ask_b : Loading::ask_a;
      break;
    case Loading::ask_b:
      loading_ = asked_b ? Loading::load : Loading::ask_b;
      break;
    case Loading::load:
      if (next_.beats == next_.beats_due()) {
        keep_records();
        loading_ = running ? Loading::full : Loading::idle;
      }
      break;
    case Loading::full:
      loading_ = ask ? Loading::pop : handed_over || !running ? Loading::idle : Loading::full;
      break;
  }

  if (running && (overflow || error)) {
    state_ = State::stop;
    testing_ = false;
  }
  if (overflow) overflow_ = true;
  if (error) error_ = true;
  if (ends) state_ = State::ready, done_ = true;
}

}  // namespace snug::detail::chip
