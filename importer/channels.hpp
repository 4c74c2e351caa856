#pragma once

#include <Message_ProgressIndicator.hxx>

#include <string>
#include <string_view>

// The three descriptors a run talks through: the file on 0, the answer on 1, progress and words on 2.

namespace snug::importer {

/// Takes descriptor 1 away from everybody else, since the CAD kernel prints to it, and lets it lead nowhere; silences the
/// kernel's messages. Returns the private descriptor of the answer, or -1.
[[nodiscard]] int claim_output();
/// False if not all could be written.
[[nodiscard]] bool write_all(int descriptor, std::string_view bytes);

/// "progress 0.25" on descriptor 2; what would fall, or is less than a hundredth more, is not told.
void tell_progress(double fraction);
/// "loss: words" on descriptor 2, in one line.
void tell_loss(std::string_view words);
/// "error: words" on descriptor 2, in one line.
void tell_error(std::string_view words);

/// Lets an algorithm of the kernel move the progress from one fraction to another.
class Progress final : public Message_ProgressIndicator {
 public:
  Progress(double from, double to) : from_(from), to_(to) {}

 private:
  void Show(const Message_ProgressScope& scope, Standard_Boolean force) override;
  double from_, to_;
};

}  // namespace snug::importer
