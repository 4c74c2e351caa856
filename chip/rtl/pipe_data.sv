// PipeData of the papers: what goes along with the numbers of a test, stage by stage. Its valid bits are the only registers of
// the pipe that a reset clears.
module pipe_data #(
  parameter int unsigned Stages = 0
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              en_i,
  input  logic              valid_i,
  input  logic [31:0]       node_a_i,
  input  logic [31:0]       node_b_i,
  input  logic              last_i,
  output logic [Stages-1:0] valid_o,   // of each stage; the top one is the last
  output logic [31:0]       node_a_o,
  output logic [31:0]       node_b_o,
  output logic              last_o
);

  logic [Stages-1:0] valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else if (en_i) valid_q <= {valid_q[Stages-2:0], valid_i};
  end
  assign valid_o = valid_q;

  delay_line #(.Width(65), .Depth(Stages)) u_nodes (
    .clk_i, .en_i, .data_i({last_i, node_b_i, node_a_i}), .data_o({last_o, node_b_o, node_a_o})
  );

endmodule
