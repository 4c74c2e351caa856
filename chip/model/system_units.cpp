#include "chip/model/system_units.hpp"

namespace snug::hardware::units {

std::uint64_t bits_of(const std::array<std::uint64_t, 24>& words, unsigned at, unsigned bits) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bits; ++i) value |= (words[(at + i) / 64] >> (at + i) % 64 & 1) << i;
  return value;
}
std::int64_t signed_of(const std::array<std::uint64_t, 24>& words, unsigned at, unsigned bits) {
  const std::uint64_t value = bits_of(words, at, bits);
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

GetData::GetData(const sc_module_name& name, unsigned record_bursts) : Unit(name), bursts_(record_bursts) {
  SC_METHOD(show);
  sensitive << shown_;
}

void GetData::clear() { state_ = Loading::idle; }

void GetData::advance() {
  if (beat.read().valid) {
    const unsigned of = beats_ / beats_each_, at = 2 * (beats_ % beats_each_);
    next_.words[of][at] = beat.read().data[0], next_.words[of][at + 1] = beat.read().data[1];
    ++beats_;
  }
  switch (state_) {
    case Loading::idle:
      state_ = ask.read() ? Loading::pop : Loading::idle;
      break;
    case Loading::pop:
      if (push.read() || !run.read()) {
        state_ = Loading::idle;
        break;
      }
      next_.numbers = popped.read();
      beats_ = 0, beats_each_ = next_.numbers.triangles ? 4 : 4 * bursts_;
      state_ = Loading::ask_a;
      break;
    case Loading::ask_a:
      if (request_ready.read()) state_ = Loading::ask_b;
      break;
    case Loading::ask_b:
      if (request_ready.read()) state_ = Loading::load;
      break;
    case Loading::load:
      if (beats_ == 2 * beats_each_) state_ = run.read() ? Loading::full : Loading::idle;
      break;
    case Loading::full:
      if (ask.read())
        state_ = Loading::pop;
      else if (handed_over.read() || !run.read())
        state_ = Loading::idle;
      break;
  }
}

void GetData::show() {
  loading.write(static_cast<int>(state_));
  MemoryRequest up;
  if (setup != nullptr && (state_ == Loading::ask_a || state_ == Loading::ask_b)) {
    const bool second = state_ == Loading::ask_b;
    const std::uint32_t number = second ? next_.numbers.b : next_.numbers.a;
    up.valid = true;
    up.bursts = next_.numbers.triangles ? 1 : bursts_;
    up.address = next_.numbers.triangles ? (second ? setup->triangles_b : setup->triangles_a) + number
                                         : (second ? setup->nodes_b : setup->nodes_a) + number * bursts_;
  }
  request.write(up);
  ++next_.serial;
  next.write(next_);
}

Tester::Tester(const sc_module_name& name, unsigned width) : Unit(name), width_(width) {
  SC_METHOD(signals);
  sensitive << shown_ << more << result_counts << separated << result;
}

void Tester::clear() { testing_ = false, axis_ = 0, current_ = previous_ = Pair(); }

bool Tester::is_last() const {
  const unsigned after = axis_ + 1;
  return after == setup->axis.size() || (after >= setup->axes && !(setup->go_on && more.read()));
}

void Tester::signals() {
  testing.write(testing_);
  const bool final_one = testing_ && is_last();
  last.write(final_one);
  const stages::Tag& of = result.read();
  const bool of_current = of.node_a == current_.a && of.node_b == current_.b;
  given_up.write(testing_ && of_current && result_counts.read() && separated.read());

  const Pair& pair = of_current ? current_ : previous_;
  Entry entry;
  entry.triangles = pair.links_a.leaf() && pair.links_b.leaf();
  entry.two_a = !pair.links_a.leaf(), entry.two_b = !pair.links_b.leaf();
  if (entry.triangles) {
    entry.a = {pair.links_a.left, pair.links_a.left}, entry.b = {pair.links_b.left, pair.links_b.left};
  } else {
    if (entry.two_a)
      entry.a = {pair.links_a.left, pair.links_a.right};
    else
      entry.a = {pair.a, pair.a};
    if (entry.two_b)
      entry.b = {pair.links_b.left, pair.links_b.right};
    else
      entry.b = {pair.b, pair.b};
  }
  children.write(entry);

  if (!testing_) return;
  const SystemSetup::Axis& axis = setup->axis[axis_];
  test_.map_a = axis.a, test_.map_b = axis.b, test_.offset = axis.offset;
  test_.node_a = current_.a, test_.node_b = current_.b, test_.last = final_one;
  stages::Pins up;
  up.test = test_, up.serial = ++serial_;
  pins.write(up);
}

void Tester::advance() {
  if (testing_) {
    if (last.read() || given_up.read()) testing_ = false;
    ++axis_;
  }
  if (hand_over.read()) {
    previous_ = current_;
    const LoadedPair& pair = next.read();
    for (unsigned j = 0; j < 24; ++j) {
      test_.dop_a[j] = signed_of(pair.words[0], j * width_, width_);
      test_.dop_b[j] = signed_of(pair.words[1], j * width_, width_);
    }
    const auto link = [&](unsigned of, unsigned side) {
      return static_cast<std::uint32_t>(bits_of(pair.words[of], 24 * width_ + 32 * side, 32));
    };
    current_.a = pair.numbers.a, current_.b = pair.numbers.b;
    current_.links_a = {link(0, 0), link(0, 1)}, current_.links_b = {link(1, 0), link(1, 1)};
    axis_ = 0;
    testing_ = true;
  }
  if (halt.read()) testing_ = false;
}

Controller::Controller(const sc_module_name& name, unsigned depth) : Unit(name), depth_(depth) {
  SC_METHOD(signals);
  sensitive << shown_ << result_valid << separated << testing << last << given_up << triangle_takes << result << loading
            << next << beat;
}

void Controller::clear() {
  state_ = State::ready;
  done = overflow = error = dead_ = false;
  stack_.clear();
  in_flight_ = 0;
}

bool Controller::counts() const {
  const stages::Tag& of = result.read();
  const bool is_dead = dead_ && of.node_a == dead_pair_.node_a && of.node_b == dead_pair_.node_b;
  return result_valid.read() && state_ == State::run && !is_dead;
}

void Controller::signals() {
  const bool running = state_ == State::run;
  run.write(running);
  busy.write(state_ != State::ready);
  const bool counted = counts();
  result_counts.write(counted);
  const bool pushes = counted && !separated.read() && result.read().last;
  push.write(pushes);

  const auto doing = static_cast<Loading>(loading.read());
  const bool triangles = next.read().numbers.triangles;
  const bool full_of_dops = doing == Loading::full && !triangles,
             full_of_triangles = doing == Loading::full && triangles;
  more.write(!full_of_dops && (doing != Loading::idle || !stack_.empty()));
  const bool dops = running && full_of_dops && (!testing.read() || last.read() || given_up.read());
  const bool others = running && full_of_triangles && triangle_takes.read();
  over_dops.write(dops);
  over_triangles.write(others);
  handed_over.write(dops || others);
  ask.write(running && !stack_.empty() && !pushes && (doing == Loading::idle || dops || others));
  halt.write(running && ((pushes && stack_.size() == depth_) || (beat.read().valid && beat.read().error)));
  if (!stack_.empty()) popped.write(stack_.back().numbers());
}

void Controller::advance() {
  const auto doing = static_cast<Loading>(loading.read());
  const bool ends = state_ != State::ready && !testing.read() && in_flight_ == 0 && doing == Loading::idle &&
                    triangle_empty.read() && (stack_.empty() || state_ == State::stop);
  if (state_ == State::ready) {
    if (!start.read()) return;
    done = overflow = error = dead_ = false;
    stack_.assign(1, Entry());
    state_ = State::run;
    return;
  }
  const bool running = state_ == State::run;
  in_flight_ = in_flight_ + (testing.read() ? 1 : 0) - (result_valid.read() ? 1 : 0);
  if (result_counts.read() && separated.read()) dead_ = true, dead_pair_ = result.read();
  if (push.read() && stack_.size() == depth_) {
    overflow = true;
  } else if (push.read()) {
    stack_.push_back(children.read());
  } else if (running && doing == Loading::pop) {
    if (!stack_.back().advance()) stack_.pop_back();
  }
  if (beat.read().valid && beat.read().error) error = true;
  if (halt.read()) state_ = State::stop;
  if (ends) state_ = State::ready, done = true;
}

TriangleUnit::TriangleUnit(const sc_module_name& name, unsigned width) : Unit(name), width_(width) {
  SC_METHOD(signals);
  sensitive << shown_ << hit_ready;
}

void TriangleUnit::clear() { left_ = 0; }

void TriangleUnit::signals() {
  takes.write(left_ == 0 || (left_ == 1 && (!kept_ || hit_ready.read())));
  empty.write(left_ == 0);
  hit_valid.write(left_ == 1 && kept_);
}

void TriangleUnit::advance() {
  if (left_ > 1)
    --left_;
  else if (left_ == 1 && takes.read())
    left_ = 0;
  if (!hand_over.read()) return;
  pair = next.read().numbers;
  kept_ = setup->may_meet(corners(next.read().words[0]), corners(next.read().words[1]));
  left_ = k_clocks;
}

CornerWords TriangleUnit::corners(const std::array<std::uint64_t, 24>& words) const {
  CornerWords out{};
  for (unsigned i = 0; i < 9; ++i) out[i] = signed_of(words, i * width_, width_);
  return out;
}

}  // namespace snug::hardware::units
