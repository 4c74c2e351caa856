#include "chip/model/pipe_model.hpp"

#include "chip/model/stages.hpp"

namespace snug::chip {

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

/// Stages, the signals between them, PipeData and the handshake.
class CycleAccuratePipe final : public sc_module {
 public:
  sc_in<bool> clock{"clock"}, reset{"reset"}, valid_in{"valid_in"}, ready_in{"ready_in"};
  sc_in<Pins> pins{"pins"};
  sc_out<bool> ready_out{"ready_out"}, valid_out{"valid_out"}, separated{"separated"};
  sc_out<Tag> tag_out{"tag_out"};

  SC_HAS_PROCESS(CycleAccuratePipe);
  CycleAccuratePipe(const sc_module_name& name, const Configuration& c)
      : sc_module(name),
        select_("select", c.width),
        multiply_("multiply", c.width, c.multiplier_stages),
        add_pairs_("add_pairs", c.width),
        add_offset_("add_offset", c.width),
        add_all_("add_all", c.width),
        negatives_("negatives", c.width),
        correct_("correct", c.width),
        compare_("compare", c.width),
        offsets_("offsets", c.multiplier_stages + 2),
        negatives_wait_("negatives_wait", c.multiplier_stages + 2),
        tags_("tags", c.stages()),
        valid_(c.stages(), false) {
    const std::initializer_list<Stage*> all{&select_,  &multiply_,       &add_pairs_, &add_offset_,
                                            &add_all_, &negatives_,      &correct_,   &compare_,
                                            &offsets_, &negatives_wait_, &tags_};
    for (Stage* stage : all) {
      stage->clock(clock);
      stage->move(move_);
    }
    select_.in(pins), select_.out(selected_);
    multiply_.in(selected_), multiply_.out(products_);
    add_pairs_.in(products_), add_pairs_.out(pairs_);
    offsets_.in(offset_), offsets_.out(offset_late_);
    add_offset_.in(pairs_), add_offset_.offset(offset_late_), add_offset_.out(parts_);
    add_all_.in(parts_), add_all_.out(totals_);
    negatives_.in(selected_), negatives_.out(negative_);
    negatives_wait_.in(negative_), negatives_wait_.out(negative_late_);
    correct_.in(totals_), correct_.negatives(negative_late_), correct_.out(sums_);
    compare_.in(sums_), compare_.out(separated);
    tags_.in(tag_), tags_.out(tag_out);

    SC_METHOD(handshake);
    sensitive << ready_in << valid_last_;
    SC_METHOD(split_pins);
    sensitive << pins;
    SC_METHOD(edge);
    sensitive << clock.pos();
    dont_initialize();
  }

  [[nodiscard]] bool sums_valid() const { return valid_[valid_.size() - 2]; }
  [[nodiscard]] SumPair sums() const { return {sums_.read().first[0], sums_.read().second[0]}; }

 private:
  void handshake() {
    const bool moves = ready_in.read() || !valid_last_.read();
    move_.write(moves);
    ready_out.write(moves);
    valid_out.write(valid_last_.read());
  }
  void split_pins() {
    const AxisTest& test = pins.read().test;
    offset_.write(test.offset);
    tag_.write({test.node_a, test.node_b, test.last});
  }
  void edge() {
    if (reset.read()) {
      valid_.assign(valid_.size(), false);
    } else if (move_.read()) {
      for (std::size_t i = valid_.size(); --i > 0;) valid_[i] = valid_[i - 1];
      valid_[0] = valid_in.read();
    }
    valid_last_.write(valid_.back());
  }

  Select select_;
  Multiply multiply_;
  AddPairs add_pairs_;
  AddOffset add_offset_;
  AddAll add_all_;
  Negatives negatives_;
  Correct correct_;
  Compare compare_;
  Delay<std::int64_t> offsets_;
  Delay<Partial> negatives_wait_;
  Delay<Tag> tags_;
  std::vector<bool> valid_;

  sc_signal<bool> move_{"move"}, valid_last_{"valid_last"};
  sc_signal<Selected> selected_{"selected"};
  sc_signal<Twelve> products_{"products"};
  sc_signal<Partial> pairs_{"pairs"}, parts_{"parts"}, totals_{"totals"}, negative_{"negative"},
      negative_late_{"negative_late"}, sums_{"sums"};
  sc_signal<std::int64_t> offset_{"offset"}, offset_late_{"offset_late"};
  sc_signal<Tag> tag_{"tag"};
};

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

}  // namespace snug::chip

/// SystemC's library wants one; programs here have their own main().
int sc_main(int /*argc*/, char** /*argv*/) { return 0; }
