// What is still to be tested (docs/chip-system.md, section 4): an entry stands for the children of a pair, up to four pairs, or for the
// triangles of two leaves. One synchronous read port, one write port.
//
// A pop takes two clocks: in the first the entry on top is read, which happens all the time; in the second, with pop_i, it yields a
// pair and is written back, or used up. Nothing may be pushed in either.
module work_stack #(
  parameter int unsigned Depth = 0    // a power of two, 2 at least
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         start_i,       // the pair of roots alone
  input  logic         push_i,
  input  logic [130:0] entry_i,       // two_b, two_a, triangles, b1, b0, a1, a0
  input  logic         pop_i,
  output logic         empty_o,
  output logic         full_o,
  output logic [31:0]  waiting_o,     // entries
  output logic         triangles_o,   // of the pair on top, as read in the clock before
  output logic [31:0]  a_o,
  output logic [31:0]  b_o
);

  localparam int unsigned Bits = $clog2(Depth);

  logic [132:0]    top;               // next_b, next_a, and the rest
  logic [Bits:0]   sp_q;
  logic [Bits-1:0] last, write_at;
  assign last = sp_q[Bits-1:0] - 1'b1;

  // On to the next pair of an entry, (a0,b0), (a0,b1), (a1,b0), (a1,b1), as far as there is one.
  logic two_a, two_b, next_a, next_b, more, write;
  logic [132:0] written;
  assign {next_b, next_a, two_b, two_a} = top[132:129];
  assign more        = (two_b && !next_b) || (two_a && !next_a);
  assign triangles_o = top[128];
  assign a_o         = next_a ? top[63:32] : top[31:0];
  assign b_o         = next_b ? top[127:96] : top[95:64];

  assign write    = start_i || push_i || (pop_i && more);
  assign write_at = start_i ? '0 : push_i ? sp_q[Bits-1:0] : last;
  assign written  = start_i ? '0
                    : push_i ? {2'b00, entry_i}
                             : {two_b && !next_b, next_a || !(two_b && !next_b), top[130:0]};
  block_memory #(.Width(133), .Depth(Depth)) u_entries (
    .clk_i, .write_i(write), .write_at_i(write_at), .data_i(written), .read_at_i(last), .data_o(top)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) sp_q <= '0;
    else if (start_i) sp_q <= {{Bits{1'b0}}, 1'b1};
    else if (push_i) sp_q <= sp_q + 1'b1;
    else if (pop_i && !more) sp_q <= sp_q - 1'b1;
  end
  assign empty_o   = sp_q == '0;
  assign full_o    = sp_q[Bits];
  assign waiting_o = {{(31-Bits){1'b0}}, sp_q};

`ifndef SYNTHESIS
  initial assert (Depth >= 2 && Depth == 1 << Bits);
  always_ff @(posedge clk_i) begin
    if (rst_ni && push_i) assert (!full_o && !pop_i);
    if (rst_ni && pop_i) assert (!empty_o);
  end
`endif

endmodule
