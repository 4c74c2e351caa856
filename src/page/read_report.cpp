#include "io/errors.hpp"
#include "io/json/json_fields.hpp"

#include <snug/page.hpp>

#include <cmath>
#include <limits>

namespace snug {

namespace {

using io::each;
using io::Json;
using io::JsonView;
using io::number_of;
using io::numbers_of;
using io::string_of;
using io::truth_of;

std::optional<Pose> pose_of(const JsonView& object) {
  const auto position = numbers_of<3>(object, "position");
  const auto rotation = numbers_of<4>(object, "rotation");
  if (!position || !rotation) return std::nullopt;
  const auto pose = Pose::make({(*rotation)[0], (*rotation)[1], (*rotation)[2], (*rotation)[3]},
                               {(*position)[0], (*position)[1], (*position)[2]});
  return pose ? std::optional(*pose) : std::nullopt;
}

std::string side_of(const JsonView& finding, std::string_view side) {
  const auto object = finding.find(side);
  return object ? string_of(*object, "part").value_or("") : std::string();
}

/// How often CAD faces were meshed anew. Nothing if that is no count.
std::optional<unsigned> rounds_of(const JsonView& cad) {
  const double rounds = number_of(cad, "rounds");
  const bool is_count = rounds >= 0 && rounds <= std::numeric_limits<unsigned>::max() && rounds == std::floor(rounds);
  return is_count ? std::optional(static_cast<unsigned>(rounds)) : std::nullopt;
}

/// False if they hold what no check writes.
bool read_options(const JsonView& options, ReportOrigin& out) {
  each(options.find("poses"), [&](const JsonView& placed) {
    const auto pose = pose_of(placed);
    const auto part = string_of(placed, "part");
    if (pose && part) out.placed.push_back({*part, *pose});
  });
  const auto cad = options.find("cad");
  if (!cad || !cad->is(Json::Kind::object)) return true;
  const auto rounds = rounds_of(*cad);
  if (!rounds) return false;
  out.cad = CadMeshing{.sag = number_of(*cad, "sag"),
                       .angle_degrees = number_of(*cad, "angle_degrees"),
                       .automatic = truth_of(*cad, "automatic"),
                       .rounds = *rounds,
                       .limit = number_of(*cad, "limit"),
                       .limit_reached = truth_of(*cad, "limit_reached")};
  return true;
}

}  // namespace

std::optional<std::string> document_schema(std::string_view text) {
  const auto json = io::parse_json(text);
  return json ? string_of(json->root(), "schema") : std::nullopt;
}

Result<ReportOrigin, IoError> read_report_origin(std::string_view text, const std::string& path) {
  const auto json = io::parse_document(text, path, "snug.check/1");
  if (!json) return Failure{json.error()};
  const JsonView root = json->root();
  ReportOrigin out;
  const auto units = parse_length_unit(string_of(root, "units").value_or(""));
  if (!units) return io::failure(IoError::Code::malformed, path, "names no unit");
  out.units = *units;
  each(root.find("inputs"), [&](const JsonView& input) {
    InputFile file{string_of(input, "path").value_or(""), string_of(input, "sha256")};
    if (const auto unit = string_of(input, "units")) file.units = parse_length_unit(*unit);
    each(input.find("references"), [&](const JsonView& other) {
      file.references.push_back({string_of(other, "path").value_or(""), string_of(other, "sha256").value_or("")});
    });
    out.inputs.push_back(std::move(file));
  });
  if (const auto options = root.find("options"); options && !read_options(*options, out))
    return io::failure(IoError::Code::malformed, path, "its options.cad.rounds is no count");
  bool known = true;
  each(root.find("findings"), [&](const JsonView& finding) {
    const auto verdict = parse_verdict(string_of(finding, "verdict").value_or(""));
    known = known && verdict.has_value();
    out.findings.push_back({side_of(finding, "a"), side_of(finding, "b"), verdict.value_or(Verdict::undecided)});
  });
  if (!known) return io::failure(IoError::Code::malformed, path, "holds a finding without a verdict");
  return out;
}

}  // namespace snug
