// Tests the axes of the current pair and makes of the results what is to be tested next (docs/chip-system.md, sections 3, 5 and 6).
module controller #(
  parameter int unsigned Width = 0,
  parameter int unsigned K = 0
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  // Host.
  input  logic                start_i,
  input  logic [7:0]          axes_i,        // n
  input  logic [7:0]          most_axes_i,   // N
  input  logic                go_on_i,
  output logic                start_o,       // accepted
  output logic                run_o,
  output logic                busy_o,
  output logic                done_o,
  output logic                overflow_o,
  output logic                error_o,

  // Stack. push_o says that there is something to push, full or not.
  input  logic                empty_i,
  input  logic                full_i,
  output logic                push_o,
  output logic                write_o,
  output logic [130:0]        entry_o,

  // GetData.
  input  logic                loader_idle_i,
  input  logic                loader_full_of_dops_i,
  input  logic [31:0]         node_a_i,
  input  logic [31:0]         node_b_i,
  input  logic [K*Width+63:0] record_a_i,
  input  logic [K*Width+63:0] record_b_i,
  output logic                take_o,        // the pair of DOPs is taken
  input  logic                beat_error_i,

  // Pipe. Results are taken in every clock.
  output logic                testing_o,
  output logic [5:0]          next_axis_o,   // that of the next clock
  output logic                last_o,
  output logic [K*Width-1:0]  dop_a_o,
  output logic [K*Width-1:0]  dop_b_o,
  output logic [31:0]         node_a_o,
  output logic [31:0]         node_b_o,
  input  logic                result_valid_i,
  input  logic                separated_i,
  input  logic                result_last_i,
  input  logic [31:0]         result_a_i,
  input  logic [31:0]         result_b_i,
  output logic                ignored_o,

  input  logic                triangle_empty_i
);

  localparam int unsigned Record = K*Width + 64;

  typedef enum logic [1:0] {Ready, Run, Stop} state_e;
  state_e state_q;
  logic   done_q, overflow_q, error_q;
  assign start_o = state_q == Ready && start_i;
  assign run_o   = state_q == Run;
  assign busy_o  = state_q != Ready;

  // The pair that is tested, and the one before, whose last results may still be in the pipe.
  logic              testing_q;
  logic [5:0]        axis_q;
  logic [6:0]        after;
  logic [Record-1:0] record_a_q, record_b_q;
  logic [31:0]       node_a_q, node_b_q;
  logic [63:0]       previous_links_a_q, previous_links_b_q;
  logic [31:0]       previous_a_q, previous_b_q;
  logic [3:0]        in_flight_q;
  logic              dead_q;
  logic [31:0]       dead_a_q, dead_b_q;

  // Results.
  logic of_current, of_dead, looked_at, separated, given_up, overflow;
  assign of_current = result_a_i == node_a_q && result_b_i == node_b_q;
  assign of_dead    = dead_q && result_a_i == dead_a_q && result_b_i == dead_b_q;
  assign ignored_o  = result_valid_i && (state_q == Stop || of_dead);
  assign looked_at  = result_valid_i && !ignored_o;
  assign separated  = looked_at && separated_i;
  assign given_up   = separated && testing_q && of_current;
  assign push_o     = looked_at && !separated_i && result_last_i;
  assign overflow   = push_o && full_i;
  assign write_o    = push_o && !full_i;

  // The children of the pair.
  logic [63:0] links_a, links_b;
  logic        leaf_a, leaf_b, leaves;
  logic [31:0] own_a, own_b;
  assign links_a = of_current ? record_a_q[K*Width +: 64] : previous_links_a_q;
  assign links_b = of_current ? record_b_q[K*Width +: 64] : previous_links_b_q;
  assign leaf_a  = links_a[63:32] == '0;
  assign leaf_b  = links_b[63:32] == '0;
  assign leaves  = leaf_a && leaf_b;
  assign own_a   = leaves ? links_a[31:0] : result_a_i;
  assign own_b   = leaves ? links_b[31:0] : result_b_i;
  assign entry_o = {!leaf_b, !leaf_a, leaves, leaf_b ? {own_b, own_b} : links_b, leaf_a ? {own_a, own_a} : links_a};

  // Axes.
  logic more, last;
  assign after  = {1'b0, axis_q} + 7'd1;
  assign more   = !loader_full_of_dops_i && (!loader_idle_i || !empty_i);
  assign last   = testing_q && ({1'b0, after} == most_axes_i || ({1'b0, after} >= axes_i && !(go_on_i && more)));
  assign take_o = state_q == Run && loader_full_of_dops_i && (!testing_q || last || given_up);

  logic stops, ends;
  assign stops = state_q == Run && (overflow || beat_error_i);
  assign ends  = busy_o && !testing_q && in_flight_q == '0 && loader_idle_i && triangle_empty_i && (empty_i || state_q == Stop);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= Ready;
      done_q      <= 1'b0;
      overflow_q  <= 1'b0;
      error_q     <= 1'b0;
      testing_q   <= 1'b0;
      in_flight_q <= '0;
      dead_q      <= 1'b0;
    end else if (start_o) begin
      state_q    <= Run;
      done_q     <= 1'b0;
      overflow_q <= 1'b0;
      error_q    <= 1'b0;
      dead_q     <= 1'b0;
    end else if (busy_o) begin
      if (ends) begin
        state_q <= Ready;
        done_q  <= 1'b1;
      end else if (stops) begin
        state_q <= Stop;
      end
      if (overflow) overflow_q <= 1'b1;
      if (beat_error_i) error_q <= 1'b1;
      if (stops) testing_q <= 1'b0;
      else if (take_o) testing_q <= 1'b1;
      else if (last || given_up) testing_q <= 1'b0;
      in_flight_q <= in_flight_q + {3'b0, testing_q} - {3'b0, result_valid_i};
      if (separated) dead_q <= 1'b1;
    end
    if (separated) begin
      dead_a_q <= result_a_i;
      dead_b_q <= result_b_i;
    end
    if (take_o) begin
      record_a_q         <= record_a_i;
      record_b_q         <= record_b_i;
      node_a_q           <= node_a_i;
      node_b_q           <= node_b_i;
      previous_links_a_q <= record_a_q[K*Width +: 64];
      previous_links_b_q <= record_b_q[K*Width +: 64];
      previous_a_q       <= node_a_q;
      previous_b_q       <= node_b_q;
    end
    axis_q <= next_axis_o;
  end
  assign next_axis_o = take_o ? '0 : testing_q ? after[5:0] : axis_q;

  assign done_o     = done_q;
  assign overflow_o = overflow_q;
  assign error_o    = error_q;
  assign testing_o  = testing_q;
  assign last_o     = last;
  assign dop_a_o    = record_a_q[K*Width-1:0];
  assign dop_b_o    = record_b_q[K*Width-1:0];
  assign node_a_o   = node_a_q;
  assign node_b_o   = node_b_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && start_o) assert (axes_i >= 8'd1 && axes_i <= most_axes_i && most_axes_i <= 8'd64);
    // Of no more than two pairs there are tests in the pipe.
    if (rst_ni && push_o) assert (of_current || (result_a_i == previous_a_q && result_b_i == previous_b_q));
  end
`endif

endmodule
