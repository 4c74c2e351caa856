#include "chip/model/pipe_model.hpp"

#include "chip/model/cycle_accurate_pipe.hpp"

namespace snug::hardware {

// Queues want to be printable.
static std::ostream& operator<<(std::ostream& out, const AxisTest& test) {
  return out << test.node_a << '/' << test.node_b;
}
static std::ostream& operator<<(std::ostream& out, const AxisAnswer& answer) {
  return out << answer.node_a << '/' << answer.node_b;
}

namespace {

using namespace sc_core;
using namespace stages;

/// Takes a test, answers it, takes the next: Eq. 22 as it is printed in docs/proof.md.
class UntimedPipe final : public sc_module {
 public:
  sc_fifo_in<AxisTest> in{"in"};
  sc_fifo_out<AxisAnswer> out{"out"};

  SC_HAS_PROCESS(UntimedPipe);
  UntimedPipe(const sc_module_name& name, const Configuration& c) : sc_module(name), width_(c.width) {
    SC_THREAD(serve);
  }

 private:
  [[noreturn]] void serve() {
    while (true) {
      const AxisTest test = in.read();
      const Wide unit = Wide{1} << (width_ - 1);
      const SumPair sums{
          image(test.map_a, test.dop_a, 0) + image(test.map_b, test.dop_b, 12) + test.offset * unit,
          image(test.map_b, test.dop_b, 0) + image(test.map_a, test.dop_a, 12) + (-test.offset - 1) * unit};
      out.write({sums.first > 0 || sums.second > 0, sums, test.node_a, test.node_b, test.last});
    }
  }
  static Wide image(const AxisMapping& map, const std::array<std::int64_t, 24>& dop, unsigned turned) {
    Wide sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Wide coefficient = dop[(map.slab[i] + turned) % dop.size()];
      sum += coefficient * map.weight[i] + (coefficient < 0 ? coefficient : 0);
    }
    return sum;
  }
  const unsigned width_;
};

}  // namespace

struct PipeModel::Simulation final : OverlapUnit {
  explicit Simulation(const Configuration& c)
      : pipe("pipe", c), untimed("untimed", c), asked("asked", k_queue), answered("answered", k_queue) {
    pipe.clock(clock), pipe.reset(reset), pipe.valid_in(valid_in), pipe.ready_in(ready_in), pipe.pins(pins);
    pipe.ready_out(ready_out), pipe.valid_out(valid_out), pipe.separated(separated), pipe.tag_out(tag_out);
    untimed.in(asked), untimed.out(answered);
  }

  PipeOutputs step(const PipeInputs& inputs) override {
    reset.write(inputs.reset);
    valid_in.write(inputs.test != nullptr);
    ready_in.write(inputs.ready);
    if (inputs.test != nullptr) {
      held.test = *inputs.test;
      ++held.serial;
      pins.write(held);
    }
    clock.write(false);
    sc_start(half_period);
    const PipeOutputs outputs{ready_out.read(),      valid_out.read(),    separated.read(),  tag_out.read().node_a,
                              tag_out.read().node_b, tag_out.read().last, pipe.sums_valid(), pipe.sums()};
    clock.write(true);
    sc_start(half_period);
    return outputs;
  }
  [[nodiscard]] const char* name() const override { return "SystemC"; }

  static constexpr int k_queue = 1024;
  const sc_time half_period{5, SC_NS};  ///< 100 MHz, the papers' clock
  CycleAccuratePipe pipe;
  UntimedPipe untimed;
  sc_fifo<AxisTest> asked;
  sc_fifo<AxisAnswer> answered;
  sc_signal<bool> clock{"clock"}, reset{"reset"}, valid_in{"valid_in"}, ready_in{"ready_in"}, ready_out{"ready_out"},
      valid_out{"valid_out"}, separated{"separated"};
  sc_signal<Pins> pins{"pins"};
  sc_signal<Tag> tag_out{"tag_out"};
  Pins held;
};

PipeModel::PipeModel(const Configuration& configuration) : simulation_(std::make_unique<Simulation>(configuration)) {}
PipeModel::~PipeModel() = default;

OverlapUnit& PipeModel::cycle_accurate() { return *simulation_; }

std::vector<AxisAnswer> PipeModel::untimed(const std::vector<AxisTest>& tests) {
  std::vector<AxisAnswer> answers;
  answers.reserve(tests.size());
  for (std::size_t asked = 0; answers.size() < tests.size();) {
    while (asked < tests.size() && simulation_->asked.nb_write(tests[asked])) ++asked;
    sc_start(sc_time(1, SC_NS));
    AxisAnswer answer;
    while (simulation_->answered.nb_read(answer)) answers.push_back(answer);
  }
  return answers;
}

}  // namespace snug::hardware
