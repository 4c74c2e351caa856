#include "report/json_parts.hpp"

#include "support/assert.hpp"

#include <snug/version.hpp>

namespace snug::report {

namespace {

#if defined(__x86_64__)
constexpr std::string_view k_arch = "x86_64";
#elif defined(__aarch64__)
constexpr std::string_view k_arch = "aarch64";
#else
constexpr std::string_view k_arch = "other";
#endif

#if defined(__clang__)
constexpr std::string_view k_compiler = "clang " __clang_version__;
#else
constexpr std::string_view k_compiler = "gcc " __VERSION__;
#endif

}  // namespace

void write_inputs(JsonDocument& json, std::span<const InputFile> inputs) {
  json.begin_array();
  for (const InputFile& input : inputs) {
    json.begin_object(JsonDocument::Layout::line);
    json.key("path").value(input.path);
    if (!input.references.empty()) {
      json.key("references").begin_array(k_line);
      for (const ReferencedFile& file : input.references) json.line("path", file.path, "sha256", file.sha256);
      json.end_array();
    }
    json.key("sha256").value(input.sha256);
    json.key("units");
    input.units ? json.value(to_string(*input.units)) : json.null();
    json.end_object();
  }
  json.end_array();
}

void write_side(JsonDocument& json, const FindingSide& side, const Assembly& assembly) {
  SNUG_ASSERT(side.id < assembly.parts().size());
  const auto surfaces = assembly.parts()[side.id].mesh.surfaces();
  json.begin_object();
  json.key("part").value(side.part);
  json.key("surface_names").begin_array(k_line);
  for (const std::uint32_t id : side.surfaces) json.value(surfaces[id].name);
  json.end_array();
  json.key("surfaces").list(side.surfaces);
  json.end_object();
}

void write_problems(JsonDocument& json, std::span<const Problem> problems) {
  json.begin_array();
  for (const Problem& problem : problems) {
    json.begin_object(JsonDocument::Layout::line);
    json.key("part");
    problem.part.empty() ? json.null() : json.value(problem.part);
    json.key("text").value(problem.text);
    json.end_object();
  }
  json.end_array();
}

void write_coverage(JsonDocument& json, const Coverage& coverage, const PathCoverage* path) {
  json.begin_object();
  json.key("complete").value(coverage.complete);
  json.key("losses");
  write_problems(json, coverage.losses);
  json.key("not_firm").value(coverage.not_firm);
  if (path != nullptr) json.key("pairs_at_rest").value(path->pairs_at_rest);
  json.fields("pairs_possible", coverage.pairs_possible, "pairs_tested", coverage.pairs_tested);
  if (path != nullptr) json.key("pairs_unfinished").value(path->pairs_unfinished);
  json.key("parts").value(coverage.parts);
  if (path != nullptr) json.key("parts_moving").value(path->parts_moving);
  json.key("parts_skipped").list(coverage.parts_skipped);
  json.key("undecided").value(coverage.undecided);
  json.end_object();
}

void write_cad(JsonDocument& json, const std::optional<CadMeshing>& cad) {
  if (!cad) return json.null();
  json.line("angle_degrees", cad->angle_degrees, "automatic", cad->automatic, "limit", cad->limit, "limit_reached",
            cad->limit_reached, "rounds", cad->rounds, "sag", cad->sag);
}

void write_run(JsonDocument& json, const RunInfo& run) {
  json.begin_object();
  json.fields("arch", k_arch, "compiler", k_compiler, "seconds", run.seconds, "threads", run.threads, "version",
              version());
  json.end_object();
}

}  // namespace snug::report
