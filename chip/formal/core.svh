// Properties of the core, put at the end of chip_core.sv: controller, stack and GetData with any memory, any host, any records, any
// verdicts of the triangle unit, and a pipe that finds any of its tests separated. Nodes are visited by pairs at most once in a query.
//
//   1. A query ends only when no test is in the pipe, nothing is asked for that has not come, no pair is in GetData, the triangle unit
//      is empty, and, unless it was stopped, the stack is too.
//   2. No pair is lost or counted twice: a pair that was handed over to be tested, chosen freely, is separated or pushed once, and before
//      the end, unless the query was stopped. What is pushed are the children that its records lead to.
//   3. A pair that is popped is asked for, first a, then b, where the host says that they lie; a request stays as it is until it is
//      accepted; no more than two are under way.
//   4. A wrong beat, and a push onto a full stack, stop the query: the flag is up from the next clock until the next start, it goes on
//      to its end, and nothing more is popped, pushed or handed over.
//   5. What is handed over is what came: one beat, chosen freely, stands where it belongs; of the last as much as a record has of it.
//   6. The stack is used as stack.sv assumes it.
  localparam int unsigned Stages = 6 + MultiplierStages;
  localparam int unsigned Beats  = 4*Bursts;

  logic                 shown_of_b_q;
  logic [1:0]           shown_control_q;
  logic [2:0]           shown_state_q;
  logic [3:0]           shown_in_flight_q;
  logic [4:0]           shown_beat_q;
  logic                 shown_dead_q, shown_triangles_q;
  logic [31:0]          shown_dead_a_q, shown_dead_b_q, shown_previous_a_q, shown_previous_b_q;
  logic [Stages-1:0]    shown_valid_q;
  logic [65*Stages-1:0] shown_nodes_q;
  logic [Record-1:0]    shown_record_a_q, shown_record_b_q;
  logic [63:0]          shown_previous_links_a_q, shown_previous_links_b_q;

  logic begun_q = 1'b0;
  always_ff @(posedge clk_i) begun_q <= 1'b1;
  always_comb if (!begun_q) assume (!rst_ni);

  // Memory: beats of what was accepted, from the clock after on. A reset of the core ends that too (axi_read.sv).
  logic [5:0] due_q = '0;
  logic       accepted;
  logic [4:0] beats_of_one;
  assign accepted     = req_valid_o && req_ready_i;
  assign beats_of_one = {1'b0, req_bursts_o, 2'b00};
  always_ff @(posedge clk_i) due_q <= rst_ni ? due_q + (accepted ? {1'b0, beats_of_one} : 6'd0) - {5'd0, beat_valid_i} : '0;
  always_comb if (due_q == '0) assume (!beat_valid_i);

  // Host: a hit is taken or not. What it sets, it sets as agreed.
  always_comb assume (axes_i >= 8'd1 && axes_i <= most_axes_i && most_axes_i <= 8'd64);

  // Nodes are visited by pairs at most once: not what was handed over last or before it, and not what is dead.
  logic handed_q = 1'b0, twice_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || start) {twice_q, handed_q} <= 2'b00;
    else if (take_dops) {twice_q, handed_q} <= {handed_q, 1'b1};
  end
  always_comb begin
    if (take_dops) begin
      if (handed_q) assume ({next_b, next_a} != {node_b, node_a});
      if (twice_q) assume ({next_b, next_a} != {shown_previous_b_q, shown_previous_a_q});
      if (shown_dead_q) assume ({next_b, next_a} != {shown_dead_b_q, shown_dead_a_q});
    end
  end

  // The pair that is followed.
  (* anyseq *) logic follow;
  logic        pending_q = 1'b0, settled_q = 1'b0, of_followed;
  logic [63:0] followed_q, links_a_q, links_b_q;
  assign of_followed = {result_b, result_a} == followed_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || start) begin
      {settled_q, pending_q} <= 2'b00;
    end else begin
      if (take_dops && follow && !pending_q && !settled_q) begin
        pending_q  <= 1'b1;
        followed_q <= {next_b, next_a};
        links_a_q  <= record_a[K*Width +: 64];
        links_b_q  <= record_b[K*Width +: 64];
      end
      if (pending_q && result_valid && of_followed && (separated || result_last)) {settled_q, pending_q} <= 2'b10;
    end
  end
  always_comb if (settled_q && take_dops) assume ({next_b, next_a} != followed_q);

  // Its children: of a leaf the node itself, of two leaves their triangles; the right one above the left.
  logic         leaf_a, leaf_b;
  logic [63:0]  children_a, children_b;
  logic [130:0] children;
  assign leaf_a     = links_a_q[63:32] == '0;
  assign leaf_b     = links_b_q[63:32] == '0;
  assign children_a = !leaf_a ? links_a_q : leaf_b ? {2{links_a_q[31:0]}} : {2{followed_q[31:0]}};
  assign children_b = !leaf_b ? links_b_q : leaf_a ? {2{links_b_q[31:0]}} : {2{followed_q[63:32]}};
  assign children   = {!leaf_b, !leaf_a, leaf_a && leaf_b, children_b, children_a};

  // What went wrong in this query.
  logic wrong_q = 1'b0, full_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || start) {full_q, wrong_q} <= 2'b00;
    else begin
      if (busy_o && beat_valid_i && beat_error_i) wrong_q <= 1'b1;
      if (push && full) full_q <= 1'b1;
    end
  end

  // What was popped, and whether its first request is made.
  logic [64:0] popped_q;
  logic        second_q, may_pop_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (pop) popped_q <= {top_triangles, top_b, top_a};
    second_q  <= !pop && (second_q || accepted);
    may_pop_q <= rst_ni && !start && !push && !pop && !empty;
  end
  logic [31:0] number, address;
  assign number  = second_q ? popped_q[63:32] : popped_q[31:0];
  assign address = popped_q[64] ? (second_q ? triangles_b_i : triangles_a_i) + number
                                : (second_q ? nodes_b_i : nodes_a_i) + number*Bursts;

  // One beat of one of the two records.
  (* anyconst *) logic [4:0] chosen_beat;
  (* anyconst *) logic       chosen_side;
  logic         kept_q = 1'b0;
  logic [127:0] kept_data_q, in_place, comparable;
  localparam int unsigned PartBits = Record % 128;   // of the last beat; some in every record here
  logic [6:0]   came_q = '0;       // beats since the pop
  always_ff @(posedge clk_i) begin
    if (!rst_ni || pop) came_q <= '0;
    else came_q <= came_q + {6'd0, beat};
    if (!rst_ni || pop) kept_q <= 1'b0;
    else if (beat && came_q == (chosen_side ? (shown_triangles_q ? 7'd4 : Beats) : 7'd0) + chosen_beat) begin
      kept_q      <= 1'b1;
      kept_data_q <= beat_data_i;
    end
  end
  always_comb begin
    assume (chosen_beat < (shown_triangles_q ? 5'd4 : Beats) && chosen_beat*128 < Record);
    in_place  = '0;
    comparable = chosen_beat == Record / 128 ? (128'd1 << (Record % 128)) - 128'd1 : '1;
    if (chosen_beat == Record / 128) in_place[PartBits-1:0] = chosen_side ? record_b[Record-1 -: PartBits] : record_a[Record-1 -: PartBits];
    for (int i = 0; i < Record / 128; i++) begin
      if (chosen_beat == i) in_place = chosen_side ? record_b[i*128 +: 128] : record_a[i*128 +: 128];
    end
  end

  logic        waits_q = 1'b0, was_busy_q = 1'b0, was_clean_q = 1'b0;
  logic [33:0] request_q;
  always_ff @(posedge clk_i) begin
    waits_q     <= rst_ni && req_valid_o && !req_ready_i;
    request_q   <= {req_bursts_o, req_address_o};
    was_busy_q  <= rst_ni && busy_o;
    was_clean_q <= shown_valid_q == '0 && !testing && due_q == '0 && !req_valid_o && !loaded && triangle_empty && (empty || !run) &&
                   (!pending_q || !run);
  end

  // What the host sets stays as it is while the chip is busy.
  logic [127:0] addresses_q;
  logic [16:0]  choice_q;
  always_ff @(posedge clk_i) begin
    addresses_q <= {nodes_a_i, nodes_b_i, triangles_a_i, triangles_b_i};
    choice_q    <= {go_on_i, most_axes_i, axes_i};
  end
  always_comb if (busy_o) assume ({nodes_a_i, nodes_b_i, triangles_a_i, triangles_b_i, go_on_i, most_axes_i, axes_i} == {addresses_q, choice_q});

  always_comb begin
    if (begun_q && rst_ni) begin
      if (was_busy_q && !busy_o) assert (was_clean_q && done_o);
      if (settled_q && result_valid && of_followed) assert (ignored || !run);
      if (push) assert (!settled_q || !of_followed);
      if (pending_q && run && result_valid && of_followed && (separated || result_last)) assert (separated != push && !ignored);
      if (waits_q) assert (req_valid_o && request_q == {req_bursts_o, req_address_o});
      if (req_valid_o) assert (req_address_o == address && req_bursts_o == (popped_q[64] ? 2'd1 : Bursts[1:0]));
      if (handed_over) assert ({loaded_triangles, next_b, next_a} == popped_q && second_q);
      assert (due_q <= 2*Beats && (!req_valid_o || due_q <= Beats));
      if (busy_o || done_o) assert (error_o == wrong_q && overflow_o == full_q);
      if (wrong_q || full_q) assert (!run && !push && !write && !pop && !take_dops && !take_triangles && !testing);
      assert (write == (push && !full));
      if (pop) assert (may_pop_q && !push && !start);
      if (start) assert (!push && !busy_o);
      if (handed_over && kept_q) assert ((kept_data_q & comparable) == in_place);
      if (push && pending_q && of_followed) assert (entry == children);
      if (handed_over) assert (kept_q && came_q == (loaded_triangles ? 7'd8 : 2*Beats));
    end
  end

  // What induction needs. Clocks since the last two pairs were handed over, up to 31: loading takes longer than the pipe.
  localparam logic [2:0] Idle = 3'd0, Pop = 3'd1, AskA = 3'd2, AskB = 3'd3, Load = 3'd4, Full = 3'd5;
  logic [4:0] since_q = 5'd31, since_previous_q = 5'd31, in_pipe;
  logic       inside, last_inside, old_inside, all_known, in_order;   // tests of the followed pair, of the one before, of all
  logic [6:0] asked, size;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || start) {since_q, since_previous_q} <= '1;
    else if (take_dops) begin
      since_previous_q <= since_q == 5'd31 ? 5'd31 : since_q + 5'd1;
      since_q          <= 5'd1;
    end else begin
      if (since_q != 5'd31) since_q <= since_q + 5'd1;
      if (since_previous_q != 5'd31) since_previous_q <= since_previous_q + 5'd1;
    end
  end
  always_comb begin
    in_pipe     = '0;
    inside      = 1'b0;
    last_inside = 1'b0;
    old_inside  = 1'b0;
    all_known   = 1'b1;
    in_order    = 1'b1;
    for (int i = 0; i < Stages; i++) begin
      in_pipe = in_pipe + {4'd0, shown_valid_q[i]};
      if (shown_valid_q[i]) begin
        if (shown_nodes_q[65*i +: 64] == followed_q) {inside, last_inside} = {1'b1, last_inside || shown_nodes_q[65*i+64]};
        // Given so many clocks ago: of the current pair if that was since it was handed over, else of the one before.
        if (i + 1 < since_q) all_known = all_known && handed_q && shown_nodes_q[65*i +: 64] == {node_b, node_a};
        else {old_inside, all_known} = {1'b1, all_known && twice_q && i + 1 < since_previous_q && shown_nodes_q[65*i +: 64] == {shown_previous_b_q, shown_previous_a_q}};
        // Nothing comes behind the last test of a pair.
        if (testing && shown_nodes_q[65*i+64] && i + 1 < since_q && run) in_order = 1'b0;
        for (int j = 0; j < i; j++) begin
          if (shown_valid_q[j] && shown_nodes_q[65*i +: 65] == {1'b1, shown_nodes_q[65*j +: 64]}) in_order = 1'b0;
        end
      end
    end
    size  = shown_triangles_q ? 7'd4 : Beats;
    asked = shown_state_q == AskB ? size : shown_state_q == Load || shown_state_q == Full ? 2*size : 7'd0;
  end
  always_comb begin
    if (begun_q) begin
      assert (shown_in_flight_q == in_pipe);
      assert (shown_state_q <= Full && shown_control_q != 2'd3);
      assert (all_known && in_order);
      if (!busy_o) assert (shown_valid_q == '0 && !testing && shown_state_q == Idle && due_q == '0);
      if (!handed_q) assert (shown_valid_q == '0 && !testing && !pending_q && !settled_q && !shown_dead_q);
      assert (since_q != '0);
      if (shown_state_q >= AskA) assert (since_q == 5'd31 || {2'b00, since_q} >= 7'd2 + came_q);
      if (shown_state_q >= AskB) assert (since_q == 5'd31 || {2'b00, since_q} >= 7'd3);
      if (twice_q) assert (since_previous_q == 5'd31 || since_previous_q >= since_q + 5'd10);
      if (!twice_q) assert (since_previous_q == 5'd31);
      else assert (handed_q && {node_b, node_a} != {shown_previous_b_q, shown_previous_a_q});
      if (!handed_q) assert (since_q == 5'd31);
      if (shown_state_q == Pop) assert (may_pop_q || !run || !rst_ni);
      if (shown_state_q >= AskA) begin
        assert ({shown_triangles_q, next_b, next_a} == popped_q && second_q == (shown_state_q >= AskB));
        assert ({1'b0, due_q} + came_q == asked);
        assert (came_q == (shown_of_b_q ? size : 7'd0) + {2'b00, shown_beat_q} || (shown_of_b_q && came_q == 2*size && shown_beat_q == '0));
        assert ({2'b00, shown_beat_q} < size);
        if (shown_state_q == Full) assert (came_q == 2*size && shown_of_b_q);
        else assert (came_q < 2*size);
        assert (kept_q == (came_q > (chosen_side ? size : 7'd0) + chosen_beat));
        if (kept_q) assert ((kept_data_q & comparable) == in_place);
      end else assert (due_q == '0);
      if (run) assert (!wrong_q && !full_q);
      else assert (!busy_o || wrong_q || full_q);
      if (busy_o && !run) assert (!testing);
      assert (!(pending_q && settled_q));
      if (pending_q && run) begin
        assert (last_inside || (testing && {node_b, node_a} == followed_q));
        if (shown_dead_q) assert (followed_q != {shown_dead_b_q, shown_dead_a_q});
        if ({node_b, node_a} == followed_q) assert ({shown_record_b_q[K*Width +: 64], shown_record_a_q[K*Width +: 64]} == {links_b_q, links_a_q});
        else assert (twice_q && {shown_previous_b_q, shown_previous_a_q, shown_previous_links_b_q, shown_previous_links_a_q} == {followed_q, links_b_q, links_a_q});
      end
      if (testing && run) assert (!shown_dead_q || {node_b, node_a} != {shown_dead_b_q, shown_dead_a_q});
      if (settled_q && run) assert (!inside || (shown_dead_q && followed_q == {shown_dead_b_q, shown_dead_a_q}));
      if (old_inside) begin
        assert (!shown_dead_q || {node_b, node_a} != {shown_dead_b_q, shown_dead_a_q});
        assert (!settled_q || {node_b, node_a} != followed_q);
      end
      if (settled_q && testing) assert (followed_q != {node_b, node_a});
    end
  end

  // That the properties speak of something.
  (* keep *) logic reached;
  assign reached = begun_q && rst_ni && settled_q && done_o && !busy_o && !error_o && !overflow_o;
