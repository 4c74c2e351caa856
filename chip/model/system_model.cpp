#include "chip/model/system_model.hpp"

#include "chip/model/cycle_accurate_pipe.hpp"
#include "chip/model/system_units.hpp"

namespace snug::hardware {

using namespace sc_core;
using namespace units;

namespace {
unsigned record_bursts(unsigned width) { return (24 * width + 64 + 511) / 512; }
}  // namespace

struct SystemModel::Simulation {
  Simulation(const Configuration& c, unsigned depth)
      : controller("controller", depth),
        get_data("get_data", record_bursts(c.width)),
        tester("tester", c.width),
        triangles("triangles", c.width),
        pipe("pipe", c) {
    for (Unit* unit : {static_cast<Unit*>(&controller), static_cast<Unit*>(&get_data), static_cast<Unit*>(&tester),
                       static_cast<Unit*>(&triangles)}) {
      unit->clock(clock);
      unit->reset(reset);
    }
    controller.start(start), controller.result_valid(result_valid), controller.separated(separated);
    controller.testing(testing), controller.last(last), controller.given_up(given_up);
    controller.triangle_takes(triangle_takes), controller.triangle_empty(triangle_empty), controller.result(result);
    controller.children(children), controller.loading(loading), controller.next(next), controller.beat(beat);
    controller.run(run), controller.busy(busy), controller.ask(ask), controller.push(push);
    controller.over_dops(over_dops), controller.over_triangles(over_triangles), controller.handed_over(handed_over);
    controller.more(more), controller.halt(halt), controller.result_counts(result_counts), controller.popped(popped);

    get_data.run(run), get_data.ask(ask), get_data.push(push), get_data.handed_over(handed_over);
    get_data.request_ready(request_ready), get_data.popped(popped), get_data.beat(beat);
    get_data.loading(loading), get_data.next(next), get_data.request(request);

    tester.hand_over(over_dops), tester.more(more), tester.halt(halt), tester.result_counts(result_counts);
    tester.separated(separated), tester.next(next), tester.result(result);
    tester.testing(testing), tester.last(last), tester.given_up(given_up), tester.pins(pins), tester.children(children);

    triangles.hand_over(over_triangles), triangles.hit_ready(hit_ready), triangles.next(next);
    triangles.takes(triangle_takes), triangles.empty(triangle_empty), triangles.hit_valid(hit_valid);

    // The controller takes every result at once, so the pipe never stands still.
    pipe.clock(clock), pipe.reset(reset), pipe.valid_in(testing), pipe.ready_in(always), pipe.pins(pins);
    pipe.ready_out(pipe_ready), pipe.valid_out(result_valid), pipe.separated(separated), pipe.tag_out(result);
    always.write(true);
  }

  SystemOutputs step(const SystemInputs& in) {
    reset.write(in.reset), start.write(in.start), request_ready.write(in.request_ready), hit_ready.write(in.hit_ready);
    MemoryBeat up;
    up.valid = in.beat_valid, up.error = in.beat_error, up.data = in.beat;
    beat.write(up);
    clock.write(false);
    sc_start(half_period);
    SystemOutputs out;
    out.request_valid = request.read().valid;
    out.request_address = request.read().address, out.request_bursts = request.read().bursts;
    out.hit_valid = hit_valid.read(), out.hit_a = triangles.pair.a, out.hit_b = triangles.pair.b;
    out.busy = busy.read(), out.done = controller.done;
    out.overflow = controller.overflow, out.error = controller.error;
    clock.write(true);
    sc_start(half_period);
    return out;
  }

  const sc_time half_period{5, SC_NS};
  SystemSetup setup;
  Controller controller;
  GetData get_data;
  Tester tester;
  TriangleUnit triangles;
  stages::CycleAccuratePipe pipe;
  sc_signal<bool> clock{"clock"}, reset{"reset"}, start{"start"}, request_ready{"request_ready"},
      hit_ready{"hit_ready"}, result_valid{"result_valid"}, separated{"separated"}, testing{"testing"}, last{"last"},
      given_up{"given_up"}, triangle_takes{"triangle_takes"}, triangle_empty{"triangle_empty"}, hit_valid{"hit_valid"},
      run{"run"}, busy{"busy"}, ask{"ask"}, push{"push"}, over_dops{"over_dops"}, over_triangles{"over_triangles"},
      handed_over{"handed_over"}, more{"more"}, halt{"halt"}, result_counts{"result_counts"}, always{"always"},
      pipe_ready{"pipe_ready"};
  sc_signal<int> loading{"loading"};
  sc_signal<stages::Tag> result{"result"};
  sc_signal<stages::Pins> pins{"pins"};
  sc_signal<Entry> children{"children"};
  sc_signal<Numbers> popped{"popped"};
  sc_signal<LoadedPair> next{"next"};
  sc_signal<MemoryBeat> beat{"beat"};
  sc_signal<MemoryRequest> request{"request"};
};

SystemModel::SystemModel(const Configuration& configuration, unsigned stack_depth)
    : simulation_(std::make_unique<Simulation>(configuration, stack_depth)) {}
SystemModel::~SystemModel() = default;

void SystemModel::set(const SystemSetup& setup) {
  simulation_->setup = setup;
  simulation_->get_data.setup = simulation_->tester.setup = simulation_->triangles.setup = &simulation_->setup;
}

SystemOutputs SystemModel::step(const SystemInputs& inputs) { return simulation_->step(inputs); }

}  // namespace snug::hardware
