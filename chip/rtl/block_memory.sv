// A memory with one write port and one synchronous read port: what FPGAs have block memories for. What is written in a clock is read in
// the next at the earliest.
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

  logic [Width-1:0] words [Depth];
  logic [Width-1:0] data_q;
  always_ff @(posedge clk_i) begin
    if (write_i) words[write_at_i] <= data_i;
    data_q <= words[read_at_i];
  end
  assign data_o = data_q;

endmodule
