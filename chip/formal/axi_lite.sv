// Properties of the registers on AXI4-Lite, for any host that keeps what it offers and any core.
//
//   1. An answer stays, as it is, until it is taken; every access that is taken has one, and nothing else has.
//   2. Address and data of a write are taken together.
//   3. An access of what is not there, or not whole, is answered by SLVERR, all others by OKAY (docs/chip-system.md, section 9).
//   4. A register, chosen freely, has the value that was last written to it whole, for the core and for who reads it; nothing else
//      changes it. Starts, resets and axes go to the core when they are written, and not otherwise.
//   5. A hit is taken from the core when there is room for it, is read as it came, and stays until its second half is read.
module axi_lite #(
  parameter int unsigned Width = 0
) (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         s_axi_awvalid_i,
  input logic [12:0]  s_axi_awaddr_i,
  input logic         s_axi_wvalid_i,
  input logic [31:0]  s_axi_wdata_i,
  input logic [3:0]   s_axi_wstrb_i,
  input logic         s_axi_bready_i,
  input logic         s_axi_arvalid_i,
  input logic [12:0]  s_axi_araddr_i,
  input logic         s_axi_rready_i,
  input logic         busy_i,
  input logic         done_i,
  input logic         overflow_i,
  input logic         error_i,
  input logic [63:0]  clocks_i,
  input logic [351:0] counts_i,
  input logic         hit_valid_i,
  input logic [31:0]  hit_a_i,
  input logic [31:0]  hit_b_i
);

  logic               s_axi_awready_o, s_axi_wready_o, s_axi_bvalid_o, s_axi_arready_o, s_axi_rvalid_o;
  logic [1:0]         s_axi_bresp_o, s_axi_rresp_o;
  logic [31:0]        s_axi_rdata_o, nodes_a_o, nodes_b_o, triangles_a_o, triangles_b_o, axis_data_o;
  logic               start_o, reset_o, go_on_o, keep_all_o, axis_write_o, hit_ready_o;
  logic [7:0]         axes_o, most_axes_o;
  logic [9*Width-1:0] rotation_o;
  logic [3*Width+5:0] translation_o;
  logic [5:0]         slack_o;
  logic [9:0]         axis_at_o;
  logic [31:0]        shown_hit_a_q, shown_hit_b_q;
  axi_registers #(.Width(Width)) u_registers (.*);

  logic begun_q = 1'b0;
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  always_comb if (!begun_q) assume (!rst_ni);

  // The host keeps what it offers.
  logic        write_waits_q = 1'b0, data_waits_q = 1'b0, read_waits_q = 1'b0;
  logic [12:0] write_at_q, read_at_q;
  logic [35:0] write_data_q;
  always_ff @(posedge clk_i) begin
    write_waits_q <= rst_ni && s_axi_awvalid_i && !s_axi_awready_o;
    data_waits_q  <= rst_ni && s_axi_wvalid_i && !s_axi_wready_o;
    read_waits_q  <= rst_ni && s_axi_arvalid_i && !s_axi_arready_o;
    write_at_q    <= s_axi_awaddr_i;
    read_at_q     <= s_axi_araddr_i;
    write_data_q  <= {s_axi_wstrb_i, s_axi_wdata_i};
  end
  always_comb begin
    if (write_waits_q) assume (s_axi_awvalid_i && s_axi_awaddr_i == write_at_q);
    if (data_waits_q) assume (s_axi_wvalid_i && {s_axi_wstrb_i, s_axi_wdata_i} == write_data_q);
    if (read_waits_q) assume (s_axi_arvalid_i && s_axi_araddr_i == read_at_q);
  end

  // What the page says of addresses, in bytes.
  logic        written, whole, read_ok, taken, asked;
  logic [12:0] write_at, read_at;
  assign write_at = {s_axi_awaddr_i[12:2], 2'b00};
  assign read_at  = {s_axi_araddr_i[12:2], 2'b00};
  assign whole    = &s_axi_wstrb_i;
  assign written  = write_at == 13'h000 || (write_at >= 13'h008 && write_at <= 13'h01C) ||
                    (write_at >= 13'h080 && write_at <= 13'h0DF) || write_at >= 13'h1000;
  assign read_ok  = read_at <= 13'h058;
  assign taken    = s_axi_awvalid_i && s_axi_awready_o;
  assign asked    = s_axi_arvalid_i && s_axi_arready_o;

  // Answers that are due.
  logic        answer_due_q = 1'b0, data_due_q = 1'b0;
  logic [1:0]  answer_q, response_q;
  always_ff @(posedge clk_i) begin
    answer_due_q <= rst_ni && (taken || (answer_due_q && !s_axi_bready_i));
    data_due_q   <= rst_ni && (asked || (data_due_q && !s_axi_rready_i));
    if (taken) answer_q <= whole && written ? 2'b00 : 2'b10;
    if (asked) response_q <= read_ok ? 2'b00 : 2'b10;
  end

  // One register of those that are kept here, and its bits that matter.
  localparam logic [31:0] Upper = (32'd1 << (Width - 32)) - 32'd1;
  (* anyconst *) logic [12:0] chosen;
  logic [31:0] value_q, bits, shown;
  always_comb begin
    assume (chosen[1:0] == 2'b00 && ((chosen >= 13'h008 && chosen <= 13'h01C) || (chosen >= 13'h080 && chosen <= 13'h0DC)));
    bits  = '1;
    shown = '0;
    if (chosen == 13'h008) begin
      bits  = 32'h0001_FFFF;
      shown = {15'd0, go_on_o, most_axes_o, axes_o};
    end else if (chosen == 13'h00C) begin
      bits  = 32'h0000_013F;
      shown = {23'd0, keep_all_o, 2'd0, slack_o};
    end else if (chosen == 13'h010) shown = nodes_a_o;
    else if (chosen == 13'h014) shown = nodes_b_o;
    else if (chosen == 13'h018) shown = triangles_a_o;
    else if (chosen == 13'h01C) shown = triangles_b_o;
    for (int i = 0; i < 9; i++) begin
      if (chosen == 13'h080 + 8*i) shown = rotation_o[i*Width +: 32];
      if (chosen == 13'h084 + 8*i) {bits, shown} = {Upper, {(64-Width){1'b0}}, rotation_o[i*Width+32 +: Width-32]};
    end
    for (int i = 0; i < 3; i++) begin
      if (chosen == 13'h0C8 + 8*i) shown = translation_o[i*(Width+2) +: 32];
      if (chosen == 13'h0CC + 8*i) {bits, shown} = {Upper << 2 | 32'd3, {(62-Width){1'b0}}, translation_o[i*(Width+2)+32 +: Width-30]};
    end
  end
  logic known_q = 1'b0;        // written at least once
  always_ff @(posedge clk_i) begin
    if (taken && whole && write_at == chosen) begin
      known_q <= 1'b1;
      value_q <= s_axi_wdata_i;
    end
  end

  // What a read that is answered now was answered with: of the chosen register, of the hit, of the state.
  logic        hit_q = 1'b0;
  logic [63:0] hit_pair_q;
  logic        expected_q = 1'b0;
  logic [31:0] expected_data_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || reset_o) hit_q <= 1'b0;
    else if (hit_valid_i && hit_ready_o) hit_q <= 1'b1;
    else if (asked && read_at == 13'h024) hit_q <= 1'b0;
    if (hit_valid_i && hit_ready_o) hit_pair_q <= {hit_b_i, hit_a_i};
    if (asked) begin
      expected_q <= 1'b1;
      if (read_at == 13'h004) expected_data_q <= {27'd0, hit_q, error_i, overflow_i, done_i, busy_i};
      else if (read_at == 13'h020 && hit_q) expected_data_q <= hit_pair_q[31:0];
      else if (read_at == 13'h024 && hit_q) expected_data_q <= hit_pair_q[63:32];
      else if (read_at == 13'h028) expected_data_q <= clocks_i[31:0];
      else if (read_at == 13'h02C) expected_data_q <= clocks_i[63:32];
      else if (read_at == chosen && known_q && read_at < 13'h080) expected_data_q <= value_q & bits;
      else expected_q <= 1'b0;
      for (int i = 0; i < 11; i++) begin
        if (read_at == 13'h030 + 4*i) {expected_q, expected_data_q} <= {1'b1, counts_i[i*32 +: 32]};
      end
    end
  end

  always_comb begin
    if (begun_q && rst_ni) begin
      assert (s_axi_bvalid_o == answer_due_q);
      assert (s_axi_rvalid_o == data_due_q);
      if (answer_due_q) assert (s_axi_bresp_o == answer_q);
      if (data_due_q) assert (s_axi_rresp_o == response_q);
      if (data_due_q && expected_q) assert (s_axi_rdata_o == expected_data_q);
      if (s_axi_awready_o) assert (s_axi_awvalid_i && s_axi_wvalid_i);
      assert (s_axi_awready_o == s_axi_wready_o);
      if (answer_due_q && !s_axi_bready_i) assert (!s_axi_awready_o);
      if (data_due_q && !s_axi_rready_i) assert (!s_axi_arready_o);
      if (!answer_due_q && s_axi_awvalid_i && s_axi_wvalid_i) assert (s_axi_awready_o);
      if (!data_due_q) assert (s_axi_arready_o);

      assert (start_o == (taken && whole && write_at == 13'h000 && s_axi_wdata_i[0]));
      assert (reset_o == (taken && whole && write_at == 13'h000 && s_axi_wdata_i[1]));
      assert (axis_write_o == (taken && whole && write_at >= 13'h1000));
      if (axis_write_o) assert (axis_at_o == write_at[11:2] && axis_data_o == s_axi_wdata_i);
      if (known_q) assert (shown == (value_q & bits));
      assert (hit_ready_o == !hit_q);
    end
  end

  // What induction needs: the same in a reset, and the hit where it waits.
  always_comb begin
    if (begun_q && hit_q) assert (hit_pair_q == {shown_hit_b_q, shown_hit_a_q});
    if (begun_q && data_due_q && expected_q) assert (s_axi_rdata_o == expected_data_q);
    if (begun_q && known_q) assert (shown == (value_q & bits));
  end

  // That the properties speak of something.
  (* keep *) logic reached;
  assign reached = begun_q && rst_ni && hit_q && hit_valid_i && data_due_q && answer_due_q && answer_q == 2'b10 && known_q;

endmodule
