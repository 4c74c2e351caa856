// What brings records out of a cache into GetData (src/chip/record_cache.hpp), for both bodies: a comparison of the number that
// is kept with the one that is looked for, and a choice for each bit between what was kept and what comes from memory. Without registers.
// Not part of the chip: synthesised for its area alone, by studies.py.
module cached_record #(
    parameter int unsigned Width,
    localparam int unsigned Record = 24*Width + 64
) (
    input  logic [63:0]         number_i,   // of the nodes, a at the bottom
    input  logic [1:0]          valid_i,
    input  logic [2*24-1:0]     tag_i,      // of what is kept in the place of 256 that the lowest bits lead to
    input  logic [2*Record-1:0] kept_i,
    input  logic [2*Record-1:0] comes_i,
    output logic [1:0]          hit_o,
    output logic [2*Record-1:0] record_o
);
  for (genvar body = 0; body < 2; body++) begin : g_body
    assign hit_o[body] = valid_i[body] && tag_i[24*body +: 24] == number_i[32*body+8 +: 24];
    assign record_o[Record*body +: Record] = hit_o[body] ? kept_i[Record*body +: Record] : comes_i[Record*body +: Record];
  end

  logic unused_bits;
  assign unused_bits = ^{number_i[7:0], number_i[39:32]};
endmodule
