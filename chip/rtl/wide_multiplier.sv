// A product of two signed words of any width, one a clock, after four stages. It is put together from products of 17 x 17 bits
// without a sign, which is what FPGAs have multipliers for (18 x 18 with one):
//
//   partial products | rows, one for each part of y | pairs of rows | total
//
// y comes with its sign bit inverted, which adds 2^(YWidth-1), and x is taken away as often at the end: then all parts of y have no
// sign, and those of a row of products lie beside each other, the even ones and the odd ones, so that a row takes one adder.
module wide_multiplier #(
  parameter int unsigned XWidth = 0,
  parameter int unsigned YWidth = 0   // 51 at most: three rows
) (
  input  logic                     clk_i,
  input  logic [XWidth-1:0]        x_i,
  input  logic [YWidth-1:0]        y_i,
  output logic [XWidth+YWidth-1:0] product_o
);

  localparam int unsigned Part = 17;
  localparam int unsigned XParts = (XWidth + Part - 1) / Part;
  localparam int unsigned YParts = (YWidth + Part - 1) / Part;
  localparam int unsigned Total = XWidth + YWidth;
  localparam int unsigned RowWidth = XParts*Part + Part;

  // The topmost part of x has the sign.
  logic [XParts*Part-1:0] x_parts;
  logic [YParts*Part-1:0] y_parts;
  if (XParts*Part > XWidth) begin : gen_extend_x
    assign x_parts = {{(XParts*Part-XWidth){x_i[XWidth-1]}}, x_i};
  end else begin : gen_whole_x
    assign x_parts = x_i;
  end
  if (YParts*Part > YWidth) begin : gen_extend_y
    assign y_parts = {{(YParts*Part-YWidth){1'b0}}, ~y_i[YWidth-1], y_i[YWidth-2:0]};
  end else begin : gen_whole_y
    assign y_parts = {~y_i[YWidth-1], y_i[YWidth-2:0]};
  end

  // Rows that there are not, of three, are 0.
  logic [3*Total-1:0] rows;
  for (genvar j = 0; j < 3; j++) begin : gen_row
    if (j < YParts) begin : gen_products
      logic [RowWidth-1:0] even, odd, row_q;
      logic signed [Part:0] y;
      assign y = {1'b0, y_parts[j*Part +: Part]};
      for (genvar i = 0; i < XParts; i++) begin : gen_product
        logic signed [Part:0]     x;
        logic signed [2*Part-1:0] product_q;
        logic        [2*Part+1:0] product;
        assign x       = {i == XParts - 1 ? x_parts[(i+1)*Part-1] : 1'b0, x_parts[i*Part +: Part]};
        assign product = x * y;
        always_ff @(posedge clk_i) product_q <= product[2*Part-1:0];
        if (i % 2 == 0) begin : gen_even
          assign even[i*Part +: 2*Part] = product_q;
        end else begin : gen_odd
          assign odd[i*Part +: 2*Part] = product_q;
        end
        logic unused_sign;
        assign unused_sign = ^product[2*Part+1:2*Part];
      end
      // What is left at the ends: below the lowest odd product nothing, above the topmost product of either kind its sign.
      assign odd[Part-1:0] = '0;
      if (XParts == 1) begin : gen_no_odd
        assign odd[RowWidth-1:Part] = '0;
      end else if (XParts % 2 == 0) begin : gen_even_ends
        assign even[RowWidth-1 -: Part] = '0;
      end else begin : gen_odd_ends
        assign odd[RowWidth-1 -: Part] = '0;
      end
      always_ff @(posedge clk_i) row_q <= even + odd;
      if (RowWidth + j*Part >= Total) begin : gen_cut
        if (j == 0) begin : gen_lowest
          assign rows[j*Total +: Total] = row_q[Total-1:0];
        end else begin : gen_higher
          assign rows[j*Total +: Total] = {row_q[Total-j*Part-1:0], {(j*Part){1'b0}}};
        end
        if (RowWidth + j*Part > Total) begin : gen_unused
          logic unused_top;
          assign unused_top = ^row_q[RowWidth-1:Total-j*Part];
        end
      end else if (j == 0) begin : gen_extend_lowest
        assign rows[j*Total +: Total] = {{(Total-RowWidth){row_q[RowWidth-1]}}, row_q};
      end else begin : gen_extend
        assign rows[j*Total +: Total] = {{(Total-RowWidth-j*Part){row_q[RowWidth-1]}}, row_q, {(j*Part){1'b0}}};
      end
    end else begin : gen_none
      assign rows[j*Total +: Total] = '0;
    end
  end

  logic [XWidth-1:0] x_q, x_2q;
  logic [Total-1:0]  too_much, low_q, high_q, product_q;
  assign too_much = {x_2q[XWidth-1], x_2q, {(YWidth-1){1'b0}}};
  always_ff @(posedge clk_i) begin
    x_q       <= x_i;
    x_2q      <= x_q;
    low_q     <= rows[0 +: Total] + rows[Total +: Total];
    high_q    <= rows[2*Total +: Total] - too_much;
    product_q <= low_q + high_q;
  end
  assign product_o = product_q;

endmodule
