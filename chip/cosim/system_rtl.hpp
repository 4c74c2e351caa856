#pragma once

#include "chip/cosim/pins.hpp"
#include "chip/cosim/system_unit.hpp"

namespace snug::hardware {

/// A Verilated chip with its buses.
template <class Top>
class SystemRtl final : public SystemUnit {
 public:
  SystemRtl() : top_(std::make_unique<Top>(&with_any_registers(context_))) {}
  ~SystemRtl() override { top_->final(); }

  BusOutputs step(const BusInputs& in) override {
    Top& top = *top_;
    top.clk_i = 0;
    top.rst_ni = !in.reset;
    top.s_axi_awvalid_i = in.write_address_valid;
    pins::put(top.s_axi_awaddr_i, 0, 13, in.write_address);
    top.s_axi_wvalid_i = in.write_data_valid;
    top.s_axi_wdata_i = in.write_data;
    pins::put(top.s_axi_wstrb_i, 0, 4, in.write_strobe);
    top.s_axi_bready_i = in.write_answer_ready;
    top.s_axi_arvalid_i = in.read_address_valid;
    pins::put(top.s_axi_araddr_i, 0, 13, in.read_address);
    top.s_axi_rready_i = in.read_data_ready;
    top.m_axi_arready_i = in.memory_ready;
    top.m_axi_rvalid_i = in.beat.valid;
    pins::put(top.m_axi_rresp_i, 0, 2, in.beat_response);
    top.m_axi_rlast_i = in.beat_last;
    for (unsigned i = 0; i < 4; ++i)
      pins::put(top.m_axi_rdata_i, 32 * i, 32, static_cast<std::int64_t>(in.beat.data[i / 2] >> (32 * (i % 2))));
    top.eval();
    const BusOutputs out{
        top.s_axi_awready_o != 0, top.s_axi_wready_o != 0,  top.s_axi_bvalid_o != 0,
        top.s_axi_bresp_o,        top.s_axi_arready_o != 0, top.s_axi_rvalid_o != 0,
        top.s_axi_rdata_o,        top.s_axi_rresp_o,        top.m_axi_arvalid_o != 0,
        top.m_axi_araddr_o,       top.m_axi_arlen_o + 1U,   top.m_axi_arsize_o == 4 && top.m_axi_arburst_o == 1,
        top.m_axi_rready_o != 0};
    top.clk_i = 1;
    top.eval();
    return out;
  }
  [[nodiscard]] VerilatedContext& context() { return context_; }

 private:
  VerilatedContext context_;
  std::unique_ptr<Top> top_;
};

}  // namespace snug::hardware
