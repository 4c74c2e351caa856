#include "chip/cosim/axi_host.hpp"

namespace snug::hardware {

void AxiHost::reset() {
  waiting_.clear();
  under_way_.clear();
  offered_ = data_offered_ = false;
}

void AxiHost::drive(BusInputs& in) {
  // What was offered once stays until it is taken; address and data of a write may come apart. Behind an access that has no answer yet
  // the next one is offered if it is of the same kind: it is accepted with that answer at the earliest.
  if (!waiting_.empty() &&
      (under_way_.empty() || (under_way_.size() == 1 && under_way_.front().write == waiting_.front().write))) {
    offered_ = offered_ || !random_->one_in(4);
    data_offered_ = data_offered_ || !random_->one_in(4);
    const Access& access = waiting_.front();
    if (access.write) {
      in.write_address_valid = offered_;
      in.write_data_valid = data_offered_;
      in.write_address = access.address;
      in.write_data = access.data;
      in.write_strobe = access.strobe;
    } else {
      in.read_address_valid = offered_;
      in.read_address = access.address;
    }
  }
  in.write_answer_ready = !random_->one_in(4);
  in.read_data_ready = !random_->one_in(4);
}

std::optional<AxiHost::Access> AxiHost::accepted(const BusInputs& in, const BusOutputs& out) const {
  if (in.write_address_valid && in.write_data_valid && out.write_ready && out.write_data_ready) return waiting_.front();
  if (in.read_address_valid && out.read_ready) return waiting_.front();
  return {};
}

std::optional<AxiHost::Answer> AxiHost::clock(const BusInputs& in, const BusOutputs& out) {
  std::optional<Answer> answer;
  if (!under_way_.empty()) {
    const Access& oldest = under_way_.front();
    if (oldest.write && out.write_answer_valid && in.write_answer_ready) answer = Answer{oldest, 0, out.write_answer};
    if (!oldest.write && out.read_valid && in.read_data_ready) answer = Answer{oldest, out.read_data, out.read_answer};
  }
  if (answer) under_way_.pop_front();
  if (accepted(in, out)) {
    under_way_.push_back(waiting_.front());
    waiting_.pop_front();
    offered_ = data_offered_ = false;
  }
  return answer;
}

}  // namespace snug::hardware
