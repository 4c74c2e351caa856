// GetData of the papers (docs/chip-system.md, section 5): takes pairs from the stack and loads their records or triangles while the
// current pair is tested. It has room for one pair, which it holds until it is taken.
module get_data #(
  parameter int unsigned Width = 0,
  parameter int unsigned K = 0,
  parameter int unsigned Bursts = 0    // of a node's record
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    run_i,          // else what was begun is brought to an end
  input  logic [31:0]             nodes_a_i,
  input  logic [31:0]             nodes_b_i,
  input  logic [31:0]             triangles_a_i,
  input  logic [31:0]             triangles_b_i,

  // The stack. A result that makes for a push goes first.
  input  logic                    empty_i,
  input  logic                    push_i,
  output logic                    pop_o,
  input  logic                    triangles_i,
  input  logic [31:0]             a_i,
  input  logic [31:0]             b_i,

  // Memory.
  output logic                    req_valid_o,
  output logic [31:0]             req_address_o,
  output logic [1:0]              req_bursts_o,
  input  logic                    req_ready_i,
  input  logic                    beat_valid_i,
  input  logic [127:0]            beat_data_i,

  // The pair that was loaded.
  input  logic                    taken_i,
  output logic                    idle_o,
  output logic                    popping_o,
  output logic                    loading_o,      // something is asked for
  output logic                    full_o,
  output logic                    triangles_o,
  output logic [31:0]             a_o,
  output logic [31:0]             b_o,
  output logic [K*Width+63:0]     record_a_o,     // links on top, the right one above the left
  output logic [K*Width+63:0]     record_b_o
);

  localparam int unsigned Record = K*Width + 64;
  localparam int unsigned Beats = 4*Bursts;

  typedef enum logic [2:0] {Idle, Pop, AskA, AskB, Load, Full} state_e;
  state_e state_q, state_d;

  logic        triangles_q, of_b_q, last_of_one, last_beat;
  logic [31:0] a_q, b_q;
  logic [4:0]  beat_q;                 // of the record that is coming

  logic ask;
  assign ask   = run_i && !empty_i && !push_i && (state_q == Idle || (state_q == Full && taken_i));
  assign pop_o = run_i && !push_i && state_q == Pop;

  assign last_of_one = beat_q == (triangles_q ? 5'd3 : Beats[4:0] - 5'd1);
  assign last_beat   = beat_valid_i && of_b_q && last_of_one;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle:    if (ask) state_d = Pop;
      Pop:     state_d = pop_o ? AskA : Idle;
      AskA:    if (req_ready_i) state_d = AskB;
      AskB:    if (req_ready_i) state_d = Load;
      Load:    if (last_beat) state_d = run_i ? Full : Idle;
      Full:    if (ask) state_d = Pop;
               else if (taken_i || !run_i) state_d = Idle;
      default: state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    state_q <= rst_ni ? state_d : Idle;
    if (pop_o) begin
      triangles_q <= triangles_i;
      a_q         <= a_i;
      b_q         <= b_i;
      of_b_q      <= 1'b0;
      beat_q      <= '0;
    end else if (beat_valid_i) begin
      of_b_q <= of_b_q || last_of_one;
      beat_q <= last_of_one ? '0 : beat_q + 5'd1;
    end
  end

  // Two records side by side, written beat by beat; a triangle takes the first burst of each.
  logic [Record-1:0] record_a_q, record_b_q;
  for (genvar i = 0; i < Beats; i++) begin : gen_beat
    if (i*128 < Record) begin : gen_used
      localparam int unsigned Size = (i+1)*128 > Record ? Record - i*128 : 128;
      always_ff @(posedge clk_i) begin
        if (beat_valid_i && beat_q == i && !of_b_q) record_a_q[i*128 +: Size] <= beat_data_i[Size-1:0];
        if (beat_valid_i && beat_q == i && of_b_q) record_b_q[i*128 +: Size] <= beat_data_i[Size-1:0];
      end
    end
  end

  logic [31:0] number, nodes, burst;
  assign number        = state_q == AskB ? b_q : a_q;
  assign nodes         = state_q == AskB ? nodes_b_i : nodes_a_i;
  if (Bursts == 1) begin : gen_one
    assign burst = number;
  end else if (Bursts == 2) begin : gen_two
    assign burst = {number[30:0], 1'b0};
  end else begin : gen_three
    assign burst = number + {number[30:0], 1'b0};
  end
  assign req_valid_o   = state_q == AskA || state_q == AskB;
  assign req_bursts_o  = triangles_q ? 2'd1 : Bursts[1:0];
  assign req_address_o = triangles_q ? (state_q == AskB ? triangles_b_i : triangles_a_i) + number : nodes + burst;

  assign idle_o      = state_q == Idle;
  assign popping_o   = state_q == Pop;
  assign loading_o   = state_q == AskA || state_q == AskB || state_q == Load;
  assign full_o      = state_q == Full;
  assign triangles_o = triangles_q;
  assign a_o         = a_q;
  assign b_o         = b_q;
  assign record_a_o  = record_a_q;
  assign record_b_o  = record_b_q;

`ifndef SYNTHESIS
  // A request stays as it is until it is accepted.
  logic        waiting_q;
  logic [33:0] request_q;
  always_ff @(posedge clk_i) begin
    waiting_q <= rst_ni && req_valid_o && !req_ready_i;
    request_q <= {req_bursts_o, req_address_o};
    if (rst_ni && waiting_q) assert (req_valid_o && request_q == {req_bursts_o, req_address_o});
  end
`endif

endmodule
