// What makes absolute coefficients of a child's relative ones (src/chip/relative.hpp): 24 at a time, without registers. Not part
// of the chip: synthesised for its area alone, by studies.py.
module relative_decoder #(
    parameter int unsigned W,
    parameter int unsigned Q
) (
    input  logic [24*W-1:0] parent_i,
    input  logic [24*Q-1:0] less_i,
    input  logic [5:0]      shift_i,
    output logic [24*W-1:0] dop_o
);
  for (genvar j = 0; j < 24; j++) begin : g_coefficient
    logic [W-1:0] less;
    // A host never shifts a number out of the word.
    assign less = W'(less_i[j*Q+:Q]) << shift_i;
    assign dop_o[j*W+:W] = parent_i[j*W+:W] - less;
  end
endmodule
