#pragma once

#include "report/json_document.hpp"
#include "support/rooms.hpp"

#include <snug/path.hpp>
#include <snug/report.hpp>

#include <initializer_list>

// Blocks that several documents have in common.

namespace snug::report {

inline constexpr auto k_line = JsonDocument::Layout::line;

void write_inputs(JsonDocument& json, std::span<const InputFile> inputs);
void write_problems(JsonDocument& json, std::span<const Problem> problems);
void write_side(JsonDocument& json, const FindingSide& side, const Assembly& assembly);
/// `path` has what is beside it where parts move.
void write_coverage(JsonDocument& json, const Coverage& coverage, const PathCoverage* path = nullptr);
/// How many findings there are of each of these verdicts, which are named in the order of their words.
template <class Report>
void write_summary(JsonDocument& json, const Report& report, std::initializer_list<Verdict> verdicts) {
  json.begin_object(k_line);
  for (const Verdict verdict : verdicts) json.key(to_string(verdict)).value(report.count_of(verdict));
  json.end_object();
}
inline constexpr std::initializer_list<Verdict> k_by_words = {Verdict::clash, Verdict::contained, Verdict::near,
                                                              Verdict::touch, Verdict::undecided};
/// null without CAD files.
void write_cad(JsonDocument& json, const std::optional<CadMeshing>& cad);
void write_run(JsonDocument& json, const RunInfo& run);

}  // namespace snug::report
