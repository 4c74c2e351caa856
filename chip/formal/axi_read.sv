// Properties of the AXI4 read master between any core that keeps its requests up, with at most two of them under way, and any memory
// that answers what it was asked, in order. The core may be reset (flush_i) in any clock.
//
//   1. A request stays up, as it is, until the bus takes it, whatever happens to the core.
//   2. The bus takes a request when the core sees it taken, and of those of before a reset only the one that was up.
//   3. The core gets every beat of what it asked for since its last reset, in the clock it comes, and none of what was asked before.
//   4. A beat is wrong if and only if its response is not OKAY.
//   5. Bursts are INCR, of 16 bytes, four beats for each 64 bytes.
//   6. Requests go through again in the second clock after all that a reset left behind is over.
module axi_read (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         flush_i,
  input logic         req_valid_i,
  input logic [31:0]  req_address_i,
  input logic [1:0]   req_bursts_i,
  input logic         m_axi_arready_i,
  input logic         m_axi_rvalid_i,
  input logic [127:0] m_axi_rdata_i,
  input logic [1:0]   m_axi_rresp_i,
  input logic         m_axi_rlast_i
);

  logic         req_ready_o, beat_valid_o, beat_error_o, m_axi_arvalid_o, m_axi_rready_o;
  logic [127:0] beat_data_o;
  logic [39:0]  m_axi_araddr_o;
  logic [7:0]   m_axi_arlen_o;
  logic [2:0]   m_axi_arsize_o;
  logic [1:0]   m_axi_arburst_o;
  logic [1:0]   shown_outstanding_q;
  logic         shown_held_q, shown_flushing_q;
  axi_read_master u_master (.*);

  logic begun_q = 1'b0;
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  always_comb if (!begun_q) assume (!rst_ni);

  // The core: a request stays until it is accepted or the core is reset; no third one while two are under way.
  logic        core_waits_q = 1'b0;
  logic [33:0] core_request_q;
  logic [1:0]  core_under_way_q = 2'd0;
  logic        core_takes, core_done;
  assign core_takes = req_valid_i && req_ready_o;
  always_ff @(posedge clk_i) begin
    core_waits_q   <= rst_ni && !flush_i && req_valid_i && !req_ready_o;
    core_request_q <= {req_bursts_i, req_address_i};
    if (!rst_ni || flush_i) core_under_way_q <= 2'd0;
    else core_under_way_q <= core_under_way_q + {1'b0, core_takes} - {1'b0, core_done};
  end
  always_comb begin
    if (core_waits_q) assume (req_valid_i && core_request_q == {req_bursts_i, req_address_i});
    if (req_valid_i) assume (req_bursts_i != 2'd0 && core_under_way_q != 2'd2);
  end

  // The bus, by itself: what is under way, oldest first, with its beats still to come and whether it is of before a reset.
  logic [1:0] count_q = 2'd0;
  logic [3:0] beats0_q, beats1_q;
  logic       stale0_q, stale1_q;
  logic       taken, beat, last;
  assign taken = m_axi_arvalid_o && m_axi_arready_i;
  assign beat  = m_axi_rvalid_i && m_axi_rready_o;
  assign last  = beat && beats0_q == 4'd1;
  assign core_done = last && !stale0_q;
  always_comb begin
    if (count_q == 2'd0) assume (!m_axi_rvalid_i);
    if (m_axi_rvalid_i) assume (m_axi_rlast_i == (beats0_q == 4'd1));
  end

  // One that is up is of before a reset if a reset came since it went up.
  logic up_q = 1'b0, up_stale_q, stale_now;
  logic [50:0] up_request_q;
  assign stale_now = up_q && up_stale_q;
  always_ff @(posedge clk_i) begin
    up_q         <= rst_ni && m_axi_arvalid_o && !m_axi_arready_i;
    up_stale_q   <= stale_now || flush_i;
    up_request_q <= {m_axi_araddr_o, m_axi_arlen_o, m_axi_arsize_o};
    if (!rst_ni) begin
      count_q <= 2'd0;
    end else begin
      count_q <= count_q + {1'b0, taken} - {1'b0, last};
      if (last) begin
        beats0_q <= beats1_q;
        stale0_q <= stale1_q || flush_i;
      end else begin
        if (beat) beats0_q <= beats0_q - 4'd1;
        stale0_q <= stale0_q || flush_i;
      end
      stale1_q <= stale1_q || flush_i;
      if (taken && count_q - {1'b0, last} == 2'd0) begin
        beats0_q <= m_axi_arlen_o[3:0] + 4'd1;
        stale0_q <= stale_now || flush_i;
      end
      if (taken && count_q - {1'b0, last} == 2'd1) begin
        beats1_q <= m_axi_arlen_o[3:0] + 4'd1;
        stale1_q <= stale_now || flush_i;
      end
    end
  end

  logic over_q = 1'b0;   // nothing is left of before a reset, and there was none in the clock before
  always_ff @(posedge clk_i) over_q <= rst_ni && !flush_i && !(m_axi_arvalid_o && stale_now) && (count_q == 2'd0 || !stale0_q) &&
                                       (count_q != 2'd2 || !stale1_q);

  always_comb begin
    if (begun_q && rst_ni) begin
      assert (m_axi_rready_o);
      if (up_q) assert (m_axi_arvalid_o && up_request_q == {m_axi_araddr_o, m_axi_arlen_o, m_axi_arsize_o});
      if (m_axi_arvalid_o) begin
        assert (m_axi_arburst_o == 2'b01 && m_axi_arsize_o == 3'd4 && m_axi_arlen_o[1:0] == 2'b11 && m_axi_arlen_o[7:4] == 4'd0);
        assert (m_axi_araddr_o[39:38] == 2'b00 && m_axi_araddr_o[5:0] == 6'd0);
        if (!stale_now) assert (req_valid_i && m_axi_araddr_o[37:6] == req_address_i && m_axi_arlen_o[3:2] == req_bursts_i - 2'd1);
      end
      assert (core_takes == (taken && !stale_now));
      assert (beat_valid_o == (beat && !stale0_q));
      if (beat_valid_o) assert (beat_data_o == m_axi_rdata_i && beat_error_o == (m_axi_rresp_i != 2'b00));
      assert (count_q != 2'd3 && !(taken && count_q == 2'd2));
      if (over_q && req_valid_i) assert (m_axi_arvalid_o);
    end
  end

  // What induction needs: the master's own registers mean what this module counts.
  always_comb begin
    if (begun_q) begin
      assert (shown_outstanding_q == count_q);
      assert (shown_held_q == (up_q && up_stale_q));
      if (shown_held_q) assert (shown_flushing_q);
      if (count_q != 2'd0) assert (beats0_q != 4'd0 && beats0_q <= 4'd12 && (shown_flushing_q || !stale0_q));
      if (count_q == 2'd2) assert (beats1_q != 4'd0 && beats1_q <= 4'd12 && stale0_q >= stale1_q);
      if (shown_flushing_q && count_q != 2'd0) assert (stale0_q && (count_q != 2'd2 || stale1_q));
      assert (core_under_way_q == (shown_flushing_q || count_q == 2'd0 ? 2'd0 : count_q));
      if (up_q) assert (count_q != 2'd2 && up_request_q[6:5] != 2'b11);
    end
  end

  // That the properties speak of something.
  (* keep *) logic reached;
  assign reached = begun_q && rst_ni && shown_held_q && count_q == 2'd1 && beats0_q == 4'd3 && req_valid_i;

endmodule
