// Properties of the pipe's handshake, for any traffic and any data. What the datapath computes is the business of co-simulation.
//
//   1. A result that is not taken stays as it is.
//   2. Nothing is lost, made up or overtaken: a test that is followed through the pipe leaves exactly Stages moves after it was
//      accepted, with its own nodes and flag, and the last stage is valid then and only then.
//   3. The pipe takes a test in every clock unless a result waits.
//   4. A reset empties it.
module handshake #(
  parameter int unsigned Width = 0,
  parameter int unsigned K = 0,
  parameter int unsigned MultiplierStages = 0
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               valid_i,
  input logic               ready_i,
  input logic [K*Width-1:0] dop_a_i,
  input logic [K*Width-1:0] dop_b_i,
  input logic [14:0]        slabs_a_i,
  input logic [14:0]        slabs_b_i,
  input logic [3*Width-1:0] weights_a_i,
  input logic [3*Width-1:0] weights_b_i,
  input logic [Width+1:0]   offset_i,
  input logic [31:0]        node_a_i,
  input logic [31:0]        node_b_i,
  input logic               last_i
);

  localparam int unsigned Stages = 6 + MultiplierStages;

  logic        ready_o, valid_o, separated_o, last_o;
  logic [31:0] node_a_o, node_b_o;
  logic [Stages-1:0]    shown_valid_q;
  logic [65*Stages-1:0] shown_held_q;
  overlap_pipe #(.Width(Width), .K(K), .MultiplierStages(MultiplierStages)) u_pipe (.*);

  // Reset at the beginning, whenever it likes later on.
  logic begun_q = 1'b0;
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  always_comb if (!begun_q) assume (!rst_ni);

  // The age of every test inside, counted here by itself: bit i is set if one has made i + 1 moves.
  logic [Stages-1:0] ages_q = '0;
  logic              move;
  assign move = ready_i || !valid_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ages_q <= '0;
    else if (move) ages_q <= {ages_q[Stages-2:0], valid_i};
  end

  // One test, chosen freely, is followed.
  (* anyseq *) logic follow;
  logic              following_q = 1'b0;
  logic [3:0]        moves_q;
  logic [64:0]       followed_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      following_q <= 1'b0;
    end else if (!following_q) begin
      if (follow && valid_i && ready_o) begin
        following_q <= 1'b1;
        moves_q     <= 4'd1;
        followed_q  <= {last_i, node_b_i, node_a_i};
      end
    end else if (move) begin
      moves_q <= moves_q + 4'd1;
      if (moves_q == Stages) following_q <= 1'b0;
    end
  end

  logic        stalled_q = 1'b0;
  logic [65:0] result_q;
  logic        was_reset_q = 1'b0;
  always_ff @(posedge clk_i) begin
    stalled_q   <= rst_ni && valid_o && !ready_i;
    result_q    <= {separated_o, last_o, node_b_o, node_a_o};
    was_reset_q <= !rst_ni;
  end

  always_comb begin
    if (begun_q) begin
      if (stalled_q) assert (valid_o && result_q == {separated_o, last_o, node_b_o, node_a_o});
      assert (valid_o == ages_q[Stages-1]);
      if (following_q && moves_q == Stages) assert (valid_o && followed_q == {last_o, node_b_o, node_a_o});
      assert (ready_o == !(valid_o && !ready_i));
      if (was_reset_q) assert (!valid_o && ages_q == '0);
    end
  end

  // What induction needs: where the followed test is.
  logic in_place;
  always_comb begin
    in_place = 1'b0;
    for (int i = 0; i < Stages; i++) begin
      if (moves_q == i + 1) in_place = ages_q[i] && shown_held_q[65*i +: 65] == followed_q;
    end
    if (begun_q) begin
      assert (shown_valid_q == ages_q);
      if (following_q) assert (in_place);
    end
  end

  // That the properties speak of something.
  (* keep *) logic reached;
  assign reached = following_q && moves_q == Stages && stalled_q;

endmodule
