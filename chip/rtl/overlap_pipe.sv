// One axis test of two DOPs per clock (Raabe et al. 2006, Eq. 22, as corrected in docs/papers/raabe.md):
//
//   select | multiply (1 or 3) | add | add | add | correct by sn | compare with 0
//
// Ready and valid at both ends. The pipe moves as a whole: while its last stage holds a result that nobody takes, nothing
// moves, and nothing is accepted. A test that is accepted leaves after Stages moves, in order. A reset, which
// is synchronous, empties the pipe; what is offered meanwhile is lost.
module overlap_pipe #(
  parameter int unsigned Width = 0,
  parameter int unsigned K = 0,
  parameter int unsigned MultiplierStages = 0
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               valid_i,
  output logic               ready_o,
  input  logic [K*Width-1:0] dop_a_i,      // coefficient j at j*Width
  input  logic [K*Width-1:0] dop_b_i,
  input  logic [3*5-1:0]     slabs_a_i,    // three times side and slab, the side on top
  input  logic [3*5-1:0]     slabs_b_i,
  input  logic [3*Width-1:0] weights_a_i,  // P'
  input  logic [3*Width-1:0] weights_b_i,
  input  logic [Width+1:0]   offset_i,     // p'
  input  logic [31:0]        node_a_i,
  input  logic [31:0]        node_b_i,
  input  logic               last_i,       // the last axis of this pair of nodes

  output logic               valid_o,
  input  logic               ready_i,
  output logic               separated_o,
  output logic [31:0]        node_a_o,
  output logic [31:0]        node_b_o,
  output logic               last_o
);

  localparam int unsigned Stages = 6 + MultiplierStages;

  logic              move;
  logic [Stages-1:0] valid /*verilator public_flat_rd*/;
  assign valid_o = valid[Stages-1];
  assign move    = ready_i || !valid_o;
  assign ready_o = move;

  pipe_data #(.Stages(Stages)) u_pipe_data (
    .clk_i, .rst_ni, .en_i(move), .valid_i, .node_a_i, .node_b_i, .last_i,
    .valid_o(valid), .node_a_o, .node_b_o, .last_o
  );

  // Selection. Of six slabs, three of each body, both coefficients: first those of S_1, then those of S_2.
  logic [6*Width-1:0] first_d, second_d, first_q, second_q, weights_q;
  for (genvar i = 0; i < 3; i++) begin : gen_select
    slab_select #(.Width(Width), .K(K)) u_of_a (
      .dop_i(dop_a_i), .slab_i(slabs_a_i[5*i +: 4]), .side_i(slabs_a_i[5*i+4]),
      .near_o(first_d[i*Width +: Width]), .opposite_o(second_d[i*Width +: Width])
    );
    slab_select #(.Width(Width), .K(K)) u_of_b (
      .dop_i(dop_b_i), .slab_i(slabs_b_i[5*i +: 4]), .side_i(slabs_b_i[5*i+4]),
      .near_o(second_d[(3+i)*Width +: Width]), .opposite_o(first_d[(3+i)*Width +: Width])
    );
  end
  always_ff @(posedge clk_i) begin
    if (move) begin
      first_q   <= first_d;
      second_q  <= second_d;
      weights_q <= {weights_b_i, weights_a_i};
    end
  end

  // The offset skips multipliers and the first level of adders.
  logic [Width+1:0] offset;
  delay_line #(.Width(Width + 2), .Depth(MultiplierStages + 2)) u_offset (
    .clk_i, .en_i(move), .data_i(offset_i), .data_o(offset)
  );

  // Products, and beside them the sums of what is negative.
  logic [6*2*Width-1:0] first_products, second_products;
  for (genvar i = 0; i < 6; i++) begin : gen_multiply
    signed_multiplier #(.Width(Width), .Stages(MultiplierStages)) u_first (
      .clk_i, .en_i(move), .x_i(weights_q[i*Width +: Width]), .y_i(first_q[i*Width +: Width]),
      .product_o(first_products[i*2*Width +: 2*Width])
    );
    signed_multiplier #(.Width(Width), .Stages(MultiplierStages)) u_second (
      .clk_i, .en_i(move), .x_i(weights_q[i*Width +: Width]), .y_i(second_q[i*Width +: Width]),
      .product_o(second_products[i*2*Width +: 2*Width])
    );
  end

  logic [Width+2:0] first_negative, second_negative;
  negative_sum #(.Width(Width), .Latency(MultiplierStages + 3)) u_first_negative (
    .clk_i, .en_i(move), .coefficients_i(first_q), .sum_o(first_negative)
  );
  negative_sum #(.Width(Width), .Latency(MultiplierStages + 3)) u_second_negative (
    .clk_i, .en_i(move), .coefficients_i(second_q), .sum_o(second_negative)
  );

  // The second sum takes the offset with its sign changed and rounded the other way: ~p' = -(p' + 1).
  logic signed [2*Width+2:0] first_sum, second_sum;
  product_sum #(.Width(Width)) u_first_sum (
    .clk_i, .en_i(move), .products_i(first_products), .offset_i(offset), .sum_o(first_sum)
  );
  product_sum #(.Width(Width)) u_second_sum (
    .clk_i, .en_i(move), .products_i(second_products), .offset_i(~offset), .sum_o(second_sum)
  );

  // S_1 and S_2. DOPs that touch have a sum of 0 and are not separated, so the sign bit alone does not decide.
  logic signed [2*Width+2:0] s1_q /*verilator public_flat_rd*/;
  logic signed [2*Width+2:0] s2_q /*verilator public_flat_rd*/;
  logic separated_q;
  always_ff @(posedge clk_i) begin
    if (move) begin
      s1_q        <= first_sum + {{Width{first_negative[Width+2]}}, first_negative};
      s2_q        <= second_sum + {{Width{second_negative[Width+2]}}, second_negative};
      separated_q <= s1_q > 0 || s2_q > 0;
    end
  end
  assign separated_o = separated_q;

`ifndef SYNTHESIS
  for (genvar i = 0; i < 3; i++) begin : gen_check
    always_ff @(posedge clk_i) begin
      if (rst_ni && valid_i) begin
        assert (32'(slabs_a_i[5*i +: 4]) < K / 2);
        assert (32'(slabs_b_i[5*i +: 4]) < K / 2);
      end
    end
  end

  // A result stays as it is until it is taken.
  logic        waiting_q;
  logic [65:0] waiting_result_q;
  always_ff @(posedge clk_i) begin
    waiting_q        <= rst_ni && valid_o && !ready_i;
    waiting_result_q <= {separated_o, last_o, node_b_o, node_a_o};
    if (rst_ni && waiting_q) begin
      assert (valid_o);
      assert (waiting_result_q == {separated_o, last_o, node_b_o, node_a_o});
    end
  end
`endif

endmodule
