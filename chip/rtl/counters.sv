// What is counted (docs/chip-system.md, section 8): one input for each counter, up by 1 in a clock in which it is high.
module counters (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,
  input  logic         clock_i,
  input  logic [3:0]   tests_i,           // dop_tests, triangle_tests, axis_tests, ignored, the first at the bottom
  input  logic [1:0]   bursts_i,          // up by so many
  input  logic         hit_i,
  input  logic [3:0]   waits_i,           // waits_memory, waits_result, waits_triangle, waits_pipe
  input  logic         push_i,
  input  logic [31:0]  waiting_i,         // entries of the stack, before a push
  output logic [63:0]  clocks_o,
  output logic [351:0] counts_o           // the others in the order of section 8, the first at the bottom
);

  logic [63:0] clocks_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) clocks_q <= '0;
    else if (clock_i) clocks_q <= clocks_q + 64'd1;
  end
  assign clocks_o = clocks_q;

  logic [9:0] up;
  assign up = {waits_i, hit_i, 1'b0, tests_i};
  for (genvar i = 0; i < 10; i++) begin : gen_count
    logic [31:0] count_q;
    if (i == 4) begin : gen_bursts
      always_ff @(posedge clk_i) count_q <= !rst_ni || clear_i ? '0 : count_q + {30'b0, bursts_i};
    end else begin : gen_one
      always_ff @(posedge clk_i) begin
        if (!rst_ni || clear_i) count_q <= '0;
        else if (up[i]) count_q <= count_q + 32'd1;
      end
    end
    assign counts_o[i*32 +: 32] = count_q;
  end

  // A start puts one entry on the stack.
  logic [31:0] most_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) most_q <= '0;
    else if (clear_i) most_q <= 32'd1;
    else if (push_i && waiting_i >= most_q) most_q <= waiting_i + 32'd1;
  end
  assign counts_o[351:320] = most_q;

  logic unused_up;
  assign unused_up = up[4];

endmodule
