// Stands for overlap_pipe in the proof of the core: nodes and flags go through as handshake.sv proves it of the pipe whose results are
// always taken, and whether they are separated is anything.
module overlap_pipe #(
  parameter int unsigned Width = 0,
  parameter int unsigned K = 0,
  parameter int unsigned MultiplierStages = 0
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               valid_i,
  output logic               ready_o,
  input  logic [K*Width-1:0] dop_a_i,
  input  logic [K*Width-1:0] dop_b_i,
  input  logic [3*5-1:0]     slabs_a_i,
  input  logic [3*5-1:0]     slabs_b_i,
  input  logic [3*Width-1:0] weights_a_i,
  input  logic [3*Width-1:0] weights_b_i,
  input  logic [Width+1:0]   offset_i,
  input  logic [31:0]        node_a_i,
  input  logic [31:0]        node_b_i,
  input  logic               last_i,
  output logic               valid_o,
  input  logic               ready_i,
  output logic               separated_o,
  output logic [31:0]        node_a_o,
  output logic [31:0]        node_b_o,
  output logic               last_o
);

  localparam int unsigned Stages = 6 + MultiplierStages;

  (* anyseq *) logic any_separated;
  logic [Stages-1:0]    valid_q;
  logic [65*Stages-1:0] nodes_q;   // last, node_b, node_a of each stage, the first at the bottom
  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni ? {valid_q[Stages-2:0], valid_i} : '0;
    nodes_q <= {nodes_q[65*(Stages-1)-1:0], last_i, node_b_i, node_a_i};
  end
  assign ready_o     = 1'b1;
  assign separated_o = any_separated;
  assign valid_o     = valid_q[Stages-1];
  assign {last_o, node_b_o, node_a_o} = nodes_q[65*Stages-1 -: 65];

endmodule
