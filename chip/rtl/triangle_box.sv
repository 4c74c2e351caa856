// The box of both triangles, coordinate by coordinate, as seen from the first corner of b: whether it tells them apart by more than
// the slack, and how far any value of the test may be off, counted in the slack: its longest side and the slack.
//
// Takes the corners of a, then the other two of b; the first is 0. After finish_i, apart_o is there six clocks later and reach_o nine.
module triangle_box #(
  parameter int unsigned Width = 0
) (
  input  logic                   clk_i,
  input  logic                   first_i,    // corner_i is the first of a
  input  logic                   take_i,     // it is another one
  input  logic                   turn_i,     // those of a are complete
  input  logic                   finish_i,   // all are
  input  logic [3*(Width+4)-1:0] corner_i,
  input  logic [Width+3:0]       slack_i,    // 2^s
  output logic                   apart_o,
  output logic [Width+3:0]       reach_o
);

  localparam int unsigned Difference = Width + 4;

  // Of the four differences between an upper and a lower end, in the clocks after finish_i, the greatest is the side. Those of
  // different triangles are negative if there is a gap.
  logic [5:0] phase_q;
  always_ff @(posedge clk_i) phase_q <= {phase_q[4:0], finish_i};

  logic [3*Difference-1:0] sides;
  logic [2:0]              gaps;
  for (genvar i = 0; i < 3; i++) begin : gen_coordinate
    logic signed [Difference-1:0] at, low_q, high_q, low_a_q, high_a_q, upper, lower, between_q, side_q;
    logic signed [Difference-1:0] slack;
    logic                         gap_q;
    assign at    = corner_i[i*Difference +: Difference];
    assign slack = slack_i;
    always_ff @(posedge clk_i) begin
      if (first_i || (take_i && at < low_q)) low_q <= at;
      else if (turn_i) low_q <= '0;
      if (first_i || (take_i && at > high_q)) high_q <= at;
      else if (turn_i) high_q <= '0;
      if (turn_i) begin
        low_a_q  <= low_q;
        high_a_q <= high_q;
      end
    end

    assign upper = phase_q[0] || phase_q[1] ? high_q : high_a_q;
    assign lower = phase_q[0] || phase_q[2] ? low_a_q : low_q;
    always_ff @(posedge clk_i) begin
      between_q <= upper - lower;
      if (phase_q[1] || between_q > side_q) side_q <= between_q;
      // The first and the last of the four are between triangles.
      if (phase_q[1]) gap_q <= between_q < -slack;
      else if (phase_q[4]) gap_q <= gap_q || between_q < -slack;
    end
    assign sides[i*Difference +: Difference] = side_q;
    assign gaps[i] = gap_q;
  end

  // Sides are not negative.
  logic [Difference-1:0] longest_q, reach_q, one, other;
  assign one   = phase_q[5] ? sides[0 +: Difference] : longest_q;
  assign other = phase_q[5] ? sides[Difference +: Difference] : sides[2*Difference +: Difference];
  always_ff @(posedge clk_i) begin
    longest_q <= one > other ? one : other;
    reach_q   <= longest_q + slack_i;
  end
  assign apart_o = gaps != '0;
  assign reach_o = reach_q;

endmodule
