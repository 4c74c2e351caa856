// The chip on its buses: registers on AXI4-Lite for the host, an AXI4 master that reads memory (docs/chip-system.md).
module snug_chip #(
  parameter int unsigned Width = 0,
  parameter int unsigned K = 0,
  parameter int unsigned MultiplierStages = 0,
  parameter int unsigned StackDepth = 0
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         s_axi_awvalid_i,
  output logic         s_axi_awready_o,
  input  logic [12:0]  s_axi_awaddr_i,
  input  logic         s_axi_wvalid_i,
  output logic         s_axi_wready_o,
  input  logic [31:0]  s_axi_wdata_i,
  input  logic [3:0]   s_axi_wstrb_i,
  output logic         s_axi_bvalid_o,
  input  logic         s_axi_bready_i,
  output logic [1:0]   s_axi_bresp_o,
  input  logic         s_axi_arvalid_i,
  output logic         s_axi_arready_o,
  input  logic [12:0]  s_axi_araddr_i,
  output logic         s_axi_rvalid_o,
  input  logic         s_axi_rready_i,
  output logic [31:0]  s_axi_rdata_o,
  output logic [1:0]   s_axi_rresp_o,

  output logic         m_axi_arvalid_o,
  input  logic         m_axi_arready_i,
  output logic [39:0]  m_axi_araddr_o,
  output logic [7:0]   m_axi_arlen_o,
  output logic [2:0]   m_axi_arsize_o,
  output logic [1:0]   m_axi_arburst_o,
  input  logic         m_axi_rvalid_i,
  output logic         m_axi_rready_o,
  input  logic [127:0] m_axi_rdata_i,
  input  logic [1:0]   m_axi_rresp_i,
  input  logic         m_axi_rlast_i
);

  logic               start, reset_core, go_on, keep_all, axis_write, busy, done, overflow, error;
  logic               hit_valid, hit_ready, req_valid, req_ready, beat_valid, beat_error;
  logic [31:0]        nodes_a, nodes_b, triangles_a, triangles_b, axis_data, hit_a, hit_b, req_address;
  logic [7:0]         axes, most_axes;
  logic [9*Width-1:0] rotation;
  logic [3*Width+5:0] translation;
  logic [5:0]         slack;
  logic [9:0]         axis_at;
  logic [63:0]        clocks;
  logic [351:0]       counts;
  logic [1:0]         req_bursts;
  logic [127:0]       beat_data;

  axi_registers #(.Width(Width)) u_registers (
    .clk_i, .rst_ni,
    .s_axi_awvalid_i, .s_axi_awready_o, .s_axi_awaddr_i, .s_axi_wvalid_i, .s_axi_wready_o, .s_axi_wdata_i, .s_axi_wstrb_i,
    .s_axi_bvalid_o, .s_axi_bready_i, .s_axi_bresp_o, .s_axi_arvalid_i, .s_axi_arready_o, .s_axi_araddr_i,
    .s_axi_rvalid_o, .s_axi_rready_i, .s_axi_rdata_o, .s_axi_rresp_o,
    .start_o(start), .reset_o(reset_core), .nodes_a_o(nodes_a), .nodes_b_o(nodes_b), .triangles_a_o(triangles_a),
    .triangles_b_o(triangles_b), .axes_o(axes), .most_axes_o(most_axes), .go_on_o(go_on), .rotation_o(rotation),
    .translation_o(translation), .slack_o(slack), .keep_all_o(keep_all), .axis_write_o(axis_write), .axis_at_o(axis_at),
    .axis_data_o(axis_data), .busy_i(busy), .done_i(done), .overflow_i(overflow), .error_i(error), .clocks_i(clocks),
    .counts_i(counts), .hit_valid_i(hit_valid), .hit_ready_o(hit_ready), .hit_a_i(hit_a), .hit_b_i(hit_b)
  );

  chip_core #(.Width(Width), .K(K), .MultiplierStages(MultiplierStages), .StackDepth(StackDepth)) u_core (
    .clk_i, .rst_ni(rst_ni && !reset_core), .start_i(start), .nodes_a_i(nodes_a), .nodes_b_i(nodes_b), .triangles_a_i(triangles_a),
    .triangles_b_i(triangles_b), .axes_i(axes), .most_axes_i(most_axes), .go_on_i(go_on), .rotation_i(rotation),
    .translation_i(translation), .slack_i(slack), .keep_all_i(keep_all), .axis_write_i(axis_write), .axis_at_i(axis_at),
    .axis_data_i(axis_data), .busy_o(busy), .done_o(done), .overflow_o(overflow), .error_o(error), .clocks_o(clocks),
    .counts_o(counts), .hit_valid_o(hit_valid), .hit_ready_i(hit_ready), .hit_a_o(hit_a), .hit_b_o(hit_b),
    .req_valid_o(req_valid), .req_address_o(req_address), .req_bursts_o(req_bursts), .req_ready_i(req_ready),
    .beat_valid_i(beat_valid), .beat_data_i(beat_data), .beat_error_i(beat_error)
  );

  axi_read_master u_master (
    .clk_i, .rst_ni, .flush_i(reset_core), .req_valid_i(req_valid), .req_address_i(req_address), .req_bursts_i(req_bursts),
    .req_ready_o(req_ready), .beat_valid_o(beat_valid), .beat_data_o(beat_data), .beat_error_o(beat_error),
    .m_axi_arvalid_o, .m_axi_arready_i, .m_axi_araddr_o, .m_axi_arlen_o, .m_axi_arsize_o, .m_axi_arburst_o,
    .m_axi_rvalid_i, .m_axi_rready_o, .m_axi_rdata_i, .m_axi_rresp_i, .m_axi_rlast_i
  );

endmodule
