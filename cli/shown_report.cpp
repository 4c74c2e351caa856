#include "shown_report.hpp"

#include "errors.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "page_output.hpp"

#include <snug/page.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace snug::cli {

namespace {

/// A file the report names: as it stands, or beside the report.
std::optional<std::filesystem::path> found(const std::string& named, const std::filesystem::path& report) {
  std::error_code ignored;
  for (const auto& candidate : {std::filesystem::path(named), report.parent_path() / named,
                                report.parent_path() / std::filesystem::path(named).filename()})
    if (std::filesystem::is_regular_file(candidate, ignored)) return candidate;
  return std::nullopt;
}

bool without_units(const std::filesystem::path& path) {
  std::string suffix = path.extension().string();
  std::ranges::transform(suffix, suffix.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return std::ranges::any_of(std::initializer_list<std::string_view>{".stl", ".obj", ".ply", ".off", ".brep", ".brp"},
                             [&](std::string_view known) { return suffix == known; });
}

std::string number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// The files as `snug check` was given them; why not, if one of them is gone or another.
std::optional<InputOptions> inputs_of(const ReportOrigin& origin, const std::filesystem::path& report,
                                      std::string& why) {
  InputOptions options;
  for (const InputFile& input : origin.inputs) {
    const auto path = found(input.path, report);
    if (!path) return why = input.path + " is not there", std::nullopt;
    const auto hash = file_sha256(*path);
    if (!hash || !input.sha256 || *hash != *input.sha256)
      return why = input.path + " is not the file that was checked", std::nullopt;
    for (const ReferencedFile& other : input.references) {
      const auto beside = found(other.path, report);
      if (!beside) return why = other.path + " is not there", std::nullopt;
      if (const auto other_hash = file_sha256(*beside); !other_hash || *other_hash != other.sha256)
        return why = other.path + " is not the file that was checked", std::nullopt;
    }
    options.files.push_back(path->string());
    if (input.units && without_units(*path)) options.units = to_string(*input.units);
  }
  if (options.files.empty()) return why = "the report names no files", std::nullopt;
  options.to_units = to_string(origin.units);
  return options;
}

std::vector<PagePair> pairs_of(const ReportOrigin& origin, const Assembly& assembly) {
  std::vector<PagePair> out;
  for (std::uint32_t i = 0; i < origin.findings.size(); ++i) {
    const auto& [a, b, verdict] = origin.findings[i];
    const auto id_a = assembly.find(a), id_b = assembly.find(b);
    if (id_a && id_b) out.push_back({i, *id_a, *id_b, verdict});
  }
  return out;
}

}  // namespace

void show_report(const std::string& path, std::string_view text, const CadArguments& cad,
                 const std::filesystem::path& page, bool words) {
  const auto origin = read_report_origin(text, path);
  if (!origin) {
    const auto schema = document_schema(text);
    if (schema == "snug.move/1" || schema == "snug.move.joints/1")
      fail_input(path +
                 ": is a document of 'snug move', which does not hold the motion; 'snug move ... --html FILE' writes "
                 "its page");
    fail_input(origin.error().message());
  }
  std::string why;
  auto options = inputs_of(*origin, path, why);
  if (!options) {
    if (words) say(why + ": the page lists the findings without a picture", "snug view");
    const Assembly none(origin->units);
    const std::string title = std::filesystem::path(path).filename().string();
    return write_page({.assembly = none, .title = title, .report = text, .remarks = {"No picture: " + why + '.'}}, page,
                      words);
  }
  options->cad = cad;
  if (origin->cad && !cad.shapes_meshes()) {
    options->cad.sag = number(origin->cad->sag) + std::string(to_string(origin->units));
    options->cad.angle = number(origin->cad->angle_degrees) + "deg";
  }
  const CancelToken& cancel = watch_interrupts(words);
  Inputs inputs = load_inputs(*options, words, cancel);
  if (inputs.cancelled) fail_input("cancelled");
  for (std::size_t i = 0; i < inputs.files.size(); ++i)
    if (inputs.files[i].sha256 != origin->inputs[i].sha256)
      fail_input(inputs.files[i].path + ": the file changed while it was read");
  for (const auto& [part, pose] : origin->placed)
    if (const auto id = inputs.assembly.find(part)) inputs.assembly.place(*id, pose).value();
  const std::string title = page_title(origin->inputs);
  PageInput input{
      .assembly = inputs.assembly, .title = title, .report = text, .pairs = pairs_of(*origin, inputs.assembly)};
  if (origin->cad && origin->cad->rounds > 0)
    input.remarks.emplace_back("Faces were meshed more finely for the check than for this picture.");
  write_page(input, page, words, &cancel);
}

}  // namespace snug::cli
