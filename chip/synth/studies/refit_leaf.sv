// Coefficients of a triangle's DOP (refitted_leaf() of src/chip/refit.cpp), four a clock: those of directions 4g to 4g + 3 for
// the group g that was put on six clocks before. Directions 12 to 23 are 0 to 11 the other way. Part of refit_unit.
//
//   corners along a direction | the furthest of three, and its factor | product, four stages | shifted and added to, outside of the registers
module refit_leaf #(
    parameter int unsigned Width
) (
    input  logic                   clk_i,
    input  logic [9*Width-1:0]     corners_i,     // x, y, z of the first at the bottom
    input  logic [2:0]             group_i,
    input  logic [3*(Width+6)-1:0] up_i,          // for directions of one, two and three components
    input  logic [3*(Width+6)-1:0] down_i,
    input  logic [3*Width-1:0]     add_i,
    input  logic [2:0]             made_group_i,  // whose coefficients come out
    output logic [4*Width-1:0]     made_o
);
  localparam int unsigned Sum = Width + 2;
  localparam int unsigned Factor = Width + 6;
  localparam int unsigned Shift = Width + 4;

  // Components +1 and -1 of directions 0 to 11, x, y and z each, the first at the bottom. No x is -1.
  localparam logic [35:0] Plus  = 36'b110_001_101_001_011_001_101_011_111_100_010_001;
  localparam logic [35:0] Minus = 36'b000_100_000_010_000_110_010_100_000_000_000_000;
  localparam logic [35:0] Used  = Plus | Minus;

  logic [2:0] group_q;
  logic [1:0] third, third_q, made_third;
  assign third      = group_i >= 3'd3 ? 2'(group_i - 3'd3) : group_i[1:0];
  assign third_q    = group_q >= 3'd3 ? 2'(group_q - 3'd3) : group_q[1:0];
  assign made_third = made_group_i >= 3'd3 ? 2'(made_group_i - 3'd3) : made_group_i[1:0];
  always_ff @(posedge clk_i) group_q <= group_i;

  for (genvar lane = 0; lane < 4; lane++) begin : g_lane
    // Of the direction that this lane has now, and how many components it has, less 1.
    logic [2:0] plus, used;
    logic [1:0] kind, made_kind;
    always_comb begin
      case (third)
        2'd0:    {plus, used} = {Plus[3*lane +: 3], Used[3*lane +: 3]};
        2'd1:    {plus, used} = {Plus[3*(4+lane) +: 3], Used[3*(4+lane) +: 3]};
        default: {plus, used} = {Plus[3*(8+lane) +: 3], Used[3*(8+lane) +: 3]};
      endcase
    end
    localparam logic [1:0] Kind0 = 2'(Used[3*lane]) + 2'(Used[3*lane+1]) + 2'(Used[3*lane+2]) - 2'd1;
    localparam logic [1:0] Kind1 = 2'(Used[3*(4+lane)]) + 2'(Used[3*(4+lane)+1]) + 2'(Used[3*(4+lane)+2]) - 2'd1;
    localparam logic [1:0] Kind2 = 2'(Used[3*(8+lane)]) + 2'(Used[3*(8+lane)+1]) + 2'(Used[3*(8+lane)+2]) - 2'd1;
    assign kind      = third_q == 2'd0 ? Kind0 : third_q == 2'd1 ? Kind1 : Kind2;
    assign made_kind = made_third == 2'd0 ? Kind0 : made_third == 2'd1 ? Kind1 : Kind2;

    logic [3*Sum-1:0] along_q;
    for (genvar corner = 0; corner < 3; corner++) begin : g_corner
      logic [Sum-1:0] x, y, z, xy;
      assign x  = used[0] ? {{2{corners_i[(3*corner+1)*Width-1]}}, corners_i[3*corner*Width +: Width]} : '0;
      assign y  = used[1] ? {{2{corners_i[(3*corner+2)*Width-1]}}, corners_i[(3*corner+1)*Width +: Width]} : '0;
      assign z  = used[2] ? {{2{corners_i[(3*corner+3)*Width-1]}}, corners_i[(3*corner+2)*Width +: Width]} : '0;
      assign xy = plus[1] ? x + y : x - y;
      always_ff @(posedge clk_i) along_q[corner*Sum +: Sum] <= plus[2] ? xy + z : xy - z;
    end

    // The other way, the furthest is the least.
    logic signed [Sum-1:0] first, second, third_one, of_two, furthest;
    logic                  opposite;
    assign opposite  = group_q >= 3'd3;
    assign first     = along_q[0 +: Sum];
    assign second    = along_q[Sum +: Sum];
    assign third_one = along_q[2*Sum +: Sum];
    assign of_two    = (first > second) != opposite ? first : second;
    assign furthest  = (of_two > third_one) != opposite ? of_two : third_one;

    logic [Sum-1:0]          furthest_q;
    logic [Factor-1:0]       factor_q;
    logic [Sum-1:0]          sum;
    assign sum = opposite ? -furthest : furthest;
    always_ff @(posedge clk_i) begin
      furthest_q <= sum;
      factor_q   <= sum[Sum-1] ? down_i[kind*Factor +: Factor] : up_i[kind*Factor +: Factor];
    end

    logic [Sum+Factor-1:0] product;
    wide_multiplier #(.XWidth(Sum), .YWidth(Factor)) u_multiply (.clk_i, .x_i(furthest_q), .y_i(factor_q), .product_o(product));
    assign made_o[lane*Width +: Width] = product[Shift +: Width] + add_i[made_kind*Width +: Width];

    logic unused_bits;
    assign unused_bits = ^{product[Sum+Factor-1:Shift+Width], product[Shift-1:0], plus[0]};
  end
endmodule
