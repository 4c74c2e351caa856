// Judges the values of a pair of triangles as they come from the multipliers, one a clock at most: those that are certain, being
// beyond the error, and what follows from them (docs/triangle-unit.md, section 3). What comes, in the order it has to come in:
//
//   heights of a's corners, three times      height_i
//   the volume                               volume_i
//   for the edges 0, 2 and 1 of a:           edge_i in a clock of its own at least one before, then minus U, V, and nothing
//                                            (minus_u_i, v_i, rest_i): what is left to 1 is made here
//   nothing, twice                           plane_i: heights of b's other corners are made here
//
// Between two edges there are two clocks with turn_i. The verdict is there three clocks after the last.
module triangle_verdict #(
  parameter int unsigned Width = 0
) (
  input  logic                clk_i,
  input  logic                start_i,     // forgets the last pair
  input  logic                height_i,
  input  logic                volume_i,
  input  logic                edge_i,
  input  logic                turn_i,
  input  logic                minus_u_i,
  input  logic                v_i,
  input  logic                rest_i,
  input  logic                plane_i,
  input  logic [3*Width+14:0] value_i,
  input  logic [3*Width+14:0] error_i,
  output logic                apart_o
);

  localparam int unsigned Value = 3*Width + 15;

  // Heights above the plane of b, the one at which an edge begins at the bottom, the one at which it ends beside it.
  logic [Value-1:0] begin_q, end_q, third_q;
  logic [Value-1:0] rest_q;     // w_k - w_i - U_i - V_i
  logic [Value-1:0] with_v_q, with_u_q;   // heights of b's corners above the plane of a, but for the sign
  always_ff @(posedge clk_i) begin
    if (height_i || turn_i) begin
      begin_q <= end_q;
      end_q   <= third_q;
      third_q <= height_i ? value_i : begin_q;
    end
    if (edge_i) rest_q <= end_q - begin_q;
    else if (minus_u_i) rest_q <= rest_q + value_i;
    else if (v_i) rest_q <= rest_q - value_i;
    // One takes minus U away and the other V; they change places.
    if (volume_i) begin
      with_u_q <= value_i;
      with_v_q <= value_i;
    end else if (minus_u_i || v_i || plane_i) begin
      with_u_q <= with_v_q;
      with_v_q <= plane_i ? with_u_q : with_u_q - value_i;
    end
  end

  // Which value is judged in the next clock, and as what.
  logic signed [Value-1:0] value_q, error;
  logic                    height_q, corner_q, minus_u_q, v_q, rest_flag_q;
  assign error = error_i;
  always_ff @(posedge clk_i) begin
    value_q     <= rest_i ? rest_q : plane_i ? with_u_q : value_i;
    height_q    <= height_i;
    corner_q    <= volume_i || plane_i;
    minus_u_q   <= minus_u_i;
    v_q         <= v_i;
    rest_flag_q <= rest_i;
  end

  logic positive, negative;
  assign positive = value_q > error;
  assign negative = value_q < -error;

  // Certain signs of heights, in the same places as the heights, and what they say of the edge: whether it can cross the plane of b
  // and then upward, or may lie in it.
  logic [2:0] above_q, below_q;
  logic       turn_q, crosses_q, upward_q;
  logic       unknown_q;
  logic [1:0] corners_one_side_q;   // above, below: of b's corners and the plane of a
  logic [2:0] beyond_q;
  logic       beyond;
  assign beyond = minus_u_q == upward_q ? positive : negative;
  always_ff @(posedge clk_i) begin
    turn_q <= turn_i;
    if (height_q || turn_q) begin
      above_q <= {height_q ? positive : above_q[0], above_q[2:1]};
      below_q <= {height_q ? negative : below_q[0], below_q[2:1]};
    end
    if (edge_i) begin
      crosses_q <= above_q[0] != above_q[1] || below_q[0] != below_q[1];
      upward_q  <= above_q[1] || below_q[0];
    end
    if (start_i) begin
      unknown_q          <= 1'b0;
      corners_one_side_q <= '1;
      beyond_q           <= '1;
    end else begin
      if (edge_i && !above_q[0] && !below_q[0] && !above_q[1] && !below_q[1]) unknown_q <= 1'b1;
      if (corner_q) corners_one_side_q <= corners_one_side_q & {positive, negative};
      if (crosses_q) beyond_q <= beyond_q & ~({rest_flag_q, v_q, minus_u_q} & {3{!beyond}});
    end
  end

  // Where all of a is above b's plane, or below, no edge crosses, and all of what there is lies beyond every side.
  logic apart_q;
  always_ff @(posedge clk_i) apart_q <= corners_one_side_q != '0 || (!unknown_q && beyond_q != '0);
  assign apart_o = apart_q;

endmodule
