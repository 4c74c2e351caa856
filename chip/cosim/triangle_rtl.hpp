#pragma once

#include "chip/cosim/pins.hpp"
#include "chip/cosim/triangle_unit.hpp"

namespace snug::hardware {

/// A Verilated triangle unit.
template <class Top>
class TriangleRtl final : public TriangleUnit {
 public:
  explicit TriangleRtl(const Configuration& configuration)
      : configuration_(configuration), top_(std::make_unique<Top>(&with_any_registers(context_))) {}
  ~TriangleRtl() override { top_->final(); }

  TriangleOutputs step(const TriangleInputs& inputs) override {
    top_->clk_i = 0;
    top_->rst_ni = !inputs.reset;
    top_->valid_i = inputs.test != nullptr;
    top_->ready_i = inputs.ready;
    if (inputs.placement != nullptr) drive(*inputs.placement);
    if (inputs.test != nullptr) drive(*inputs.test);
    top_->eval();
    const TriangleOutputs outputs{top_->ready_o != 0, top_->empty_o != 0, top_->valid_o != 0,
                                  top_->keep_o != 0,  top_->triangle_a_o, top_->triangle_b_o};
    top_->clk_i = 1;
    top_->eval();
    return outputs;
  }
  [[nodiscard]] VerilatedContext& context() { return context_; }

 private:
  void drive(const Placement& placement) {
    const unsigned w = configuration_.width;
    for (unsigned i = 0; i < 9; ++i) pins::put(top_->rotation_i, i * w, w, placement.rotation[i]);
    for (unsigned i = 0; i < 3; ++i) pins::put(top_->translation_i, i * (w + 2), w + 2, placement.translation[i]);
    pins::put(top_->slack_i, 0, 6, placement.slack);
    top_->usable_i = placement.usable;
  }
  void drive(const TriangleTest& test) {
    const unsigned w = configuration_.width;
    for (unsigned k = 0; k < 3; ++k)
      for (unsigned i = 0; i < 3; ++i) {
        pins::put(top_->corners_a_i, (3 * k + i) * w, w, test.a[k][i]);
        pins::put(top_->corners_b_i, (3 * k + i) * w, w, test.b[k][i]);
      }
    top_->triangle_a_i = test.triangle_a;
    top_->triangle_b_i = test.triangle_b;
  }

  const Configuration configuration_;
  VerilatedContext context_;
  std::unique_ptr<Top> top_;
};

}  // namespace snug::hardware
