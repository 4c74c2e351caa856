// A triangle unit for leaves of one or two triangles (src/chip/triangle_bank.hpp): keeps both leaves and tests their pairs one
// after the other. Both triangles of a leaf have its first two corners. Not part of the chip: held to the formula and synthesised for its
// area, by studies.py.
module quad_unit #(
    parameter int unsigned Width
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               usable_i,
    input  logic [9*Width-1:0] rotation_i,
    input  logic [3*Width+5:0] translation_i,
    input  logic [5:0]         slack_i,
    input  logic               valid_i,
    output logic               ready_o,
    output logic               empty_o,
    input  logic [12*Width:0]  quad_a_i,       // four corners, the first at the bottom; on top, whether there is a second triangle
    input  logic [12*Width:0]  quad_b_i,
    input  logic [30:0]        leaf_a_i,
    input  logic [30:0]        leaf_b_i,
    output logic               valid_o,
    input  logic               ready_i,
    output logic               keep_o,
    output logic [31:0]        triangle_a_o,
    output logic [31:0]        triangle_b_o
);
  localparam int unsigned Corner = 3*Width;

  // What is kept while pairs are left, and which of them is the next: triangle of a, triangle of b.
  logic [12*Width:0] quad_a_q, quad_b_q, quad_a, quad_b;
  logic [30:0]       leaf_a_q, leaf_b_q, leaf_a, leaf_b;
  logic              left_q, second_a_q, second_b_q, second_a, second_b;
  logic              unit_ready, unit_empty, accepted, next;
  assign accepted = valid_i && ready_o;
  assign next     = left_q && unit_ready;
  assign ready_o  = !left_q && unit_ready;
  assign empty_o  = !left_q && unit_empty;
  assign {second_a, second_b} = left_q ? {second_a_q, second_b_q} : 2'b00;
  assign {quad_a, leaf_a}     = left_q ? {quad_a_q, leaf_a_q} : {quad_a_i, leaf_a_i};
  assign {quad_b, leaf_b}     = left_q ? {quad_b_q, leaf_b_q} : {quad_b_i, leaf_b_i};

  logic more_of_b, more_of_a;
  assign more_of_b = quad_b[12*Width] && !second_b;
  assign more_of_a = quad_a[12*Width] && !second_a;
  always_ff @(posedge clk_i) begin
    if (accepted) begin
      {quad_a_q, leaf_a_q} <= {quad_a_i, leaf_a_i};
      {quad_b_q, leaf_b_q} <= {quad_b_i, leaf_b_i};
    end
    if (!rst_ni) left_q <= 1'b0;
    else if (accepted || next) left_q <= more_of_b || more_of_a;
    if (accepted || next) {second_a_q, second_b_q} <= more_of_b ? {second_a, 1'b1} : 2'b10;
  end

  logic [9*Width-1:0] corners_a, corners_b;
  assign corners_a = second_a ? {quad_a[3*Corner +: Corner], quad_a[0 +: Corner], quad_a[Corner +: Corner]} : quad_a[9*Width-1:0];
  assign corners_b = second_b ? {quad_b[3*Corner +: Corner], quad_b[0 +: Corner], quad_b[Corner +: Corner]} : quad_b[9*Width-1:0];
  triangle_unit #(.Width(Width)) u_triangles (
    .clk_i, .rst_ni, .usable_i, .rotation_i, .translation_i, .slack_i, .valid_i(accepted || next), .ready_o(unit_ready), .empty_o(unit_empty),
    .corners_a_i(corners_a), .corners_b_i(corners_b), .triangle_a_i({leaf_a, second_a}), .triangle_b_i({leaf_b, second_b}),
    .valid_o, .ready_i, .keep_o, .triangle_a_o, .triangle_b_o
  );
endmodule
