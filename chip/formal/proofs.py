"""What is proved of the RTL, and mistakes in it that each proof has to find."""

import dataclasses


@dataclasses.dataclass
class Shown:
    """A signal inside the RTL that properties speak of: added as an output shown_NAME to its module and to those around it."""
    name: str
    bits: int
    path: list  # modules from the outside to the one it is in; those inside another with their instance, "u_instance:module"
    signal: str = ""  # if it has another name there


@dataclasses.dataclass
class Proof:
    name: str
    properties: str                 # the file with the properties: a module around the RTL, or text that is put at the end of `inside`
    rtl: list                       # modules it is about
    parameters: dict
    inside: str = ""
    stand_ins: dict = dataclasses.field(default_factory=dict)  # modules that are replaced, and by which file
    free: dict = dataclasses.field(default_factory=dict)       # outputs of modules that are anything, in every clock
    shown: list = dataclasses.field(default_factory=list)
    clocks: int = 12                # within which what the properties speak of is reached, and every mistake is found
    reached: list = dataclasses.field(default_factory=lambda: ["reached"])
    mistakes: list = dataclasses.field(default_factory=list)   # what, module, old text, new text
    mistakes_from_reset: bool = True                           # else it is enough that nothing can be proved with them: runs are too long
    small: dict = dataclasses.field(default_factory=dict)      # parameters in which mistakes are looked for, if they are not the same

    @property
    def top(self):
        return self.inside or self.properties.removesuffix(".sv")


# Words as narrow as they can be: properties do not depend on them. What is computed does not matter to a handshake.
NARROW, DIRECTIONS = 4, 24
DATAPATH = {"signed_multiplier": ["product_o"], "slab_select": ["near_o", "opposite_o"], "product_sum": ["sum_o"], "negative_sum": ["sum_o"]}


def pipe(multiplier_stages):
    stages = 6 + multiplier_stages
    return Proof(
        f"pipe of {stages} stages", "handshake.sv", ["overlap_pipe", "pipe_data", "delay_line"],
        {"Width": NARROW, "K": DIRECTIONS, "MultiplierStages": multiplier_stages}, free=DATAPATH, clocks=stages + 5,
        shown=[Shown("valid_q", stages, ["overlap_pipe", "u_pipe_data:pipe_data"]),
               Shown("held_q", 65*stages, ["overlap_pipe", "u_pipe_data:pipe_data", "u_nodes:delay_line"])],
        mistakes=[] if multiplier_stages > 1 else [
            ("ready while a result waits", "overlap_pipe", "assign ready_o = move;", "assign ready_o = 1'b1;"),
            ("nodes move while the pipe stands", "pipe_data", "    .clk_i, .en_i, .data_i({last_i", "    .clk_i, .en_i(1'b1), .data_i({last_i"),
            ("a reset that forgets a stage", "pipe_data", "valid_q <= '0;", "valid_q <= {valid_q[Stages-1], {(Stages-1){1'b0}}};")])


def core(width, multiplier_stages):
    stages = 6 + multiplier_stages
    record = DIRECTIONS*width + 64
    of_controller = ["in_flight_q 4", "dead_q 1", "dead_a_q 32", "dead_b_q 32", "previous_a_q 32", "previous_b_q 32",
                     f"record_a_q {record}", f"record_b_q {record}", "previous_links_a_q 64", "previous_links_b_q 64"]
    of_loader = ["state_q 3", "of_b_q 1", "beat_q 5", "triangles_q 1"]
    inside = lambda instance, signals: [Shown(s.split()[0], int(s.split()[1]), ["chip_core", instance]) for s in signals]
    return Proof(
        f"core with a pipe of {stages} stages", "core.svh",
        ["chip_core", "controller", "get_data", "work_stack"],
        {"Width": width, "K": DIRECTIONS, "MultiplierStages": multiplier_stages, "StackDepth": 4}, inside="chip_core",
        stand_ins={"overlap_pipe": "pipe_stand_in.sv"},
        free={"block_memory": ["data_o"], "counters": ["clocks_o", "counts_o"],
              "axis_memory": ["weights_a_o", "weights_b_o", "offset_o", "slabs_a_o", "slabs_b_o"],
              "triangle_unit": ["ready_o", "empty_o", "valid_o", "keep_o", "triangle_a_o", "triangle_b_o"]},
        shown=[Shown("control_q", 2, ["chip_core", "u_controller:controller"], "state_q"),
               *inside("u_controller:controller", of_controller), *inside("u_get_data:get_data", of_loader),
               *inside("u_pipe:overlap_pipe", [f"valid_q {stages}", f"nodes_q {65*stages}"])],
        clocks=32, reached=[] if multiplier_stages > 1 else ["reached"], mistakes_from_reset=False,
        mistakes=[] if multiplier_stages > 1 else [
            ("an end that does not wait for the pipe", "controller", "!testing_q && in_flight_q == '0 && loader", "!testing_q && loader"),
            ("an end that does not wait for GetData", "controller", "loader_idle_i && triangle_empty_i", "triangle_empty_i"),
            ("an end that does not wait for triangles", "controller", "loader_idle_i && triangle_empty_i", "loader_idle_i"),
            ("an end that does not wait for the stack", "controller", "(empty_i || state_q == Stop)", "1'b1"),
            ("a full stack that is not told", "controller", "assign overflow   = push_o && full_i;", "assign overflow   = 1'b0;"),
            ("a wrong beat that is not told", "controller", "if (beat_error_i) error_q <= 1'b1;", ""),
            ("a wrong beat that does not stop", "controller", "(overflow || beat_error_i)", "overflow"),
            ("results of a dead pair", "controller", "assign of_dead    = dead_q && ", "assign of_dead    = 1'b0 && "),
            ("a pair given up for another", "controller", "separated && testing_q && of_current", "separated && testing_q"),
            ("children of another pair", "controller", "assign links_a = of_current ?", "assign links_a = result_a_i[11:0] == node_a_q[11:0] ?"),
            ("children of the pair before", "controller", "assign links_b = of_current ?", "assign links_b = 1'b0 ?"),
            ("triangles for nodes", "controller", "assign own_a   = leaves ?", "assign own_a   = leaf_a ?"),
            ("a last test that is not marked", "controller", "assign last_o     = last;", "assign last_o     = last && axis_q != '0;"),
            ("a request that does not wait", "get_data", "AskA:    if (req_ready_i) state_d", "AskA:    state_d"),
            ("a pop beside a push", "get_data", "assign pop_o = run_i && !push_i &&", "assign pop_o = run_i &&"),
            ("b's number for a's", "get_data", "assign number        = state_q == AskB ? b_q : a_q;", "assign number        = a_q;"),
            ("nodes of a at address 0", "get_data", "nodes_b_i : nodes_a_i", "nodes_b_i : '0"),
            ("a last beat that is wrong", "get_data", "record_b_q[i*128 +: Size] <= beat_data_i[Size-1:0];",
             "record_b_q[i*128 +: Size] <= Size < 128 ? ~beat_data_i[Size-1:0] : beat_data_i[Size-1:0];"),
            ("b's beats in a's place", "get_data", "beat_q == i && !of_b_q) record_a_q", "beat_q == i) record_a_q")])


def proofs(multiplier_stages):
    return [
        *map(pipe, multiplier_stages),
        Proof("AXI4 read master", "axi_read.sv", ["axi_read_master"], {},
              shown=[Shown("outstanding_q", 2, ["axi_read_master"]), Shown("held_q", 1, ["axi_read_master"]),
                     Shown("flushing_q", 1, ["axi_read_master"])],
              mistakes=[
                  ("a reset that takes back a request", "axi_read_master", "else if (flush_i && m_axi_arvalid_o) held_q <= 1'b1;", ""),
                  ("a reset that forgets a request", "axi_read_master", "else if (!held_q && outstanding_q", "else if (outstanding_q"),
                  ("beats of before a reset", "axi_read_master", "m_axi_rvalid_i && !flushing_q", "m_axi_rvalid_i"),
                  ("requests taken for others", "axi_read_master", "m_axi_arready_i && !flushing_q", "m_axi_arready_i"),
                  ("a request that changes", "axi_read_master", "    if (!held_q) begin", "    begin"),
                  ("errors of one kind alone", "axi_read_master", "m_axi_rresp_i != 2'b00", "m_axi_rresp_i == 2'b10"),
                  ("addresses of 20 bits", "axi_read_master", "held_address_q : req_address_i, 6'b", "held_address_q : {12'd0, req_address_i[19:0]}, 6'b")]),
        Proof("registers on AXI4-Lite", "axi_lite.sv", ["axi_registers"], {"Width": 35}, clocks=6,
              shown=[Shown("hit_a_q", 32, ["axi_registers"]), Shown("hit_b_q", 32, ["axi_registers"])],
              mistakes=[
                  ("writes in part", "axi_registers", "s_axi_awready_o && whole;", "s_axi_awready_o;"),
                  ("writes that count as whole", "axi_registers", "s_axi_wstrb_i == 4'b1111", "s_axi_wstrb_i[3]"),
                  ("OKAY to everything", "axi_registers", "answer_q <= whole && write_known ? Okay : SlaveError", "answer_q <= Okay"),
                  ("a read before the last answer is taken", "axi_registers", "!read_q || s_axi_rready_i", "1'b1"),
                  ("a write before the last answer is taken", "axi_registers", " && (!answered_q || s_axi_bready_i)", ""),
                  ("an answer that is not taken back", "axi_registers", "else if (s_axi_bready_i) answered_q <= 1'b0;", ""),
                  ("a hit over another", "axi_registers", "assign hit_ready_o = !held_q;", "assign hit_ready_o = 1'b1;"),
                  ("a hit that outlives a reset", "axi_registers", "!rst_ni || reset_o", "!rst_ni")]),
        # Of any depth: one of its places, chosen freely, is followed.
        Proof("stack", "stack.sv", ["work_stack"], {"Depth": 512}, stand_ins={"block_memory": "tracked_memory.sv"}, small={"Depth": 4},
              shown=[Shown("more", 1, ["work_stack"]), Shown("top", 133, ["work_stack"]),
                     Shown("place", 9, ["work_stack", "u_entries:block_memory"]), Shown("word_q", 133, ["work_stack", "u_entries:block_memory"])],
              mistakes=[
                  ("entries that are never used up", "work_stack", "else if (pop_i && !more) sp_q <= sp_q - 1'b1;", ""),
                  ("entries that are used up at once", "work_stack", "else if (pop_i && !more)", "else if (pop_i)"),
                  ("pushes onto the top", "work_stack", "push_i ? sp_q[Bits-1:0] : last", "last"),
                  ("a second a too early", "work_stack", "next_a || !(two_b && !next_b)", "1'b1"),
                  ("a second b that is not taken", "work_stack", "{two_b && !next_b, next_a", "{1'b0, next_a"),
                  ("full one entry late", "work_stack", "assign full_o    = sp_q[Bits];", "assign full_o    = &sp_q;")]),
        Proof("counters", "counting.sv", ["counters"], {}, mistakes_from_reset=False,
              mistakes=[
                  ("clocks of 32 bits", "counters", "clocks_q <= clocks_q + 64'd1", "clocks_q <= {32'd0, clocks_q[31:0] + 32'd1}"),
                  ("counts of 24 bits", "counters", "else if (up[i]) count_q <= count_q + 32'd1", "else if (up[i]) count_q <= {8'd0, count_q[23:0] + 24'd1}"),
                  ("bursts of one bit", "counters", "{30'b0, bursts_i}", "{31'b0, bursts_i[0]}"),
                  ("clocks that outlive a reset", "counters", "if (!rst_ni || clear_i) clocks_q", "if (clear_i) clocks_q"),
                  ("a start that clears no clocks", "counters", "if (!rst_ni || clear_i) clocks_q", "if (!rst_ni) clocks_q"),
                  ("most entries that wait, one less", "counters", "most_q <= waiting_i + 32'd1", "most_q <= waiting_i")]),
        core(NARROW, 1),
        core(19, 3),  # records of two bursts
    ]
