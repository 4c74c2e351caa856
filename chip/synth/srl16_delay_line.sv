// delay_line in shift-register LUTs: one LUT for each bit where registers would take Depth flip-flops. Left to itself, Yosys 0.23 does
// not look for them in Virtex-II, and in 7-series loses the enable (CE tied to 1), which simulation of the gates finds at the first stall.
module delay_line #(
  parameter int unsigned Width = 0,
  parameter int unsigned Depth = 0
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  // The address of the place that is read, counted from the youngest.
  localparam logic [3:0] Oldest = Depth - 1;

  for (genvar i = 0; i < Width; i++) begin : gen_bit
    SRL16E u_places (
      .CLK(clk_i), .CE(en_i), .D(data_i[i]), .Q(data_o[i]),
      .A0(Oldest[0]), .A1(Oldest[1]), .A2(Oldest[2]), .A3(Oldest[3])
    );
  end

endmodule
