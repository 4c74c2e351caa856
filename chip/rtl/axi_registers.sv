// The host's side of the chip: registers on AXI4-Lite (docs/chip-system.md, section 9). Everything that a query needs is kept here but
// for the axes, which are handed on, and one hit waits here until it is read.
//
// A write that does not cover a whole register, or of what can not be written, changes nothing and is answered by SLVERR, as is a
// read of what can not be read.
module axi_registers #(
  parameter int unsigned Width = 0
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               s_axi_awvalid_i,
  output logic               s_axi_awready_o,
  input  logic [12:0]        s_axi_awaddr_i,
  input  logic               s_axi_wvalid_i,
  output logic               s_axi_wready_o,
  input  logic [31:0]        s_axi_wdata_i,
  input  logic [3:0]         s_axi_wstrb_i,
  output logic               s_axi_bvalid_o,
  input  logic               s_axi_bready_i,
  output logic [1:0]         s_axi_bresp_o,
  input  logic               s_axi_arvalid_i,
  output logic               s_axi_arready_o,
  input  logic [12:0]        s_axi_araddr_i,
  output logic               s_axi_rvalid_o,
  input  logic               s_axi_rready_i,
  output logic [31:0]        s_axi_rdata_o,
  output logic [1:0]         s_axi_rresp_o,

  output logic               start_o,
  output logic               reset_o,
  output logic [31:0]        nodes_a_o,
  output logic [31:0]        nodes_b_o,
  output logic [31:0]        triangles_a_o,
  output logic [31:0]        triangles_b_o,
  output logic [7:0]         axes_o,
  output logic [7:0]         most_axes_o,
  output logic               go_on_o,
  output logic [9*Width-1:0] rotation_o,
  output logic [3*Width+5:0] translation_o,
  output logic [5:0]         slack_o,
  output logic               keep_all_o,
  output logic               axis_write_o,
  output logic [9:0]         axis_at_o,
  output logic [31:0]        axis_data_o,

  input  logic               busy_i,
  input  logic               done_i,
  input  logic               overflow_i,
  input  logic               error_i,
  input  logic [63:0]        clocks_i,
  input  logic [351:0]       counts_i,
  input  logic               hit_valid_i,
  output logic               hit_ready_o,
  input  logic [31:0]        hit_a_i,
  input  logic [31:0]        hit_b_i
);

  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] SlaveError = 2'b10;

  // Writes: address and data together, one at a time.
  logic        write, whole, write_axis, write_known, answered_q;
  logic [1:0]  answer_q;
  logic [10:0] write_word;
  assign s_axi_awready_o = s_axi_awvalid_i && s_axi_wvalid_i && (!answered_q || s_axi_bready_i);
  assign s_axi_wready_o  = s_axi_awready_o;
  assign s_axi_bvalid_o  = answered_q;
  assign s_axi_bresp_o   = answer_q;
  assign whole           = s_axi_wstrb_i == 4'b1111;
  assign write           = s_axi_awready_o && whole;
  assign write_word      = s_axi_awaddr_i[12:2];
  assign write_axis      = write_word[10];
  // Control, axes, triangle, addresses, placement.
  assign write_known     = write_axis || write_word == 11'h000 || (write_word >= 11'h002 && write_word <= 11'h007) ||
                           (write_word >= 11'h020 && write_word <= 11'h037);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) answered_q <= 1'b0;
    else if (s_axi_awready_o) answered_q <= 1'b1;
    else if (s_axi_bready_i) answered_q <= 1'b0;
    if (s_axi_awready_o) answer_q <= whole && write_known ? Okay : SlaveError;
  end

  assign start_o      = write && write_word == 11'h000 && s_axi_wdata_i[0];
  assign reset_o      = write && write_word == 11'h000 && s_axi_wdata_i[1];
  assign axis_write_o = write && write_axis;
  assign axis_at_o    = write_word[9:0];
  assign axis_data_o  = s_axi_wdata_i;

  logic [16:0]  axes_q;
  logic [6:0]   triangle_q;
  logic [127:0] addresses_q;
  always_ff @(posedge clk_i) begin
    if (write && write_word == 11'h002) axes_q <= s_axi_wdata_i[16:0];
    if (write && write_word == 11'h003) triangle_q <= {s_axi_wdata_i[8], s_axi_wdata_i[5:0]};
  end
  for (genvar i = 0; i < 4; i++) begin : gen_address
    always_ff @(posedge clk_i) if (write && write_word == 11'h004 + i) addresses_q[i*32 +: 32] <= s_axi_wdata_i;
  end
  assign {go_on_o, most_axes_o, axes_o} = axes_q;
  assign {keep_all_o, slack_o}          = triangle_q;
  assign {triangles_b_o, triangles_a_o, nodes_b_o, nodes_a_o} = addresses_q;

  // Numbers of 8 bytes, of which so many bits are kept.
  for (genvar i = 0; i < 12; i++) begin : gen_placement
    localparam int unsigned Bits = i < 9 ? Width : Width + 2;
    localparam int unsigned Low = Bits > 32 ? 32 : Bits;
    logic [Bits-1:0] number_q;
    always_ff @(posedge clk_i) if (write && write_word == 11'h020 + 2*i) number_q[Low-1:0] <= s_axi_wdata_i[Low-1:0];
    if (Bits > 32) begin : gen_upper
      always_ff @(posedge clk_i) if (write && write_word == 11'h021 + 2*i) number_q[Bits-1:32] <= s_axi_wdata_i[Bits-33:0];
    end
    if (i < 9) begin : gen_rotation
      assign rotation_o[i*Width +: Width] = number_q;
    end else begin : gen_translation
      assign translation_o[(i-9)*(Width+2) +: Width+2] = number_q;
    end
  end

  // Reads. The second half of a hit takes it.
  logic        read, held_q, take_hit;
  logic [10:0] read_word;
  logic [31:0] hit_a_q, hit_b_q, data_d, data_q;
  logic        read_known, read_q;
  logic [1:0]  response_q;
  assign s_axi_arready_o = !read_q || s_axi_rready_i;
  assign read            = s_axi_arvalid_i && s_axi_arready_o;
  assign read_word       = s_axi_araddr_i[12:2];
  assign take_hit        = read && read_word == 11'h009;
  always_comb begin
    data_d     = '0;
    read_known = 1'b1;
    unique case (read_word)
      11'h000: ;
      11'h001: data_d = {27'b0, held_q, error_i, overflow_i, done_i, busy_i};
      11'h002: data_d = {15'b0, axes_q};
      11'h003: data_d = {23'b0, triangle_q[6], 2'b0, triangle_q[5:0]};
      11'h004: data_d = addresses_q[31:0];
      11'h005: data_d = addresses_q[63:32];
      11'h006: data_d = addresses_q[95:64];
      11'h007: data_d = addresses_q[127:96];
      11'h008: data_d = hit_a_q;
      11'h009: data_d = hit_b_q;
      11'h00A: data_d = clocks_i[31:0];
      11'h00B: data_d = clocks_i[63:32];
      11'h00C: data_d = counts_i[31:0];
      11'h00D: data_d = counts_i[63:32];
      11'h00E: data_d = counts_i[95:64];
      11'h00F: data_d = counts_i[127:96];
      11'h010: data_d = counts_i[159:128];
      11'h011: data_d = counts_i[191:160];
      11'h012: data_d = counts_i[223:192];
      11'h013: data_d = counts_i[255:224];
      11'h014: data_d = counts_i[287:256];
      11'h015: data_d = counts_i[319:288];
      11'h016: data_d = counts_i[351:320];
      default: read_known = 1'b0;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) read_q <= 1'b0;
    else if (read) read_q <= 1'b1;
    else if (s_axi_rready_i) read_q <= 1'b0;
    if (read) begin
      data_q     <= data_d;
      response_q <= read_known ? Okay : SlaveError;
    end
  end
  assign s_axi_rvalid_o = read_q;
  assign s_axi_rdata_o  = data_q;
  assign s_axi_rresp_o  = response_q;

  assign hit_ready_o = !held_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || reset_o) held_q <= 1'b0;
    else if (hit_valid_i && hit_ready_o) held_q <= 1'b1;
    else if (take_hit) held_q <= 1'b0;
    if (hit_valid_i && hit_ready_o) begin
      hit_a_q <= hit_a_i;
      hit_b_q <= hit_b_i;
    end
  end

  logic unused_bits;
  assign unused_bits = ^{s_axi_awaddr_i[1:0], s_axi_araddr_i[1:0]};

endmodule
