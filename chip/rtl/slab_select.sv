// Selects one slab of a DOP: coefficient d_j, which bounds it in direction j, and its opposite d_(j + K/2), indices taken
// modulo K. j comes as a slab and a side of it: one multiplexer for each side and a swap behind them cost about half of an
// index into all K coefficients.
module slab_select #(
  parameter int unsigned Width = 0,
  parameter int unsigned K = 0
) (
  input  logic [K*Width-1:0] dop_i,
  input  logic [3:0]         slab_i,      // j modulo K/2
  input  logic               side_i,      // whether j >= K/2
  output logic [Width-1:0]   near_o,      // d_j
  output logic [Width-1:0]   opposite_o   // d_(j + K/2)
);

  localparam int unsigned Slabs = K / 2;

  logic [Width-1:0] low, high;

  // A tree of two-way multiplexers, one level for each bit of the index; slabs beyond the last repeat it.
  logic [16*2*Width-1:0] level0;
  logic [8*2*Width-1:0]  level1;
  logic [4*2*Width-1:0]  level2;
  logic [2*2*Width-1:0]  level3;

  for (genvar i = 0; i < 16; i++) begin : gen_slab
    localparam int unsigned Slab = i < Slabs ? i : Slabs - 1;
    assign level0[i*2*Width +: 2*Width] = {dop_i[(Slab+Slabs)*Width +: Width], dop_i[Slab*Width +: Width]};
  end
  for (genvar i = 0; i < 8; i++) begin : gen_level1
    assign level1[i*2*Width +: 2*Width] =
        slab_i[0] ? level0[(2*i+1)*2*Width +: 2*Width] : level0[2*i*2*Width +: 2*Width];
  end
  for (genvar i = 0; i < 4; i++) begin : gen_level2
    assign level2[i*2*Width +: 2*Width] =
        slab_i[1] ? level1[(2*i+1)*2*Width +: 2*Width] : level1[2*i*2*Width +: 2*Width];
  end
  for (genvar i = 0; i < 2; i++) begin : gen_level3
    assign level3[i*2*Width +: 2*Width] =
        slab_i[2] ? level2[(2*i+1)*2*Width +: 2*Width] : level2[2*i*2*Width +: 2*Width];
  end
  assign {high, low} = slab_i[3] ? level3[2*Width +: 2*Width] : level3[0 +: 2*Width];

  assign near_o     = side_i ? high : low;
  assign opposite_o = side_i ? low : high;

endmodule
