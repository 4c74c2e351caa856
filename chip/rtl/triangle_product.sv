// The multipliers of the triangle unit, three of them, one for each coordinate. Operands that are put on in clock t give
//
//   their dot product in clock t + 6;
//   with cross_i, what the products of clock t - 1 are greater by, coordinate by coordinate, in clock t + 6 and until the next:
//   a cross product, if coordinates came turned by one place and two, and then by two and one.
module triangle_product #(
  parameter int unsigned Width = 0
) (
  input  logic                     clk_i,
  input  logic [3*(2*Width+9)-1:0] x_i,
  input  logic [3*(Width+4)-1:0]   y_i,
  input  logic                     cross_i,
  output logic [3*Width+14:0]      dot_o,
  output logic [3*(2*Width+9)-1:0] cross_o
);

  localparam int unsigned Difference = Width + 4;
  localparam int unsigned Cross = 2*Width + 9;
  localparam int unsigned Product = Difference + Cross;

  logic [3*Cross-1:0]      x_q;
  logic [3*Difference-1:0] y_q;
  always_ff @(posedge clk_i) begin
    x_q <= x_i;
    y_q <= y_i;
  end

  logic [4:0] cross_q;
  always_ff @(posedge clk_i) cross_q <= {cross_q[3:0], cross_i};

  logic [3*Product-1:0] products;
  for (genvar i = 0; i < 3; i++) begin : gen_coordinate
    logic [Product-1:0] product;
    wide_multiplier #(.XWidth(Cross), .YWidth(Difference)) u_multiply (
      .clk_i, .x_i(x_q[i*Cross +: Cross]), .y_i(y_q[i*Difference +: Difference]), .product_o(product)
    );
    assign products[i*Product +: Product] = product;

    // A product of two differences fits.
    logic [Cross-1:0] earlier_q, difference_q;
    always_ff @(posedge clk_i) begin
      earlier_q <= product[Cross-1:0];
      if (cross_q[4]) difference_q <= earlier_q - product[Cross-1:0];
    end
    assign cross_o[i*Cross +: Cross] = difference_q;
  end

  // Two bits more than a product.
  logic [Product+1:0] first, second, third, dot_q;
  assign first  = {{2{products[Product-1]}}, products[0 +: Product]};
  assign second = {{2{products[2*Product-1]}}, products[Product +: Product]};
  assign third  = {{2{products[3*Product-1]}}, products[2*Product +: Product]};
  always_ff @(posedge clk_i) dot_q <= first + second + third;
  assign dot_o = dot_q;

endmodule
