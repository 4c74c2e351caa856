// sn of Eq. 22: adds up those of six coefficients that are negative. Two stages add; the result then waits for the products,
// `Latency` stages in all.
module negative_sum #(
  parameter int unsigned Width = 0,
  parameter int unsigned Latency = 0
) (
  input  logic               clk_i,
  input  logic               en_i,
  input  logic [6*Width-1:0] coefficients_i,
  output logic [Width+2:0]   sum_o
);

  logic [6*Width-1:0] negative;
  for (genvar i = 0; i < 6; i++) begin : gen_negative
    // The sign lets a word through.
    assign negative[i*Width +: Width] = coefficients_i[i*Width +: Width] & {Width{coefficients_i[(i+1)*Width-1]}};
  end

  logic [3*(Width+1)-1:0] pair_q;
  for (genvar i = 0; i < 3; i++) begin : gen_pair
    logic signed [Width-1:0] first, second;
    logic signed [Width:0]   pair_d;
    assign first  = negative[2*i*Width +: Width];
    assign second = negative[(2*i+1)*Width +: Width];
    assign pair_d = first + second;
    always_ff @(posedge clk_i) if (en_i) pair_q[i*(Width+1) +: Width+1] <= pair_d;
  end

  logic signed [Width+2:0] pair0, pair1, pair2, sum_q;
  assign pair0 = {{2{pair_q[Width]}}, pair_q[0 +: Width+1]};
  assign pair1 = {{2{pair_q[2*Width+1]}}, pair_q[Width+1 +: Width+1]};
  assign pair2 = {{2{pair_q[3*Width+2]}}, pair_q[2*(Width+1) +: Width+1]};
  always_ff @(posedge clk_i) if (en_i) sum_q <= pair0 + pair1 + pair2;

  delay_line #(.Width(Width + 3), .Depth(Latency - 2)) u_wait (
    .clk_i, .en_i, .data_i(sum_q), .data_o(sum_o)
  );

endmodule
