#pragma once

#include "chip/cosim/pins.hpp"

#include <memory>

namespace snug::hardware {

namespace pins {

/// What a test puts on the pins.
template <class Top>
void drive(Top& top, const AxisTest& test, const Configuration& c) {
  for (unsigned j = 0; j < c.k; ++j) {
    put(top.dop_a_i, j * c.width, c.width, test.dop_a[j]);
    put(top.dop_b_i, j * c.width, c.width, test.dop_b[j]);
  }
  const auto slab_and_side = [&](std::uint8_t j) { return j % (c.k / 2) + (j >= c.k / 2 ? 16 : 0); };
  for (unsigned i = 0; i < 3; ++i) {
    put(top.slabs_a_i, 5 * i, 5, slab_and_side(test.map_a.slab[i]));
    put(top.slabs_b_i, 5 * i, 5, slab_and_side(test.map_b.slab[i]));
    put(top.weights_a_i, i * c.width, c.width, test.map_a.weight[i]);
    put(top.weights_b_i, i * c.width, c.width, test.map_b.weight[i]);
  }
  put(top.offset_i, 0, c.width + 2, test.offset);
  top.node_a_i = test.node_a;
  top.node_b_i = test.node_b;
  top.last_i = test.last;
}

}  // namespace pins

/// A Verilated pipe. `Sums` reads S_1 and S_2 inside it, or says that there are none: see SumsInside and NoSums.
template <class Top, class Sums>
class RtlUnit final : public OverlapUnit {
 public:
  RtlUnit(const Configuration& configuration, const char* name)
      : configuration_(configuration), name_(name), top_(std::make_unique<Top>(&with_any_registers(context_))) {}
  ~RtlUnit() override { top_->final(); }

  PipeOutputs step(const PipeInputs& inputs) override {
    top_->clk_i = 0;
    top_->rst_ni = !inputs.reset;
    top_->valid_i = inputs.test != nullptr;
    top_->ready_i = inputs.ready;
    if (inputs.test != nullptr) pins::drive(*top_, *inputs.test, configuration_);
    top_->eval();
    PipeOutputs outputs{top_->ready_o != 0,
                        top_->valid_o != 0,
                        top_->separated_o != 0,
                        top_->node_a_o,
                        top_->node_b_o,
                        top_->last_o != 0,
                        false,
                        {}};
    Sums::read(*top_, configuration_, outputs);
    top_->clk_i = 1;
    top_->eval();
    return outputs;
  }
  [[nodiscard]] const char* name() const override { return name_; }
  [[nodiscard]] bool shows_sums() const override { return Sums::k_shown; }
  [[nodiscard]] VerilatedContext& context() { return context_; }

 private:
  const Configuration configuration_;
  const char* const name_;
  VerilatedContext context_;
  std::unique_ptr<Top> top_;
};

struct SumsInside {
  static constexpr bool k_shown = true;
  template <class Top>
  static void read(Top& top, const Configuration& c, PipeOutputs& outputs) {
    const auto& inside = *top.rootp;
    outputs.sums_valid = ((inside.overlap_pipe__DOT__valid >> (c.stages() - 2)) & 1) != 0;
    outputs.sums = {pins::number(inside.overlap_pipe__DOT__s1_q, 2 * c.width + 3),
                    pins::number(inside.overlap_pipe__DOT__s2_q, 2 * c.width + 3)};
  }
};

struct NoSums {
  static constexpr bool k_shown = false;
  template <class Top>
  static void read(Top&, const Configuration&, PipeOutputs&) {}
};

}  // namespace snug::hardware
