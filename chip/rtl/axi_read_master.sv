// Memory requests of the core as AXI4 reads: one INCR burst of 4 beats of 128 bits for each burst of 64 bytes. Requests and beats go
// straight through, so that a clock of the core is a clock of the bus.
//
// The bus does not know that the core was reset: what it was asked for still comes, and a request that is up has to stay up. After
// flush_i, requests wait until all of that is over.
module axi_read_master (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         flush_i,

  input  logic         req_valid_i,
  input  logic [31:0]  req_address_i,
  input  logic [1:0]   req_bursts_i,
  output logic         req_ready_o,
  output logic         beat_valid_o,
  output logic [127:0] beat_data_o,
  output logic         beat_error_o,

  output logic         m_axi_arvalid_o,
  input  logic         m_axi_arready_i,
  output logic [39:0]  m_axi_araddr_o,
  output logic [7:0]   m_axi_arlen_o,
  output logic [2:0]   m_axi_arsize_o,
  output logic [1:0]   m_axi_arburst_o,
  input  logic         m_axi_rvalid_i,
  output logic         m_axi_rready_o,
  input  logic [127:0] m_axi_rdata_i,
  input  logic [1:0]   m_axi_rresp_i,
  input  logic         m_axi_rlast_i
);

  logic        flushing_q, held_q;       // held: a request of before the flush is still up
  logic [31:0] held_address_q;
  logic [1:0]  held_bursts_q, bursts;
  logic [1:0]  outstanding_q, outstanding_d;

  assign m_axi_arvalid_o = held_q || (req_valid_i && !flushing_q);
  assign m_axi_araddr_o  = {2'b00, held_q ? held_address_q : req_address_i, 6'b000000};
  assign bursts          = held_q ? held_bursts_q : req_bursts_i;
  assign m_axi_arlen_o   = {4'b0000, bursts - 2'd1, 2'b11};
  assign m_axi_arsize_o  = 3'd4;
  assign m_axi_arburst_o = 2'b01;
  assign m_axi_rready_o  = 1'b1;
  assign req_ready_o     = m_axi_arready_i && !flushing_q;
  assign beat_valid_o    = m_axi_rvalid_i && !flushing_q;
  assign beat_data_o     = m_axi_rdata_i;
  assign beat_error_o    = m_axi_rresp_i != 2'b00;

  assign outstanding_d = outstanding_q + {1'b0, m_axi_arvalid_o && m_axi_arready_i} - {1'b0, m_axi_rvalid_i && m_axi_rlast_i};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flushing_q    <= 1'b0;
      held_q        <= 1'b0;
      outstanding_q <= '0;
    end else begin
      outstanding_q <= outstanding_d;
      if (flush_i) flushing_q <= 1'b1;
      else if (!held_q && outstanding_q == '0) flushing_q <= 1'b0;
      if (m_axi_arready_i) held_q <= 1'b0;
      else if (flush_i && m_axi_arvalid_o) held_q <= 1'b1;
    end
    if (!held_q) begin
      held_address_q <= req_address_i;
      held_bursts_q  <= req_bursts_i;
    end
  end

endmodule
