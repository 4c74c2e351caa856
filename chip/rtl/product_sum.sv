// Adds up six products and the offset, three stages of adders. The offset is in units of 2^(Width-1) products' units and is
// asked for one stage after the products, where there is room for it.
module product_sum #(
  parameter int unsigned Width = 0
) (
  input  logic                 clk_i,
  input  logic                 en_i,
  input  logic [6*2*Width-1:0] products_i,
  input  logic [Width+1:0]     offset_i,   // of the products one stage earlier
  output logic [2*Width+2:0]   sum_o
);

  logic [3*(2*Width+1)-1:0] pair_q;
  for (genvar i = 0; i < 3; i++) begin : gen_pair
    logic signed [2*Width-1:0] first, second;
    logic signed [2*Width:0]   pair_d;
    assign first  = products_i[2*i*2*Width +: 2*Width];
    assign second = products_i[(2*i+1)*2*Width +: 2*Width];
    assign pair_d = first + second;
    always_ff @(posedge clk_i) if (en_i) pair_q[i*(2*Width+1) +: 2*Width+1] <= pair_d;
  end

  logic signed [2*Width:0]   pair0, pair1, pair2, offset;
  logic signed [2*Width+1:0] four_q, rest_q;
  logic signed [2*Width+2:0] sum_q;
  assign pair0  = pair_q[0 +: 2*Width+1];
  assign pair1  = pair_q[2*Width+1 +: 2*Width+1];
  assign pair2  = pair_q[2*(2*Width+1) +: 2*Width+1];
  assign offset = {offset_i, {(Width-1){1'b0}}};

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      four_q <= pair0 + pair1;
      rest_q <= pair2 + offset;
      sum_q  <= four_q + rest_q;
    end
  end
  assign sum_o = sum_q;

endmodule
