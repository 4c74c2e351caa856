#include "io/cad/run_importer.hpp"

#include "io/cad/find_importer.hpp"
#include "io/cad/wire.hpp"
#include "io/errors.hpp"
#include "io/part_paths.hpp"
#include "support/assert.hpp"
#include "support/child_process.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <string_view>

namespace snug::io {

namespace {

using Code = IoError::Code;
using How = support::ChildEnd::How;

constexpr int k_exit_refused = 3;
constexpr std::size_t k_longest_words = 2000;

/// The shortest digits that read back as the same double.
std::string exact_text(double value) {
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

std::string gibibytes(std::uint64_t bytes) {
  constexpr double k_mebibyte = 1 << 20;
  const double mebibytes = static_cast<double>(bytes) / k_mebibyte;
  return mebibytes >= 1024 ? number_text(mebibytes / 1024) + " GiB" : number_text(mebibytes) + " MiB";
}

/// What the importer says beside its answer.
class ImporterWords {
 public:
  explicit ImporterWords(const ProgressHook& progress) : progress_(progress) {}

  void take(std::string_view line) {
    if (constexpr std::string_view k_progress = "progress "; line.starts_with(k_progress)) {
      line.remove_prefix(k_progress.size());
      double share = 0;
      const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), share);
      if (error == std::errc{}) report(share);
    } else if (constexpr std::string_view k_error = "error: "; line.starts_with(k_error)) {
      error_ = line.substr(k_error.size(), k_longest_words);
      (void)clean_name(error_);
      out_of_memory_ |= error_.find("OutOfMemory") != error_.npos || error_ == "not enough memory";
    } else if (constexpr std::string_view k_loss = "loss: "; line.starts_with(k_loss)) {
      std::string words(line.substr(k_loss.size()));
      (void)clean_name(words);
      if (losses_.size() < k_most_problems) losses_.push_back({{}, std::move(words)});
    } else if (line == "limit memory") {
      out_of_memory_ = true;
    }
  }

  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }
  [[nodiscard]] std::vector<Problem> losses() && { return std::move(losses_); }

 private:
  void report(double share) {
    if (!(share > reported_) || !progress_) return;  // never falls, whatever the program claims
    reported_ = std::min(share, 1.0);
    progress_(reported_);
  }

  double reported_ = 0;
  const ProgressHook& progress_;
  std::string error_;
  std::vector<Problem> losses_;
  bool out_of_memory_ = false;
};

/// A program that ran into its limit of memory need not say so: mostly it just crashes.
bool was_out_of_memory(const support::ChildEnd& end, const ImporterWords& words, const CadOptions& limits) {
  const bool near_limit = end.peak_memory_bytes > limits.max_memory_bytes / 10 * 9;
  return words.out_of_memory() || (near_limit && (end.how == How::signalled || end.status != 0));
}

Failure<IoError> refusal(const support::ChildEnd& end, const ImporterWords& words, const ImportRun& run) {
  const CadOptions& limits = run.limits;
  const auto fail = [&](Code code, std::string text) { return failure(code, run.path, std::move(text)); };
  const bool not_begun = end.how == How::not_started || (end.how == How::exited && end.status == k_exit_not_run);
  if (not_begun && run.why_it_cannot_run)
    if (auto why = run.why_it_cannot_run()) return fail(Code::no_importer, std::move(*why));
  switch (end.how) {
    case How::cancelled:
      return fail(Code::cancelled, "it was cancelled");
    case How::not_started:
      return fail(Code::no_importer, run.program.string() + " cannot be started: " + start_error(end.status));
    case How::timed_out:
      return fail(Code::import_limit, "the CAD kernel was stopped after " + number_text(limits.max_seconds) +
                                          " s, the limit of time (max_seconds, --import-seconds)");
    case How::output_too_large:
      return fail(Code::import_limit, "the answer takes more than " + gibibytes(limits.max_output_bytes) +
                                          ", the limit of the answer (max_output_bytes); a larger --sag helps");
    case How::signalled:
    case How::exited:
      break;
  }
  if (was_out_of_memory(end, words, limits))
    return fail(Code::import_limit, "the CAD kernel takes more than " + gibibytes(limits.max_memory_bytes) +
                                        ", the limit of memory (max_memory_bytes, --import-memory)");
  if (end.how == How::signalled && end.status == SIGXCPU)
    return fail(Code::import_limit, "the CAD kernel was stopped after " + number_text(limits.max_seconds) +
                                        " s of processor time (max_seconds, --import-seconds)");
  if (end.how == How::signalled)
    return fail(Code::import_failed, "the CAD kernel crashed on this file (signal " + std::to_string(end.status) + ')');
  if (end.status == k_exit_refused && !words.error().empty())
    return fail(Code::malformed, "the CAD kernel says: " + words.error());
  return fail(Code::import_failed, "the CAD kernel gave up on this file (exit status " + std::to_string(end.status) +
                                       ')' + (words.error().empty() ? "" : ": " + words.error()));
}

}  // namespace

std::vector<std::string> ImportRequest::arguments() const {
  std::vector<std::string> out{"--format", std::string(to_string(format)), "--sag", exact_text(sag_metres),
                               "--angle",  exact_text(angle_degrees)};
  if (unit) out.insert(out.end(), {"--unit", std::string(to_string(*unit))});
  if (bodies) out.insert(out.end(), {"--bodies", "yes"});
  if (list_bytes > 0) out.insert(out.end(), {"--list-bytes", std::to_string(list_bytes)});
  for (const Refinement& r : refinements)
    out.insert(out.end(),
               {"--refine", std::to_string(r.mesh) + ':' + std::to_string(r.face) + ':' + exact_text(r.sag_metres)});
  return out;
}

Result<ImportAnswer, IoError> run_importer(const ImportRun& run) {
  const CadOptions& limits = run.limits;
  ImporterWords words(run.progress);
  SNUG_ASSERT(run.file >= 0);
  support::ChildOptions child{.arguments = {run.program.string()},
                              .input = run.file,
                              .max_seconds = limits.max_seconds,
                              .max_output_bytes = limits.max_output_bytes,
                              .cancel = run.cancel,
                              .on_line = [&](std::string_view line) { words.take(line); }};
  child.arguments.insert(child.arguments.end(), run.arguments.begin(), run.arguments.end());
  child.arguments.insert(child.arguments.end(), {"--limit-seconds", exact_text(limits.max_seconds), "--limit-memory",
                                                 std::to_string(limits.max_memory_bytes), "--limit-output",
                                                 std::to_string(limits.max_output_bytes)});
  support::ChildEnd end = support::run_child(child);
  if (end.how == How::exited && end.status == 0) return ImportAnswer{std::move(end.output), std::move(words).losses()};
  return refusal(end, words, run);
}

}  // namespace snug::io
