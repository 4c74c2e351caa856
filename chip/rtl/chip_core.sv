// The whole chip but for its buses (docs/chip-system.md): controller and stack, GetData, overlap pipe, triangle unit. What the host sets
// comes in as levels that stay as they are from a start until it is done; axes are written beforehand.
module chip_core #(
  parameter int unsigned Width = 0,
  parameter int unsigned K = 0,
  parameter int unsigned MultiplierStages = 0,
  parameter int unsigned StackDepth = 0
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               start_i,
  input  logic [31:0]        nodes_a_i,
  input  logic [31:0]        nodes_b_i,
  input  logic [31:0]        triangles_a_i,
  input  logic [31:0]        triangles_b_i,
  input  logic [7:0]         axes_i,
  input  logic [7:0]         most_axes_i,
  input  logic               go_on_i,
  input  logic [9*Width-1:0] rotation_i,
  input  logic [3*Width+5:0] translation_i,
  input  logic [5:0]         slack_i,
  input  logic               keep_all_i,
  input  logic               axis_write_i,
  input  logic [9:0]         axis_at_i,
  input  logic [31:0]        axis_data_i,

  output logic               busy_o,
  output logic               done_o,
  output logic               overflow_o,
  output logic               error_o,
  output logic [63:0]        clocks_o,
  output logic [351:0]       counts_o,

  output logic               hit_valid_o,
  input  logic               hit_ready_i,
  output logic [31:0]        hit_a_o,
  output logic [31:0]        hit_b_o,

  output logic               req_valid_o,
  output logic [31:0]        req_address_o,
  output logic [1:0]         req_bursts_o,
  input  logic               req_ready_i,
  input  logic               beat_valid_i,
  input  logic [127:0]       beat_data_i,
  input  logic               beat_error_i
);

  localparam int unsigned Record = K*Width + 64;
  localparam int unsigned Bursts = (Record + 511) / 512;

  // Stack.
  logic         start, run, push, write, pop, empty, full, top_triangles;
  logic [130:0] entry;
  logic [31:0]  waiting, top_a, top_b;
  work_stack #(.Depth(StackDepth)) u_stack (
    .clk_i, .rst_ni, .start_i(start), .push_i(write), .entry_i(entry), .pop_i(pop), .empty_o(empty), .full_o(full),
    .waiting_o(waiting), .triangles_o(top_triangles), .a_o(top_a), .b_o(top_b)
  );

  // GetData.
  logic              take_dops, take_triangles, idle, popping, loading, loaded, loaded_triangles;
  logic [31:0]       next_a, next_b;
  logic [Record-1:0] record_a, record_b;
  logic              beat;
  assign beat = busy_o && beat_valid_i;
  get_data #(.Width(Width), .K(K), .Bursts(Bursts)) u_get_data (
    .clk_i, .rst_ni, .run_i(run), .nodes_a_i, .nodes_b_i, .triangles_a_i, .triangles_b_i,
    .empty_i(empty), .push_i(push), .pop_o(pop), .triangles_i(top_triangles), .a_i(top_a), .b_i(top_b),
    .req_valid_o, .req_address_o, .req_bursts_o, .req_ready_i, .beat_valid_i(beat), .beat_data_i,
    .taken_i(take_dops || take_triangles), .idle_o(idle), .popping_o(popping), .loading_o(loading), .full_o(loaded),
    .triangles_o(loaded_triangles), .a_o(next_a), .b_o(next_b), .record_a_o(record_a), .record_b_o(record_b)
  );

  // Controller and pipe.
  logic               testing, last, ignored, triangle_empty;
  logic               result_valid, separated, result_last;
  logic [5:0]         next_axis;
  logic [K*Width-1:0] dop_a, dop_b;
  logic [31:0]        node_a, node_b, result_a, result_b;
  controller #(.Width(Width), .K(K)) u_controller (
    .clk_i, .rst_ni, .start_i, .axes_i, .most_axes_i, .go_on_i, .start_o(start), .run_o(run), .busy_o, .done_o, .overflow_o, .error_o,
    .empty_i(empty), .full_i(full), .push_o(push), .write_o(write), .entry_o(entry),
    .loader_idle_i(idle), .loader_full_of_dops_i(loaded && !loaded_triangles), .node_a_i(next_a), .node_b_i(next_b),
    .record_a_i(record_a), .record_b_i(record_b), .take_o(take_dops), .beat_error_i(beat && beat_error_i),
    .testing_o(testing), .next_axis_o(next_axis), .last_o(last), .dop_a_o(dop_a), .dop_b_o(dop_b),
    .node_a_o(node_a), .node_b_o(node_b), .result_valid_i(result_valid), .separated_i(separated), .result_last_i(result_last),
    .result_a_i(result_a), .result_b_i(result_b), .ignored_o(ignored), .triangle_empty_i(triangle_empty)
  );

  logic [3*Width-1:0] weights_a, weights_b;
  logic [Width+1:0]   offset;
  logic [14:0]        slabs_a, slabs_b;
  axis_memory #(.Width(Width)) u_axes (
    .clk_i, .write_i(axis_write_i), .write_at_i(axis_at_i), .data_i(axis_data_i), .axis_i(next_axis),
    .weights_a_o(weights_a), .weights_b_o(weights_b), .offset_o(offset), .slabs_a_o(slabs_a), .slabs_b_o(slabs_b)
  );

  // Its results are taken in every clock, so it is always ready.
  logic pipe_ready;
  overlap_pipe #(.Width(Width), .K(K), .MultiplierStages(MultiplierStages)) u_pipe (
    .clk_i, .rst_ni, .valid_i(testing), .ready_o(pipe_ready), .dop_a_i(dop_a), .dop_b_i(dop_b), .slabs_a_i(slabs_a), .slabs_b_i(slabs_b),
    .weights_a_i(weights_a), .weights_b_i(weights_b), .offset_i(offset), .node_a_i(node_a), .node_b_i(node_b), .last_i(last),
    .valid_o(result_valid), .ready_i(1'b1), .separated_o(separated), .node_a_o(result_a), .node_b_o(result_b), .last_o(result_last)
  );

  // Triangles. What is not kept leaves by itself.
  logic triangle_ready, triangle_valid, keep;
  assign take_triangles = run && loaded && loaded_triangles && triangle_ready;
  triangle_unit #(.Width(Width)) u_triangles (
    .clk_i, .rst_ni, .usable_i(!keep_all_i), .rotation_i, .translation_i, .slack_i,
    .valid_i(take_triangles), .ready_o(triangle_ready), .empty_o(triangle_empty),
    .corners_a_i(record_a[9*Width-1:0]), .corners_b_i(record_b[9*Width-1:0]), .triangle_a_i(next_a), .triangle_b_i(next_b),
    .valid_o(triangle_valid), .ready_i(hit_ready_i || !keep), .keep_o(keep), .triangle_a_o(hit_a_o), .triangle_b_o(hit_b_o)
  );
  assign hit_valid_o = triangle_valid && keep;

  // What the chip waits for.
  logic handed_over;
  assign handed_over = take_dops || take_triangles;
  counters u_counters (
    .clk_i, .rst_ni, .clear_i(start), .clock_i(busy_o), .tests_i({ignored, testing, take_triangles, take_dops}),
    .bursts_i(req_valid_o && req_ready_i ? req_bursts_o : 2'd0), .hit_i(hit_valid_o && hit_ready_i),
    .waits_i({run && loaded && !loaded_triangles && !handed_over, run && loaded && loaded_triangles && !handed_over,
              run && !testing && (idle || popping), run && !testing && loading}),
    .push_i(write), .waiting_i(waiting), .clocks_o, .counts_o
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) assert (pipe_ready);
`else
  logic unused_ready;
  assign unused_ready = pipe_ready;
`endif

endmodule
