// Properties of the stack: for any pushes and pops as the chip makes them, a pop in the second clock of two in which nothing else
// happens and never with a push. One entry, chosen freely, at a place chosen freely, is followed.
//
//   1. It yields all its pairs, each once, in the order (a0,b0), (a0,b1), (a1,b0), (a1,b1), and is used up by the last.
//   2. Nothing above or below it is taken for it, and it is not lost: entries in use are as many as were pushed and not used up.
//   3. Empty and full are told in the clock in which they are so.
//   4. A start leaves the pair of roots alone.
module stack #(
  parameter int unsigned Depth = 0
) (
  input logic         clk_i,
  input logic         rst_ni,
  input logic         start_i,
  input logic         push_i,
  input logic [130:0] entry_i,
  input logic         pop_i
);

  localparam int unsigned Bits = $clog2(Depth);

  logic         empty_o, full_o, triangles_o;
  logic [31:0]  waiting_o, a_o, b_o;
  logic            shown_more;
  logic [132:0]    shown_top, shown_word_q;
  logic [8:0]      shown_place;
  work_stack #(.Depth(Depth)) u_stack (.*);

  logic begun_q = 1'b0;
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  always_comb if (!begun_q) assume (!rst_ni);

  // What the chip keeps to: full and empty are respected, a pop follows a clock in which the stack was left alone and not empty.
  logic may_pop_q = 1'b0;
  always_ff @(posedge clk_i) may_pop_q <= rst_ni && !start_i && !push_i && !pop_i && !empty_o;
  always_comb begin
    if (push_i) assume (!full_o && !pop_i && !start_i);
    if (pop_i) assume (may_pop_q && !start_i);
    if (start_i) assume (!push_i);
  end

  // The entry that is followed: where it is, what it says, and how many of its pairs are out.
  (* anyseq *) logic follow;
  logic              following_q = 1'b0;
  logic [Bits:0]     count_q = '0;            // entries in use, counted here
  logic [130:0]      entry_q;
  logic [1:0]        out_q;                   // pairs that are out
  logic              on_top, two_a, two_b, triangles, last_pair;
  logic [31:0]       a0, a1, b0, b1, expected_a, expected_b;
  assign {two_b, two_a, triangles, b1, b0, a1, a0} = entry_q;
  assign on_top     = following_q && count_q == shown_place + 1'b1;
  assign last_pair  = out_q == {two_a && two_b, two_a || two_b};
  assign expected_a = two_a && (two_b ? out_q[1] : out_q[0]) ? a1 : a0;
  assign expected_b = two_b && out_q[0] ? b1 : b0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q     <= '0;
      following_q <= 1'b0;
    end else if (start_i) begin
      count_q     <= {{Bits{1'b0}}, 1'b1};
      following_q <= follow && shown_place == '0;
      entry_q     <= '0;
      out_q       <= '0;
    end else if (push_i) begin
      count_q <= count_q + 1'b1;
      if (follow && count_q == shown_place) begin
        following_q <= 1'b1;
        entry_q     <= entry_i;
        out_q       <= '0;
      end
    end else if (pop_i) begin
      if (!shown_more) count_q <= count_q - 1'b1;
      if (on_top) begin
        out_q <= out_q + 2'd1;
        if (last_pair) following_q <= 1'b0;
      end
    end
  end

  always_comb begin
    if (begun_q && rst_ni) begin
      assert (waiting_o == {{(31-Bits){1'b0}}, count_q});
      assert (empty_o == (count_q == '0));
      assert (full_o == (count_q == Depth));
      if (on_top && pop_i) begin
        assert (a_o == expected_a && b_o == expected_b && triangles_o == triangles);
        assert (shown_more == !last_pair);
      end
    end
  end

  // What induction needs: the followed entry is in memory at its place, and on top once it was read.
  logic [1:0] next_of;       // next_b, next_a after so many pairs
  assign next_of = two_b ? (two_a ? {out_q[0], out_q[1]} : {out_q[0], 1'b0}) : {1'b0, out_q[0]};
  always_comb begin
    if (begun_q) begin
      assert (count_q <= Depth);
      if (following_q) begin
        assert (shown_place < count_q && out_q <= {two_a && two_b, two_a || two_b});
        assert (shown_word_q == {next_of, entry_q});
        if (may_pop_q && on_top) assert (shown_top == {next_of, entry_q});
      end
    end
  end

  // That the properties speak of something.
  (* keep *) logic reached;
  assign reached = begun_q && rst_ni && on_top && pop_i && last_pair && two_a && two_b;

endmodule
