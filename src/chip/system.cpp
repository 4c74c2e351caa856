#include "chip/system.hpp"

#include "chip/relative.hpp"
#include "support/assert.hpp"

#include <algorithm>

namespace snug::chip {

namespace {

/// A cache holds what the pairs of an entry have in common; siblings lie in records of different parity, or in one.
unsigned records_kept(const Structure& structure) noexcept {
  const unsigned least = structure.relative_bits != 0 ? 1 : structure.whole_entries ? 2 : 0;
  return std::max(structure.cached_records, least);
}

}  // namespace

System::System(const Configuration& configuration, const Structure& structure)
    : configuration_(configuration),
      structure_(structure),
      format_(fixed::Format::of_width(configuration.width)),
      stack_(structure.stack_depth, structure.queue),
      cache_(records_kept(structure)),
      pipe_(configuration.stages()),
      triangles_(structure.triangle_units, structure.triangle_clocks) {
  SNUG_ASSERT(structure.relative_bits == 0 || structure.whole_entries);
  SNUG_ASSERT(structure.relative_bits <= k_most_relative_bits && structure.triangle_units >= 1);
}

void System::set(Setup setup) {
  SNUG_ASSERT(state_ == State::ready);
  SNUG_ASSERT(setup.axes >= 1 && setup.axes <= setup.axis.size() && setup.axis.size() <= k_most_chip_axes);
  setup_ = std::move(setup);
}

Outputs System::outputs() const noexcept {
  const TriangleWork::Pair& hit = triangles_.shown();
  return {request(), triangles_.hit(), hit.a, hit.b, state_ != State::ready, done_, overflow_, error_};
}

unsigned System::record_bursts() const noexcept {
  return structure_.relative_bits != 0 ? relative_record_bursts(structure_.relative_bits)
                                       : configuration_.record_bursts();
}

std::uint32_t System::record_of(std::uint32_t node) const noexcept {
  return structure_.relative_bits != 0 ? node / 2 : node;
}

Request System::request() const noexcept {
  if (loading_ != Loading::ask_a && loading_ != Loading::ask_b) return {};
  const bool of_b = loading_ == Loading::ask_b;
  if (next_.cached[of_b ? 1 : 0]) return {};
  const std::uint32_t number = of_b ? next_.pair.b : next_.pair.a;
  if (next_.pair.triangles) return {true, (of_b ? setup_.triangles_b : setup_.triangles_a) + number, 1};
  const unsigned bursts = record_bursts();
  return {true, (of_b ? setup_.nodes_b : setup_.nodes_a) + record_of(number) * bursts, bursts};
}

void System::start() noexcept {
  SNUG_ASSERT(state_ == State::ready && loading_ == Loading::idle);
  SNUG_ASSERT(!testing_ && in_flight_ == 0 && triangles_.empty());
  counters_ = {};
  done_ = overflow_ = error_ = dead_ = false;
  stack_.clear();
  cache_.clear();
  entry_left_ = false;
  StackEntry roots;
  if (structure_.relative_bits != 0) roots.dop_a = roots.dop_b = largest_dop(configuration_.width);
  stack_.push(roots);
  counters_.most_waiting = 1;
  state_ = State::run;
}

System::Result System::judged(const Test& result) const noexcept {
  if (!result.valid) return {};
  if (state_ == State::stop || (dead_ && result.a == dead_a_ && result.b == dead_b_)) return {.ignored = true};
  return {.separated = result.separated, .overlap = !result.separated && result.last};
}

StackEntry System::children_of(const Test& result) const noexcept {
  const auto is_it = [&](const Tested& pair) { return pair.a.number == result.a && pair.b.number == result.b; };
  const Tested& pair = is_it(current_) ? current_ : is_it(previous_[0]) ? previous_[0] : previous_[1];
  SNUG_ASSERT(is_it(pair));
  StackEntry entry;
  entry.triangles = pair.a.links.leaf() && pair.b.links.leaf();
  entry.level = pair.level + 1;
  const auto fill = [&](const Node& node, std::uint32_t* numbers, bool& two) {
    two = !node.links.leaf();
    const std::uint32_t own = entry.triangles ? node.links.left : node.number;
    numbers[0] = two ? node.links.left : own, numbers[1] = two ? node.links.right : own;
  };
  fill(pair.a, entry.a, entry.two_a);
  fill(pair.b, entry.b, entry.two_b);
  if (structure_.relative_bits != 0 && !entry.triangles) {
    entry.dop_a = pair.dop_a, entry.dop_b = pair.dop_b;
    entry.itself_a = !entry.two_a, entry.itself_b = !entry.two_b;
    if (entry.itself_a) entry.a[1] = pair.a.links.left;
    if (entry.itself_b) entry.b[1] = pair.b.links.left;
  }
  return entry;
}

/// What the pipe will say; the answer is carried along rather than the numbers.
System::Test System::next_test(bool last, unsigned axes) const noexcept {
  SNUG_ASSERT(testing_ && axis_ + axes <= setup_.axis.size());
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
  return {true, separated, last, current_.a.number, current_.b.number, axes};
}

unsigned System::axes_of_current() const noexcept {
  const bool leaves = current_.a.links.leaf() && current_.b.links.leaf();
  if (leaves && structure_.axes_of_leaves != 0) return structure_.axes_of_leaves;
  const auto& by_level = structure_.axes_of_level;
  return by_level.empty() ? setup_.axes : by_level[std::min<std::size_t>(current_.level, by_level.size() - 1)];
}

void System::take_pair() noexcept {
  if (structure_.whole_entries) {
    if (!entry_left_) entry_ = stack_.pop_entry();
    next_.pair = entry_.pair(), next_.level = entry_.level;
    entry_left_ = entry_.advance();
  } else {
    next_.level = stack_.top().level;
    next_.pair = stack_.pop();
  }
  next_.beats = 0;
  next_.absolute = next_.pair.triangles || structure_.relative_bits == 0;
  next_.beats_each = k_burst_beats * (next_.pair.triangles ? 1 : record_bursts());
  const auto is_here = [&](unsigned body, bool itself, std::uint32_t number) {
    if (next_.pair.triangles) return false;
    return (structure_.relative_bits != 0 && itself) || cache_.find(body, record_of(number), next_.words[body]);
  };
  next_.cached = {is_here(0, entry_.itself_a, next_.pair.a), is_here(1, entry_.itself_b, next_.pair.b)};
}

void System::take(const Beat& beat) noexcept {
  if (!beat.valid) return;
  SNUG_ASSERT(next_.beats < next_.beats_due());
  auto& words = next_.words[!next_.cached[0] && next_.beats < next_.beats_each ? 0 : 1];
  const std::size_t at = std::size_t{next_.beats % next_.beats_each} * k_beat_words;
  std::ranges::copy(beat.data, words.begin() + static_cast<std::ptrdiff_t>(at));
  ++next_.beats;
}

void System::keep_records() noexcept {
  SNUG_ASSERT(next_.absolute && next_.beats == next_.beats_due());
  if (next_.pair.triangles) return;
  if (!next_.cached[0]) cache_.keep(0, record_of(next_.pair.a), next_.words[0]);
  if (!next_.cached[1]) cache_.keep(1, record_of(next_.pair.b), next_.words[1]);
}

/// A record that GetData has loaded, as the pipe wants it.
void System::decode(std::size_t body, DopWords& dop, Node& node) const noexcept {
  const std::uint64_t* const words = next_.words[body].data();
  node.number = body == 0 ? next_.pair.a : next_.pair.b;
  if (const unsigned q = structure_.relative_bits; q != 0) {
    const DopWords& given = body == 0 ? entry_.dop_a : entry_.dop_b;
    if (body == 0 ? entry_.itself_a : entry_.itself_b) {
      dop = given, node.links = {(body == 0 ? entry_.a : entry_.b)[1], 0};
    } else {
      const ReadChild child = read_child(words, node.number % 2, q);
      dop = absolute(given, child.coefficients), node.links = child.links;
    }
    return;
  }
  const unsigned width = configuration_.width;
  for (std::size_t j = 0; j < dop.size(); ++j) dop[j] = get_signed_bits(words, j * width, width);
  node.links.left = static_cast<std::uint32_t>(get_bits(words, std::size_t{24} * width, 32));
  node.links.right = static_cast<std::uint32_t>(get_bits(words, std::size_t{24} * width + 32, 32));
}

void System::hand_over_dops() noexcept {
  SNUG_ASSERT(loading_ == Loading::full && !next_.pair.triangles);
  previous_ = {current_, previous_[0]};
  decode(0, current_.dop_a, current_.a);
  decode(1, current_.dop_b, current_.b);
  current_.level = next_.level;
  axis_ = 0;
  ++counters_.dop_tests;
}

TriangleWork System::next_triangles() const noexcept {
  SNUG_ASSERT(loading_ == Loading::full && next_.pair.triangles);
  const unsigned width = configuration_.width;
  const auto corner = [&](std::size_t body, std::size_t c) {
    fixed::Corner at;
    for (std::size_t x = 0; x < 3; ++x) at[x] = get_signed_bits(next_.words[body].data(), (3 * c + x) * width, width);
    return at;
  };
  // Both triangles of a quadrangle have its first two corners.
  const auto triangle = [&](std::size_t body, unsigned second) {
    return fixed::TriangleWords{corner(body, second), corner(body, 1 - second), corner(body, 2 + second)};
  };
  const auto count = [&](std::size_t body) {
    return structure_.quadrangles && get_bits(next_.words[body].data(), std::size_t{12} * width, 1) != 0 ? 2U : 1U;
  };
  const fixed::Placement& placement = setup_.placement;
  const std::uint32_t each = structure_.quadrangles ? 2 : 1;
  TriangleWork work;
  for (unsigned i = 0; i < count(0); ++i)
    for (unsigned j = 0; j < count(1); ++j) {
      const bool kept =
          !placement.usable ||
          fixed::may_meet(triangle(0, i), fixed::placed(triangle(1, j), placement, format_.c), placement.slack);
      work.add({kept, each * next_.pair.a + i, each * next_.pair.b + j});
    }
  return work;
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
  const bool given_up = verdict.separated && testing_ && result.a == current_.a.number && result.b == current_.b.number;
  const bool overflow = verdict.overlap && stack_.full();

  const bool full_of_dops = loading_ == Loading::full && !next_.pair.triangles;
  const bool full_of_triangles = loading_ == Loading::full && next_.pair.triangles;
  const bool waiting = entry_left_ || !stack_.empty();
  const bool more = !full_of_dops && (loading_ != Loading::idle || waiting);
  const auto most_axes = static_cast<unsigned>(setup_.axis.size());
  const unsigned after = std::min(axis_ + structure_.pipes, most_axes);
  const unsigned axes = axes_of_current();
  const bool last = testing_ && (after == most_axes || (after >= axes && !(setup_.go_on && more)));

  const bool over_dops = running && full_of_dops && (!testing_ || last || given_up);
  const bool over_triangles = running && full_of_triangles && triangles_.has_room(in.hit_ready);
  const bool handed_over = over_dops || over_triangles;
  const bool can_pop = entry_left_ || !verdict.overlap;  // a push needs the stack for itself
  const bool ask = running && waiting && can_pop && (loading_ == Loading::idle || handed_over);

  const bool accepted = request().valid && in.request_ready;
  const bool asked_a = accepted || next_.cached[0], asked_b = accepted || next_.cached[1];
  const bool error = in.beat.valid && in.beat.error;
  const bool ends =
      !testing_ && in_flight_ == 0 && loading_ == Loading::idle && triangles_.empty() && (!waiting || !running);

  // The edge.
  if (running) count_waits(handed_over);
  Test& slot = pipe_[pipe_end_];
  slot = testing_ ? next_test(last, after - axis_) : Test{};
  counters_.axis_tests += slot.axes;
  in_flight_ += (slot.valid ? 1U : 0U) - (result.valid ? 1U : 0U);
  SNUG_ASSERT(in_flight_ <= pipe_.size());
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
  const TriangleWork triangles = over_triangles ? next_triangles() : TriangleWork{};
  if (triangles_.clock(in.hit_ready, over_triangles ? &triangles : nullptr)) ++counters_.hits;
  counters_.triangle_tests += triangles.count;
  if (accepted) counters_.bursts += request().bursts;
  take(in.beat);
  if (over_dops) hand_over_dops(), testing_ = true;

  switch (loading_) {
    case Loading::idle:
      loading_ = ask ? Loading::pop : Loading::idle;
      break;
    case Loading::pop:
      loading_ = Loading::idle;
      if (running && can_pop) {
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
      if (next_.beats == next_.beats_due() && !next_.absolute) {
        next_.absolute = true;  // a clock for what makes absolute coefficients
      } else if (next_.beats == next_.beats_due()) {
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
  SNUG_ASSERT(!entry_left_ || structure_.whole_entries);
}

}  // namespace snug::chip
