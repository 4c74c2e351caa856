// The unit that refits a tree whose corners have moved (src/chip/refit.hpp, which it follows clock by clock): fetches links and
// triangles from the last node to the first, makes DOPs and writes records. Not part of the chip: held to the cycle model and synthesised
// for its area, by studies.py.
//
// A place among 16 for what is fetched is the lowest four bits of a node's number. Reads and writes are asked for in whole bursts; beats of
// reads come in their order, those of writes are taken in theirs.
module refit_unit #(
    parameter int unsigned Width
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic                   start_i,
    input  logic [31:0]            nodes_i,
    input  logic [31:0]            triangles_i,
    input  logic [31:0]            links_i,
    input  logic [31:0]            count_i,
    input  logic [3*(Width+6)-1:0] up_i,
    input  logic [3*(Width+6)-1:0] down_i,
    input  logic [3*Width-1:0]     add_i,
    output logic                   read_o,
    input  logic                   read_ready_i,
    output logic [31:0]            read_at_o,
    input  logic                   beat_valid_i,
    input  logic [127:0]           beat_i,
    output logic                   write_o,        // a record
    input  logic                   write_ready_i,
    output logic [31:0]            write_at_o,
    output logic                   data_valid_o,   // its beats, after that
    input  logic                   data_ready_i,
    output logic [127:0]           data_o,
    output logic                   busy_o
);
  localparam int unsigned Dop = 24*Width;
  localparam int unsigned Record = Dop + 64;
  localparam int unsigned Bursts = (Record + 511) / 512;
  localparam int unsigned Corners = 9*Width;
  localparam int unsigned Segments = (Corners + 127) / 128;
  localparam int unsigned StackDepth = 512;
  localparam int unsigned LeafClocks = 12;
  localparam logic [4:0] Ahead = 5'd16, Together = 5'd8;

  // What the host has set.
  logic [31:0]            nodes_q, triangles_q, links_q;
  logic [3*(Width+6)-1:0] up_q, down_q;
  logic [3*Width-1:0]     add_q;
  always_ff @(posedge clk_i) if (start_i) begin
    nodes_q     <= nodes_i;
    triangles_q <= triangles_i;
    links_q     <= links_i;
    up_q        <= up_i;
    down_q      <= down_i;
    add_q       <= add_i;
  end

  // Nodes whose links are not asked for yet, nodes that are not begun, records not asked to be written.
  logic [31:0] to_ask_q, to_begin_q, to_write_q, front, back;
  logic [4:0]  fetched, made_q;
  logic [3:0]  left_q;                         // clocks
  logic        writing_q;
  assign fetched = 5'(to_begin_q - to_ask_q);
  assign front   = to_begin_q - 32'd1;
  assign back    = to_ask_q - 32'd1;

  // --- what is fetched ---------------------------------------------------------------------------------------------------------------
  logic [63:0] even_q [8], odd_q [8];          // links of nodes with even and odd numbers
  logic [15:0] has_links_q, leaf_q, asked_q, has_triangle_q;
  logic [15:0] eligible, in_turn;              // by place, and from the one that is begun next on
  logic        found;
  logic [3:0]  found_at;
  assign eligible = has_links_q & leaf_q & ~asked_q;
  for (genvar i = 0; i < 16; i++) begin : g_turn
    logic [3:0] place;
    assign place      = front[3:0] - 4'(i);
    assign in_turn[i] = 5'(i) < fetched && eligible[place];
  end
  always_comb begin
    found    = 1'b0;
    found_at = '0;
    for (int i = 15; i >= 0; i--) begin
      if (in_turn[i]) begin
        found    = 1'b1;
        found_at = front[3:0] - i[3:0];
      end
    end
  end
  logic [63:0] found_links, front_links;
  assign found_links = found_at[0] ? odd_q[found_at[3:1]] : even_q[found_at[3:1]];
  assign front_links = front[0] ? odd_q[front[3:1]] : even_q[front[3:1]];

  // --- requests: writing goes on until all is written that is there, reading until enough is ---------------------------------------------
  logic enough, writing, ask_triangle, ask_links;
  assign enough       = made_q >= Together || (to_ask_q == '0 && fetched == '0 && left_q == '0);
  assign writing      = made_q != '0 && (writing_q || enough);
  assign write_o      = writing && write_ready_i;
  assign write_at_o   = nodes_q + (to_write_q - 32'd1) * Bursts;
  assign ask_triangle = !writing && read_ready_i && found;
  assign ask_links    = !writing && read_ready_i && !found && to_ask_q != '0 && (fetched == '0 || fetched <= Ahead - 5'd8);
  assign read_o       = ask_triangle || ask_links;
  assign read_at_o    = ask_triangle ? triangles_q + found_links[31:0] : links_q + {3'd0, back[31:3]};

  // --- what comes, in the order in which it was asked for --------------------------------------------------------------------------------
  logic [4:0] expected [32];                   // a triangle, and a place
  logic [4:0] asked_at_q, comes_at_q, comes;
  logic [1:0] beat_q;
  logic       last_beat;
  assign comes     = expected[comes_at_q];
  assign last_beat = beat_valid_i && beat_q == 2'd3;
  always_ff @(posedge clk_i) begin
    if (read_o) expected[asked_at_q] <= {ask_triangle, ask_triangle ? found_at : {back[3], 3'd0}};
    if (beat_valid_i && !comes[4]) begin
      even_q[{comes[3], beat_q}] <= beat_i[63:0];
      odd_q[{comes[3], beat_q}]  <= beat_i[127:64];
    end
    if (!rst_ni || start_i) begin
      asked_at_q <= '0;
      comes_at_q <= '0;
      beat_q     <= '0;
    end else begin
      if (read_o) asked_at_q <= asked_at_q + 5'd1;
      if (beat_valid_i) beat_q <= beat_q + 2'd1;
      if (last_beat) comes_at_q <= comes_at_q + 5'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (beat_valid_i && !comes[4]) begin
      leaf_q[{comes[3], beat_q, 1'b0}] <= beat_i[63:32] == '0;
      leaf_q[{comes[3], beat_q, 1'b1}] <= beat_i[127:96] == '0;
    end
    for (int unsigned i = 0; i < 16; i++) begin
      if (last_beat && !comes[4] && comes[3] == i[3]) has_links_q[i] <= 1'b1;
      if (ask_triangle && found_at == i[3:0]) asked_q[i] <= 1'b1;
      if (last_beat && comes[4] && comes[3:0] == i[3:0]) has_triangle_q[i] <= 1'b1;
      if (ask_links && back[3] == i[3]) begin
        has_links_q[i]    <= 1'b0;
        asked_q[i]        <= 1'b0;
        has_triangle_q[i] <= 1'b0;
      end
    end
  end

  // --- what is made: the DOP of the node that was made last in registers, those below it on a stack --------------------------------------
  logic        begin_node, leaf, of_leaf_q, ends;
  logic [3:0]  place_q;
  logic [63:0] node_links_q;
  assign leaf       = leaf_q[front[3:0]];
  assign begin_node = left_q == '0 && fetched != '0 && (made_q < 5'd16 || write_o) && has_links_q[front[3:0]] &&
                      (!leaf || has_triangle_q[front[3:0]]);
  assign ends       = left_q == 4'd1;

  logic [3:0]         read_place;
  logic [Corners-1:0] corners;
  assign read_place = begin_node ? front[3:0] : place_q;
  for (genvar i = 0; i < Segments; i++) begin : g_segment
    localparam int unsigned Bits = i == Segments - 1 ? Corners - 128*i : 128;
    block_memory #(.Width(Bits), .Depth(16)) u_corners (
      .clk_i, .write_i(beat_valid_i && comes[4] && beat_q == i), .write_at_i(comes[3:0]), .data_i(beat_i[Bits-1:0]),
      .read_at_i(read_place), .data_o(corners[128*i +: Bits])
    );
  end

  logic [2:0]         group, made_group;
  logic [4*Width-1:0] of_group;
  assign group      = 3'(4'd12 - left_q);
  assign made_group = 3'(4'd6 - left_q);
  refit_leaf #(.Width(Width)) u_leaf (
    .clk_i, .corners_i(corners), .group_i(group), .up_i(up_q), .down_i(down_q), .add_i(add_q), .made_group_i(made_group), .made_o(of_group)
  );

  localparam int unsigned StackBits = $clog2(StackDepth);
  logic [StackBits-1:0] below_q;
  logic [Dop-1:0]       top_q, second;
  block_memory #(.Width(Dop), .Depth(StackDepth)) u_stack (
    .clk_i, .write_i(begin_node && leaf), .write_at_i(below_q), .data_i(top_q), .read_at_i(below_q - 1'b1), .data_o(second)
  );
  for (genvar j = 0; j < 24; j++) begin : g_coefficient
    logic signed [Width-1:0] own, other;
    assign own   = top_q[j*Width +: Width];
    assign other = second[j*Width +: Width];
    always_ff @(posedge clk_i) begin
      if (of_leaf_q && left_q != '0 && left_q <= 4'd6 && made_group == 3'(j/4)) top_q[j*Width +: Width] <= of_group[(j%4)*Width +: Width];
      if (!of_leaf_q && ends && other > own) top_q[j*Width +: Width] <= other;
    end
  end

  // --- records that wait to be written, and to be taken ------------------------------------------------------------------------------------
  localparam int unsigned RecordBeats = 4*Bursts;
  logic [5:0]                     put_at_q, take_at_q, asked_count_q;
  logic [$clog2(RecordBeats)-1:0] take_beat_q;
  logic                           put_q, taken, there_q;
  logic [Record-1:0]              record;
  logic [128*RecordBeats-1:0]     padded;
  assign taken        = data_valid_o && data_ready_i && &take_beat_q;
  assign data_valid_o = there_q;
  block_memory #(.Width(Record), .Depth(64)) u_records (
    .clk_i, .write_i(put_q), .write_at_i(put_at_q), .data_i({node_links_q, top_q}), .read_at_i(taken ? take_at_q + 6'd1 : take_at_q), .data_o(record)
  );
  assign padded = {{(128*RecordBeats-Record){1'b0}}, record};
  assign data_o = padded[128*take_beat_q +: 128];

  always_ff @(posedge clk_i) begin
    put_q   <= ends;
    there_q <= asked_count_q != {5'd0, taken};
    if (begin_node) begin
      place_q      <= front[3:0];
      node_links_q <= front_links;
      of_leaf_q    <= leaf;
    end
    if (!rst_ni || start_i) begin
      to_ask_q      <= rst_ni ? count_i : '0;
      to_begin_q    <= rst_ni ? count_i : '0;
      to_write_q    <= rst_ni ? count_i : '0;
      left_q        <= '0;
      made_q        <= '0;
      writing_q     <= 1'b0;
      below_q       <= '0;
      put_at_q      <= '0;
      take_at_q     <= '0;
      take_beat_q   <= '0;
      asked_count_q <= '0;
      put_q         <= 1'b0;
      there_q       <= 1'b0;
    end else begin
      if (ask_links) to_ask_q <= {back[31:3], 3'd0};
      if (begin_node) to_begin_q <= front;
      if (write_o) to_write_q <= to_write_q - 32'd1;
      left_q    <= begin_node ? (leaf ? 4'(LeafClocks) : 4'd1) : left_q == '0 ? '0 : left_q - 4'd1;
      made_q    <= made_q + {4'd0, ends} - {4'd0, write_o};
      writing_q <= writing;
      if (begin_node && leaf) below_q <= below_q + 1'b1;
      if (ends && !of_leaf_q) below_q <= below_q - 1'b1;
      if (put_q) put_at_q <= put_at_q + 6'd1;
      if (data_valid_o && data_ready_i) take_beat_q <= take_beat_q + 1'b1;
      if (taken) take_at_q <= take_at_q + 6'd1;
      asked_count_q <= asked_count_q + {5'd0, write_o} - {5'd0, taken};
    end
  end
  assign busy_o = to_write_q != '0 || asked_count_q != '0;

  logic unused_bits;
  assign unused_bits = ^{back[2:0], found_links[63:32]};
endmodule
