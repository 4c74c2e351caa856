// Properties of the counters, for any inputs, however long the chip has been counting: no simulation lasts until 32 bits are full.
//
//   1. In a clock each goes up by what its input says, in all its bits: clocks in 64, all others in 32.
//   2. A start clears them, and the most entries that ever waited become the one that a start puts on the stack.
module counting (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         clear_i,
  input logic         clock_i,
  input logic [3:0]   tests_i,
  input logic [1:0]   bursts_i,
  input logic         hit_i,
  input logic [3:0]   waits_i,
  input logic         push_i,
  input logic [31:0]  waiting_i
);

  logic [63:0]  clocks_o;
  logic [351:0] counts_o;
  counters u_counters (.*);

  logic begun_q = 1'b0;
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  always_comb if (!begun_q) assume (!rst_ni);

  // One of the others, chosen freely.
  (* anyconst *) logic [3:0] which;
  always_comb assume (which <= 4'd10);
  logic [31:0] count;
  assign count = counts_o[which*32 +: 32];

  logic [31:0] more;
  always_comb begin
    case (which)
      4'd0, 4'd1, 4'd2, 4'd3: more = {31'd0, tests_i[which[1:0]]};
      4'd4:                   more = {30'd0, bursts_i};
      4'd5:                   more = {31'd0, hit_i};
      4'd10:                  more = push_i && waiting_i >= count ? waiting_i + 32'd1 - count : '0;
      default:                more = {31'd0, waits_i[which - 4'd6]};
    endcase
  end

  logic [63:0] clocks_q;
  logic [31:0] count_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clocks_q <= '0;
      count_q  <= '0;
    end else if (clear_i) begin
      clocks_q <= '0;
      count_q  <= {31'd0, which == 4'd10};
    end else begin
      clocks_q <= clocks_q + {63'd0, clock_i};
      count_q  <= count_q + more;
    end
  end

  (* keep *) logic reached;
  assign reached = begun_q && clocks_o >= 64'd3 && count >= 32'd3;
  always_comb if (begun_q) begin
    assert (clocks_o == clocks_q);
    assert (count == count_q);
  end

endmodule
