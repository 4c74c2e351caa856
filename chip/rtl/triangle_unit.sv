// Can two triangles share a point? The test of docs/triangle-unit.md, bit for bit, sequenced over three multipliers: one pair at a
// time, Steps clocks each, whatever the triangles are like. A pair that is accepted in clock t has its verdict from clock t + Steps + 1 on,
// until it is taken; another is accepted in the clock in which it is, at the earliest. Placement is what the host sent for the bodies; it
// stays as it is while there is a pair inside.
//
//   steps  0 –  8   corners of b are placed, a coordinate each; the results come six steps later and take their place
//          9 – 11   corners of a become p_i = a_i - b_0, those of b, in steps 15 and 16, e_1 and e_2; the box follows a step behind
//         26 – 38   the error: reach squared, times 9 * 2^s, times 2
//         28 – 44   cross products e_1 x e_2, p_0 x p_1, p_2 x p_0, p_1 x p_2, two steps each, every fifth step
//         35 – 51   dot products with them, three for each, seven steps later
//         41 – 62   the values are judged
module triangle_unit #(
  parameter int unsigned Width = 0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 usable_i,       // else every pair is kept
  input  logic [9*Width-1:0]   rotation_i,     // row-major, the first entry at the bottom
  input  logic [3*Width+5:0]   translation_i,
  input  logic [5:0]           slack_i,        // s, less than Width

  input  logic                 valid_i,
  output logic                 ready_o,
  output logic                 empty_o,        // nothing is inside
  input  logic [9*Width-1:0]   corners_a_i,    // coordinate i of corner k at (3 k + i)*Width
  input  logic [9*Width-1:0]   corners_b_i,
  input  logic [31:0]          triangle_a_i,
  input  logic [31:0]          triangle_b_i,

  output logic                 valid_o,
  input  logic                 ready_i,
  output logic                 keep_o,
  output logic [31:0]          triangle_a_o,
  output logic [31:0]          triangle_b_o
);

  localparam int unsigned Difference = Width + 4;
  localparam int unsigned Vector = 3*Difference;
  localparam int unsigned Cross = 2*Width + 9;
  localparam logic [5:0] Steps = 6'd63;

  // Handshake and steps.
  logic       busy_q, valid_q, accept;
  logic [5:0] step_q;
  assign ready_o = !busy_q && (!valid_q || ready_i);
  assign empty_o = !busy_q && !valid_q;
  assign valid_o = valid_q;
  assign accept  = valid_i && ready_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (accept) busy_q <= 1'b1;
      else if (step_q == Steps - 6'd1) busy_q <= 1'b0;
      if (busy_q && step_q == Steps - 6'd1) valid_q <= 1'b1;
      else if (ready_i) valid_q <= 1'b0;
    end
    // Stays beyond the last, where nothing is done.
    step_q <= accept ? '0 : step_q == Steps ? Steps : step_q + 6'd1;
  end

  logic [31:0] triangle_a_q, triangle_b_q;
  always_ff @(posedge clk_i) begin
    if (accept) begin
      triangle_a_q <= triangle_a_i;
      triangle_b_q <= triangle_b_i;
    end
  end
  assign triangle_a_o = triangle_a_q;
  assign triangle_b_o = triangle_b_q;

  // What a step does.
  logic       place, placed, subtract_a, subtract_b, turn_a, square, scale, cross_first, cross_second;
  logic [1:0] corner_q;      // which is placed
  logic [1:0] row_q;         // the coordinate of it
  always_comb begin
    place        = step_q <= 6'd8;
    placed       = step_q >= 6'd6 && step_q <= 6'd14;
    subtract_a   = step_q >= 6'd9 && step_q <= 6'd11;
    subtract_b   = step_q == 6'd15 || step_q == 6'd16;
    square       = step_q == 6'd26;
    scale        = step_q == 6'd32;
    cross_first  = step_q == 6'd28 || step_q == 6'd33 || step_q == 6'd38 || step_q == 6'd43;
    cross_second = step_q == 6'd29 || step_q == 6'd34 || step_q == 6'd39 || step_q == 6'd44;
    // p_0, then p_1 and p_2 for heights; p_2 for the edge from it to p_0 and the volume; p_1 for the last edge.
    turn_a       = step_q == 6'd35 || step_q == 6'd36 || step_q == 6'd40 || step_q == 6'd41;
  end
  always_ff @(posedge clk_i) begin
    row_q <= accept || row_q == 2'd2 ? '0 : row_q + 2'd1;
    if (accept) corner_q <= '0;
    else if (row_q == 2'd2) corner_q <= corner_q + 2'd1;
  end

  logic [3*Width+14:0] dot;
  logic [3*Cross-1:0]  cross_product;

  // A corner of b in the frame of a: half a unit and the translation are added before the bits behind the point are dropped.
  logic [Width+1:0]          translation;
  logic [2*Width+2:0]        moved, added;
  logic [Difference-1:0]     placed_coordinate;
  assign translation = row_q == 2'd0   ? translation_i[0 +: Width+2]
                       : row_q == 2'd1 ? translation_i[Width+2 +: Width+2]
                                     : translation_i[2*(Width+2) +: Width+2];
  assign added             = {{2{translation[Width+1]}}, translation, 1'b1, {(Width-2){1'b0}}};
  assign moved             = dot[2*Width+2:0] + added;
  assign placed_coordinate = moved[2*Width+2:Width-1];

  // Corners of a and b, or what has become of them, and a subtractor between them. Those that were subtracted come out on top.
  logic [Vector-1:0] a0_q, a1_q, a2_q, b0_q, b1_q, b2_q, from, difference;
  assign from = subtract_a ? a0_q : b1_q;
  for (genvar i = 0; i < 3; i++) begin : gen_subtract
    assign difference[i*Difference +: Difference] = from[i*Difference +: Difference] - b0_q[i*Difference +: Difference];
  end
  for (genvar i = 0; i < 3; i++) begin : gen_load
    always_ff @(posedge clk_i) begin
      if (accept) begin
        a0_q[i*Difference +: Difference] <= {{4{corners_a_i[(i+1)*Width-1]}}, corners_a_i[i*Width +: Width]};
        a1_q[i*Difference +: Difference] <= {{4{corners_a_i[(i+4)*Width-1]}}, corners_a_i[(i+3)*Width +: Width]};
        a2_q[i*Difference +: Difference] <= {{4{corners_a_i[(i+7)*Width-1]}}, corners_a_i[(i+6)*Width +: Width]};
      end else if (subtract_a || turn_a) begin
        a0_q[i*Difference +: Difference] <= a1_q[i*Difference +: Difference];
        a1_q[i*Difference +: Difference] <= a2_q[i*Difference +: Difference];
        a2_q[i*Difference +: Difference] <= subtract_a ? difference[i*Difference +: Difference] : a0_q[i*Difference +: Difference];
      end

      if (accept) b0_q[i*Difference +: Difference] <= {{4{corners_b_i[(i+1)*Width-1]}}, corners_b_i[i*Width +: Width]};
      else if (placed && corner_q == 2'd2 && row_q == i) b0_q[i*Difference +: Difference] <= placed_coordinate;
      if (accept) b1_q[i*Difference +: Difference] <= {{4{corners_b_i[(i+4)*Width-1]}}, corners_b_i[(i+3)*Width +: Width]};
      else if (placed && corner_q == 2'd3 && row_q == i) b1_q[i*Difference +: Difference] <= placed_coordinate;
      else if (subtract_b) b1_q[i*Difference +: Difference] <= b2_q[i*Difference +: Difference];
      if (accept) b2_q[i*Difference +: Difference] <= {{4{corners_b_i[(i+7)*Width-1]}}, corners_b_i[(i+6)*Width +: Width]};
      else if (placed && corner_q == 2'd0 && row_q == i) b2_q[i*Difference +: Difference] <= placed_coordinate;
      else if (subtract_b) b2_q[i*Difference +: Difference] <= difference[i*Difference +: Difference];
    end
  end

  // The box looks at what was subtracted in the step before.
  logic              apart;
  logic [Width+3:0]  slack, reach;
  assign slack = {{(Width+3){1'b0}}, 1'b1} << slack_i;
  triangle_box #(.Width(Width)) u_box (
    .clk_i, .first_i(step_q == 6'd10),
    .take_i(step_q == 6'd11 || step_q == 6'd12 || step_q == 6'd16 || step_q == 6'd17),
    .turn_i(step_q == 6'd13), .finish_i(step_q == 6'd17),
    .corner_i(step_q <= 6'd12 ? a2_q : b2_q), .slack_i(slack), .apart_o(apart), .reach_o(reach)
  );

  // Operands.
  logic [Vector-1:0]  x_vector, x_turned, y_vector, y_turned;
  logic [3*Cross-1:0] x;
  logic [Vector-1:0]  y;
  logic               of_b;   // this cross product is that of b's edges
  assign of_b     = step_q <= 6'd29;
  assign x_vector = place ? (corner_q == 2'd0 ? b0_q : corner_q == 2'd1 ? b1_q : b2_q) : of_b ? b1_q : a0_q;
  // p_i of heights and volume, e_2 of minus U, e_1 of V.
  assign y_vector = cross_first || cross_second ? (of_b ? b2_q : a1_q)
                    : step_q == 6'd41 || step_q == 6'd45 || step_q == 6'd50 ? b2_q
                    : step_q == 6'd42 || step_q == 6'd46 || step_q == 6'd51 ? b1_q
                                                                            : a0_q;
  for (genvar i = 0; i < 3; i++) begin : gen_operand
    localparam int unsigned Next = (i + 1) % 3;
    localparam int unsigned AfterNext = (i + 2) % 3;
    logic [Difference-1:0] entry;   // of the rotation
    logic [Width-1:0]      entry_bits;
    assign entry_bits = row_q == 2'd0   ? rotation_i[i*Width +: Width]
                        : row_q == 2'd1 ? rotation_i[(3+i)*Width +: Width]
                                      : rotation_i[(6+i)*Width +: Width];
    assign entry = {{4{entry_bits[Width-1]}}, entry_bits};

    assign x_turned[i*Difference +: Difference] =
        cross_first    ? x_vector[Next*Difference +: Difference]
        : cross_second ? x_vector[AfterNext*Difference +: Difference]
                       : x_vector[i*Difference +: Difference];
    assign y_turned[i*Difference +: Difference] =
        cross_first    ? y_vector[AfterNext*Difference +: Difference]
        : cross_second ? y_vector[Next*Difference +: Difference]
        : place        ? entry
                       : y_vector[i*Difference +: Difference];
    if (i == 0) begin : gen_error
      // The error takes one multiplier.
      assign x[i*Cross +: Cross] =
          scale    ? dot[Cross-1:0]
          : square ? {{(Cross-Difference){1'b0}}, reach}
          : place || cross_first || cross_second
              ? {{(Cross-Difference){x_turned[(i+1)*Difference-1]}}, x_turned[i*Difference +: Difference]}
              : cross_product[i*Cross +: Cross];
      assign y[i*Difference +: Difference] = scale    ? slack | (slack << 3)
                                             : square ? reach
                                                      : y_turned[i*Difference +: Difference];
    end else begin : gen_no_error
      assign x[i*Cross +: Cross] =
          place || cross_first || cross_second
              ? {{(Cross-Difference){x_turned[(i+1)*Difference-1]}}, x_turned[i*Difference +: Difference]}
              : cross_product[i*Cross +: Cross];
      assign y[i*Difference +: Difference] =
          y_turned[i*Difference +: Difference] & {Difference{!(scale || square)}};
    end
  end

  triangle_product #(.Width(Width)) u_product (
    .clk_i, .x_i(x), .y_i(y), .cross_i(cross_second), .dot_o(dot), .cross_o(cross_product)
  );

  // Twice the last product; it is not negative.
  logic [3*Width+14:0] error_q;
  always_ff @(posedge clk_i) if (step_q == 6'd38) error_q <= {dot[3*Width+13:0], 1'b0};

  logic values_apart;
  triangle_verdict #(.Width(Width)) u_verdict (
    .clk_i, .start_i(step_q == 6'd40),
    .height_i(step_q >= 6'd41 && step_q <= 6'd43),
    .volume_i(step_q == 6'd46),
    .edge_i(step_q == 6'd46 || step_q == 6'd50 || step_q == 6'd55),
    .turn_i(step_q == 6'd47 || step_q == 6'd48 || step_q == 6'd51 || step_q == 6'd52),
    .minus_u_i(step_q == 6'd47 || step_q == 6'd51 || step_q == 6'd56),
    .v_i(step_q == 6'd48 || step_q == 6'd52 || step_q == 6'd57),
    .rest_i(step_q == 6'd49 || step_q == 6'd53 || step_q == 6'd58),
    .plane_i(step_q == 6'd59 || step_q == 6'd60),
    .value_i(dot), .error_i(error_q), .apart_o(values_apart)
  );

  logic unused_bits;
  assign unused_bits = ^moved[Width-2:0];

  assign keep_o = !usable_i || !(apart || values_apart);

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni && valid_i && usable_i) assert (32'(slack_i) < Width);

  logic waiting_q, waiting_keep_q;
  always_ff @(posedge clk_i) begin
    waiting_q      <= rst_ni && valid_o && !ready_i;
    waiting_keep_q <= keep_o;
    if (rst_ni && waiting_q) assert (valid_o && waiting_keep_q == keep_o);
  end
`endif

endmodule
