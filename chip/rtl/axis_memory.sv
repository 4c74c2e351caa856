// The axes of a query, up to 64: seven words, P' of a, P' of b and p', and the slabs, as the host writes them, 16 times 32 bits
// for each axis. Read synchronously: address in one clock, axis in the next.
module axis_memory #(
  parameter int unsigned Width = 0
) (
  input  logic               clk_i,
  input  logic               write_i,
  input  logic [9:0]         write_at_i,   // axis and 32-bit word: two for each number, the lower half first, and the slabs
  input  logic [31:0]        data_i,
  input  logic [5:0]         axis_i,
  output logic [3*Width-1:0] weights_a_o,
  output logic [3*Width-1:0] weights_b_o,
  output logic [Width+1:0]   offset_o,
  output logic [14:0]        slabs_a_o,
  output logic [14:0]        slabs_b_o
);

  // Numbers side by side, each with the two bits more that the offset has.
  localparam int unsigned Number = Width + 2;
  logic [7*Number-1:0] numbers;

  for (genvar i = 0; i < 7; i++) begin : gen_number
    localparam int unsigned Low = Number > 32 ? 32 : Number;
    block_memory #(.Width(Low), .Depth(64)) u_lower (
      .clk_i, .write_i(write_i && write_at_i[3:0] == 2*i), .write_at_i(write_at_i[9:4]), .data_i(data_i[Low-1:0]),
      .read_at_i(axis_i), .data_o(numbers[i*Number +: Low])
    );
    if (Number > 32) begin : gen_upper
      block_memory #(.Width(Number - 32), .Depth(64)) u_upper (
        .clk_i, .write_i(write_i && write_at_i[3:0] == 2*i + 1), .write_at_i(write_at_i[9:4]), .data_i(data_i[Number-33:0]),
        .read_at_i(axis_i), .data_o(numbers[i*Number+32 +: Number-32])
      );
    end
  end
  for (genvar i = 0; i < 3; i++) begin : gen_weight
    assign weights_a_o[i*Width +: Width] = numbers[i*Number +: Width];
    assign weights_b_o[i*Width +: Width] = numbers[(3+i)*Number +: Width];
    logic unused_bits;
    assign unused_bits = ^{numbers[i*Number+Width +: 2], numbers[(3+i)*Number+Width +: 2]};
  end
  assign offset_o = numbers[6*Number +: Number];

  block_memory #(.Width(30), .Depth(64)) u_slabs (
    .clk_i, .write_i(write_i && write_at_i[3:0] == 4'd14), .write_at_i(write_at_i[9:4]), .data_i(data_i[29:0]),
    .read_at_i(axis_i), .data_o({slabs_b_o, slabs_a_o})
  );

  logic unused_data;
  assign unused_data = ^data_i;

endmodule
