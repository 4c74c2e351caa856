#pragma once

#include "chip/model/stages.hpp"

#include <initializer_list>
#include <vector>

namespace snug::hardware::stages {

using sc_core::sc_in;
using sc_core::sc_module;
using sc_core::sc_module_name;
using sc_core::sc_out;
using sc_core::sc_signal;

/// Stages, the signals between them, PipeData and the handshake.
class CycleAccuratePipe final : public sc_module {
 public:
  sc_in<bool> clock{"clock"}, reset{"reset"}, valid_in{"valid_in"}, ready_in{"ready_in"};
  sc_in<Pins> pins{"pins"};
  sc_out<bool> ready_out{"ready_out"}, valid_out{"valid_out"}, separated{"separated"};
  sc_out<Tag> tag_out{"tag_out"};

  SC_HAS_PROCESS(CycleAccuratePipe);
  CycleAccuratePipe(const sc_module_name& name, const Configuration& c)
      : sc_module(name),
        select_("select", c.width),
        multiply_("multiply", c.width, c.multiplier_stages),
        add_pairs_("add_pairs", c.width),
        add_offset_("add_offset", c.width),
        add_all_("add_all", c.width),
        negatives_("negatives", c.width),
        correct_("correct", c.width),
        compare_("compare", c.width),
        offsets_("offsets", c.multiplier_stages + 2),
        negatives_wait_("negatives_wait", c.multiplier_stages + 2),
        tags_("tags", c.stages()),
        valid_(c.stages(), false) {
    const std::initializer_list<Stage*> all{&select_,  &multiply_,       &add_pairs_, &add_offset_,
                                            &add_all_, &negatives_,      &correct_,   &compare_,
                                            &offsets_, &negatives_wait_, &tags_};
    for (Stage* stage : all) {
      stage->clock(clock);
      stage->move(move_);
    }
    select_.in(pins), select_.out(selected_);
    multiply_.in(selected_), multiply_.out(products_);
    add_pairs_.in(products_), add_pairs_.out(pairs_);
    offsets_.in(offset_), offsets_.out(offset_late_);
    add_offset_.in(pairs_), add_offset_.offset(offset_late_), add_offset_.out(parts_);
    add_all_.in(parts_), add_all_.out(totals_);
    negatives_.in(selected_), negatives_.out(negative_);
    negatives_wait_.in(negative_), negatives_wait_.out(negative_late_);
    correct_.in(totals_), correct_.negatives(negative_late_), correct_.out(sums_);
    compare_.in(sums_), compare_.out(separated);
    tags_.in(tag_), tags_.out(tag_out);

    SC_METHOD(handshake);
    sensitive << ready_in << valid_last_;
    SC_METHOD(split_pins);
    sensitive << pins;
    SC_METHOD(edge);
    sensitive << clock.pos();
    dont_initialize();
  }

  [[nodiscard]] bool sums_valid() const { return valid_[valid_.size() - 2]; }
  [[nodiscard]] SumPair sums() const { return {sums_.read().first[0], sums_.read().second[0]}; }

 private:
  void handshake() {
    const bool moves = ready_in.read() || !valid_last_.read();
    move_.write(moves);
    ready_out.write(moves);
    valid_out.write(valid_last_.read());
  }
  void split_pins() {
    const AxisTest& test = pins.read().test;
    offset_.write(test.offset);
    tag_.write({test.node_a, test.node_b, test.last});
  }
  void edge() {
    if (reset.read()) {
      valid_.assign(valid_.size(), false);
    } else if (move_.read()) {
      for (std::size_t i = valid_.size(); --i > 0;) valid_[i] = valid_[i - 1];
      valid_[0] = valid_in.read();
    }
    valid_last_.write(valid_.back());
  }

  Select select_;
  Multiply multiply_;
  AddPairs add_pairs_;
  AddOffset add_offset_;
  AddAll add_all_;
  Negatives negatives_;
  Correct correct_;
  Compare compare_;
  Delay<std::int64_t> offsets_;
  Delay<Partial> negatives_wait_;
  Delay<Tag> tags_;
  std::vector<bool> valid_;

  sc_signal<bool> move_{"move"}, valid_last_{"valid_last"};
  sc_signal<Selected> selected_{"selected"};
  sc_signal<Twelve> products_{"products"};
  sc_signal<Partial> pairs_{"pairs"}, parts_{"parts"}, totals_{"totals"}, negative_{"negative"},
      negative_late_{"negative_late"}, sums_{"sums"};
  sc_signal<std::int64_t> offset_{"offset"}, offset_late_{"offset_late"};
  sc_signal<Tag> tag_{"tag"};
};

}  // namespace snug::hardware::stages
