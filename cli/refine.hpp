#pragma once

#include "inputs.hpp"

#include <snug/check.hpp>
#include <snug/report.hpp>

#include <functional>

namespace snug::cli {

/// An assembly and what was found in it.
struct Checked {
  Inputs inputs;
  CheckReport report;
};

/// Reads and checks; `again` does both, with faces meshed more finely. With --sag auto, as long as verdicts are open for
/// the sags of CAD faces, and the limit allows, these faces are meshed again with a quarter of their sag. It stops where
/// finer triangles cannot help: at faces that meet exactly by their analytic forms. Returns how faces were meshed, if there
/// are any that were.
[[nodiscard]] std::optional<CadMeshing> refine(const CadArguments& arguments, Checked& checked,
                                               const std::function<Checked(const FileRefinements&)>& again);

}  // namespace snug::cli
