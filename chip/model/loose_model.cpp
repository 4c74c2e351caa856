#include "chip/model/loose_model.hpp"

#include "chip/model/system_units.hpp"

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

#include <algorithm>
#include <cstring>
#include <deque>

namespace snug::hardware {

using namespace sc_core;

namespace {

using Record = std::array<std::uint64_t, 24>;

const sc_time k_clock(10, SC_NS);

/// DDR at 100 MHz on 64 bits: bursts of four clocks, four banks with an open row each, refresh every 7.8 µs. Reads take a request's time from
/// the rows it finds; the bus is taken until its last beat.
class DdrTarget final : public sc_module {
 public:
  tlm_utils::simple_target_socket<DdrTarget> socket{"socket"};
  const std::vector<std::uint64_t>* memory = nullptr;

  explicit DdrTarget(const sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &DdrTarget::read);
  }
  void begin() {
    row_.fill(-1);
    bus_free_ = 0, refresh_ = k_between;
    origin_ = sc_time_stamp();
  }

 private:
  static constexpr std::uint64_t k_between = 780, k_refresh = 8, k_close = 2, k_open = 2, k_data = 2, k_way_in = 1,
                                 k_way_out = 1;

  void read(tlm::tlm_generic_payload& trans, sc_time& delay) {
    const std::uint64_t first = trans.get_address() / 64, bursts = trans.get_data_length() / 64;
    if (8 * (first + bursts) > memory->size() || trans.get_command() != tlm::TLM_READ_COMMAND) {
      trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    std::memcpy(trans.get_data_ptr(), memory->data() + 8 * first, trans.get_data_length());
    const auto now = static_cast<std::uint64_t>((sc_time_stamp() + delay - origin_) / k_clock + 0.5);
    std::uint64_t at = now + k_way_in;
    for (std::uint64_t burst = first; burst < first + bursts; ++burst) {
      while (std::max(at, bus_free_) >= refresh_) {
        at = std::max(at, std::max(refresh_, bus_free_) + k_close + k_refresh);
        refresh_ += k_between;
        row_.fill(-1);
      }
      const auto page = static_cast<std::int64_t>(burst / 128);
      std::int64_t& row = row_[static_cast<std::size_t>(page % 4)];
      const std::uint64_t open = row == page ? 0 : k_open + (row < 0 ? 0 : k_close);
      row = page;
      bus_free_ = std::max(at + open, bus_free_) + 4;
    }
    delay = origin_ + (static_cast<double>(bus_free_ + k_data + k_way_out) * k_clock) - sc_time_stamp();
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  std::array<std::int64_t, 4> row_{};
  std::uint64_t bus_free_ = 0, refresh_ = k_between;
  sc_time origin_;
};

/// The chip: pairs of nodes in the order in which the controller would take them, results after the time the pipe takes.
class Walker final : public sc_module {
 public:
  tlm_utils::simple_initiator_socket<Walker> socket{"socket"};
  sc_event start, finished;
  const SystemSetup* setup = nullptr;
  LooseModel::Answer answer;

  SC_HAS_PROCESS(Walker);
  Walker(const sc_module_name& name, const Configuration& c)
      : sc_module(name), width_(c.width), stages_(c.stages()), bursts_((24 * c.width + 64 + 511) / 512) {
    SC_THREAD(serve);
  }

 private:
  static constexpr std::uint64_t k_triangle_clocks = 64, k_to_request = 2;  // a clock to read the stack, one to pop

  struct Due {
    std::uint64_t clock;
    units::Entry entry;
  };
  struct Pair {
    units::Numbers numbers;
    Record a{}, b{};
    std::uint64_t loaded = 0;
  };

  [[noreturn]] void serve() {
    while (true) {
      wait(start);
      walk();
      finished.notify();
    }
  }

  void walk() {
    answer = LooseModel::Answer();
    stack_.assign(1, units::Entry());
    due_.clear();
    std::uint64_t now = 0, tester_free = 0, triangle_free = 0;
    bool testing = false;
    Pair current;
    std::uint64_t begun = 0;
    while (true) {
      // What is known by now; or, if there is nothing to do, what becomes known next.
      if (testing && stack_empty_at(now)) testing = false, finish(current, begun, setup->axes, tester_free);
      if (stack_empty_at(now)) {
        if (due_.empty()) break;
        now = std::max(now, due_.front().clock + 1);
        continue;
      }
      Pair next = load(take(), now + k_to_request);
      if (next.numbers.triangles) {
        const std::uint64_t begin = std::max(next.loaded, triangle_free);
        triangle_free = begin + k_triangle_clocks;
        ++answer.triangle_tests;
        if (setup->may_meet(corners(next.a), corners(next.b))) answer.hits.emplace_back(next.numbers.a, next.numbers.b);
        now = begin;
        continue;
      }
      if (testing) {
        const std::uint64_t while_loading = next.loaded > begun ? next.loaded - begun : 0;
        const std::uint64_t more = setup->go_on ? std::max<std::uint64_t>(setup->axes, while_loading) : setup->axes;
        finish(current, begun, std::min<std::uint64_t>(more, setup->axis.size()), tester_free);
      }
      ++answer.dop_tests;
      begun = std::max(next.loaded, tester_free);
      now = begun;
      current = std::move(next);
      testing = true;
    }
    answer.clocks = std::max({now, tester_free + stages_, triangle_free + 1});
  }

  /// Entries whose results are there by then.
  bool stack_empty_at(std::uint64_t now) {
    while (!due_.empty() && due_.front().clock < now) {
      stack_.push_back(due_.front().entry);
      due_.pop_front();
    }
    return stack_.empty();
  }

  units::Numbers take() {
    const units::Numbers numbers = stack_.back().numbers();
    if (!stack_.back().advance()) stack_.pop_back();
    return numbers;
  }

  Pair load(const units::Numbers& numbers, std::uint64_t now) {
    Pair pair;
    pair.numbers = numbers;
    const unsigned bursts = numbers.triangles ? 1 : bursts_;
    const auto fetch = [&](std::uint32_t address, Record& into, std::uint64_t at) {
      tlm::tlm_generic_payload trans;
      trans.set_command(tlm::TLM_READ_COMMAND);
      trans.set_address(std::uint64_t{address} * 64);
      trans.set_data_ptr(reinterpret_cast<unsigned char*>(into.data()));
      trans.set_data_length(bursts * 64), trans.set_streaming_width(bursts * 64);
      trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      sc_time delay = static_cast<double>(at) * k_clock;
      socket->b_transport(trans, delay);
      if (trans.is_response_error()) SC_REPORT_FATAL("chip", "memory reported an error");
      answer.bursts += bursts;
      return static_cast<std::uint64_t>(delay / k_clock + 0.5);
    };
    fetch(numbers.triangles ? setup->triangles_a + numbers.a : setup->nodes_a + numbers.a * bursts, pair.a, now);
    pair.loaded = fetch(numbers.triangles ? setup->triangles_b + numbers.b : setup->nodes_b + numbers.b * bursts,
                        pair.b, now + 1);
    return pair;
  }

  /// Tries so many axes on a pair; what follows from it is due when the result leaves the pipe.
  void finish(const Pair& pair, std::uint64_t begun, std::uint64_t axes, std::uint64_t& tester_free) {
    for (std::uint64_t i = 0; i < axes; ++i)
      if (separated(setup->axis[i], pair)) {
        tester_free = begun + std::min(axes, i + 1 + stages_);
        return;
      }
    tester_free = begun + axes;
    units::Entry entry;
    const auto link = [&](const Record& record, unsigned side) {
      return static_cast<std::uint32_t>(units::bits_of(record, 24 * width_ + 32 * side, 32));
    };
    entry.two_a = link(pair.a, 1) != 0, entry.two_b = link(pair.b, 1) != 0;
    entry.triangles = !entry.two_a && !entry.two_b;
    const auto numbers = [&](const Record& record, bool two, std::uint32_t own) {
      if (two) return std::array<std::uint32_t, 2>{link(record, 0), link(record, 1)};
      const std::uint32_t one = entry.triangles ? link(record, 0) : own;
      return std::array<std::uint32_t, 2>{one, one};
    };
    entry.a = numbers(pair.a, entry.two_a, pair.numbers.a), entry.b = numbers(pair.b, entry.two_b, pair.numbers.b);
    due_.push_back({tester_free + stages_, entry});
  }

  bool separated(const SystemSetup::Axis& axis, const Pair& pair) const {
    const auto image = [&](const AxisMapping& map, const Record& record, unsigned turned) {
      Wide sum = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const Wide c = units::signed_of(record, (map.slab[i] + turned) % 24 * width_, width_);
        sum += c * map.weight[i] + (c < 0 ? c : 0);
      }
      return sum;
    };
    const Wide unit = Wide{1} << (width_ - 1);
    return image(axis.a, pair.a, 0) + image(axis.b, pair.b, 12) + axis.offset * unit > 0 ||
           image(axis.b, pair.b, 0) + image(axis.a, pair.a, 12) + (-axis.offset - 1) * unit > 0;
  }

  CornerWords corners(const Record& record) const {
    CornerWords words{};
    for (unsigned i = 0; i < 9; ++i) words[i] = units::signed_of(record, i * width_, width_);
    return words;
  }

  const unsigned width_, stages_, bursts_;
  std::vector<units::Entry> stack_;
  std::deque<Due> due_;
};

}  // namespace

struct LooseModel::Simulation {
  explicit Simulation(const Configuration& c) : walker("walker", c), ddr("ddr") { walker.socket.bind(ddr.socket); }
  Walker walker;
  DdrTarget ddr;
};

LooseModel::LooseModel(const Configuration& configuration) : simulation_(std::make_unique<Simulation>(configuration)) {}
LooseModel::~LooseModel() = default;

LooseModel::Answer LooseModel::ask(const SystemSetup& setup, const std::vector<std::uint64_t>& memory) {
  simulation_->walker.setup = &setup;
  simulation_->ddr.memory = &memory;
  sc_start(k_clock);  // so that the walker waits
  simulation_->ddr.begin();
  simulation_->walker.start.notify(SC_ZERO_TIME);
  sc_start(k_clock);
  return simulation_->walker.answer;
}

}  // namespace snug::hardware
