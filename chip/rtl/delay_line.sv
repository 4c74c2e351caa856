// Holds a word for a number of enabled clocks, two at least. It has no reset, so that FPGAs can build it from shift-register LUTs: what it
// holds has a meaning only where the valid bit beside it says so.
module delay_line #(
  parameter int unsigned Width = 0,
  parameter int unsigned Depth = 0
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  // The youngest word lies at the bottom.
  logic [Depth*Width-1:0] held_q;

  always_ff @(posedge clk_i) if (en_i) held_q <= {held_q[(Depth-1)*Width-1:0], data_i};
  assign data_o = held_q[Depth*Width-1 -: Width];

endmodule
