#pragma once

#include "report/json_document.hpp"
#include "support/rooms.hpp"

#include <snug/report.hpp>

// Blocks that several documents have in common.

namespace snug::report {

inline constexpr auto k_line = JsonDocument::Layout::line;

void write_inputs(JsonDocument& json, std::span<const InputFile> inputs);
void write_problems(JsonDocument& json, std::span<const Problem> problems);
void write_side(JsonDocument& json, const FindingSide& side, const Assembly& assembly);
/// null without CAD files.
void write_cad(JsonDocument& json, const std::optional<CadMeshing>& cad);
void write_run(JsonDocument& json, const RunInfo& run);

}  // namespace snug::report
