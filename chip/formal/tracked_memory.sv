// Stands for block_memory in proofs: of all its words one, chosen freely, is kept, and the others are anything whenever they are read.
// What holds of this holds of the memory, of any depth.
module block_memory #(
  parameter int unsigned Width = 0,
  parameter int unsigned Depth = 0
) (
  input  logic                     clk_i,
  input  logic                     write_i,
  input  logic [$clog2(Depth)-1:0] write_at_i,
  input  logic [Width-1:0]         data_i,
  input  logic [$clog2(Depth)-1:0] read_at_i,
  output logic [Width-1:0]         data_o
);

  (* anyconst *) logic [$clog2(Depth)-1:0] place;
  (* anyseq *) logic [Width-1:0] other;
  logic [Width-1:0] word_q, data_q;
  always_ff @(posedge clk_i) begin
    if (write_i && write_at_i == place) word_q <= data_i;
    data_q <= read_at_i == place ? word_q : other;
  end
  assign data_o = data_q;

endmodule
