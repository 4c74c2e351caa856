// A product of two signed words, one a clock, after one stage or three. With three it is put together from four products
// of at most 18 x 18 bits, which is what FPGAs have multipliers for: partial products, sum of the two in the middle, total.
module signed_multiplier #(
  parameter int unsigned Width = 0,
  parameter int unsigned Stages = 0
) (
  input  logic               clk_i,
  input  logic               en_i,
  input  logic [Width-1:0]   x_i,
  input  logic [Width-1:0]   y_i,
  output logic [2*Width-1:0] product_o
);

  logic signed [2*Width-1:0] product_q;
  assign product_o = product_q;

  if (Stages == 1) begin : gen_one
    always_ff @(posedge clk_i) if (en_i) product_q <= $signed(x_i) * $signed(y_i);
  end else begin : gen_three
    // Lower parts are unsigned; one bit more makes them signed words of a multiplier.
    localparam int unsigned Low = 17;
    localparam int unsigned High = Width - Low;

    logic signed [Low:0]    x_low, y_low;
    logic signed [High-1:0] x_high, y_high;
    assign x_low  = {1'b0, x_i[Low-1:0]};
    assign y_low  = {1'b0, y_i[Low-1:0]};
    assign x_high = x_i[Width-1:Low];
    assign y_high = y_i[Width-1:Low];

    logic        [2*Low-1:0]    low_q;                // x_low y_low, which is not negative
    logic signed [Low+High:0]   cross_x_q, cross_y_q; // x_high y_low and x_low y_high
    logic signed [2*High-1:0]   high_q;               // x_high y_high

    logic        [2*Low-1:0]    low_2q;
    logic signed [2*High-1:0]   high_2q;
    logic signed [Low+High+1:0] middle_2q;

    // Everything from bit Low on; the bits below are those of the lowest product.
    logic signed [2*Width-Low-1:0] outer, middle;
    assign outer  = {high_2q, low_2q[2*Low-1:Low]};
    assign middle = {{(2*Width-Low-(Low+High+2)){middle_2q[Low+High+1]}}, middle_2q};

    logic [2*Low+1:0] low_product;
    assign low_product = x_low * y_low;

    always_ff @(posedge clk_i) begin
      if (en_i) begin
        low_q     <= low_product[2*Low-1:0];
        cross_x_q <= x_high * y_low;
        cross_y_q <= x_low * y_high;
        high_q    <= x_high * y_high;

        low_2q    <= low_q;
        high_2q   <= high_q;
        middle_2q <= cross_x_q + cross_y_q;

        product_q <= {outer + middle, low_2q[Low-1:0]};
      end
    end

    logic unused_bits;
    assign unused_bits = ^low_product[2*Low+1:2*Low];
  end

endmodule
