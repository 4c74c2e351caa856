#include "io/errors.hpp"
#include "io/json.hpp"

#include <snug/page.hpp>

#include <array>

namespace snug {

namespace {

using io::Json;
using io::JsonView;
using Kind = Json::Kind;

Result<Json, IoError> parsed(std::string_view text, const std::string& path, std::string_view schema) {
  auto json = io::parse_json(text);
  if (!json) {
    const bool missing = json.error().code == io::JsonError::Code::unavailable;
    return io::failure_at_byte(missing ? IoError::Code::unsupported : IoError::Code::malformed, path, json.error().byte,
                               json.error().message());
  }
  const auto named = json->root().find("schema");
  if (!named || !named->is(Kind::string) || named->string() != schema)
    return io::failure(IoError::Code::malformed, path, "is no " + std::string(schema) + " document");
  return std::move(*json);
}

std::optional<std::string> string_of(const JsonView& object, std::string_view name) {
  const auto value = object.find(name);
  return value && value->is(Kind::string) ? std::optional(value->string()) : std::nullopt;
}
double number_of(const JsonView& object, std::string_view name, double otherwise = 0) {
  const auto value = object.find(name);
  return value && value->is(Kind::number) ? value->number() : otherwise;
}
bool truth_of(const JsonView& object, std::string_view name) {
  const auto value = object.find(name);
  return value && value->is(Kind::boolean) && value->boolean();
}
/// Calls f for each item of an array; nothing if there is none.
template <class F>
void each(const std::optional<JsonView>& array, F f) {
  if (array && array->is(Kind::array))
    for (std::size_t i = 0; i < array->size(); ++i) f((*array)[i]);
}
template <std::size_t N>
std::optional<std::array<double, N>> numbers_of(const JsonView& object, std::string_view name) {
  const auto value = object.find(name);
  if (!value || !value->is(Kind::array) || value->size() != N) return std::nullopt;
  std::array<double, N> out{};
  for (std::size_t i = 0; i < N; ++i) {
    if (!(*value)[i].is(Kind::number)) return std::nullopt;
    out[i] = (*value)[i].number();
  }
  return out;
}
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

void read_options(const JsonView& options, ReportOrigin& out) {
  each(options.find("poses"), [&](const JsonView& placed) {
    const auto pose = pose_of(placed);
    const auto part = string_of(placed, "part");
    if (pose && part) out.placed.push_back({*part, *pose});
  });
  const auto cad = options.find("cad");
  if (!cad || !cad->is(Kind::object)) return;
  out.cad = CadMeshing{.sag = number_of(*cad, "sag"),
                       .angle_degrees = number_of(*cad, "angle_degrees"),
                       .automatic = truth_of(*cad, "automatic"),
                       .rounds = static_cast<unsigned>(number_of(*cad, "rounds")),
                       .limit = number_of(*cad, "limit"),
                       .limit_reached = truth_of(*cad, "limit_reached")};
}

}  // namespace

Result<ReportOrigin, IoError> read_report_origin(std::string_view text, const std::string& path) {
  const auto json = parsed(text, path, "snug.check/1");
  if (!json) return Failure{json.error()};
  const JsonView root = json->root();
  ReportOrigin out;
  const auto units = parse_length_unit(string_of(root, "units").value_or(""));
  if (!units) return io::failure(IoError::Code::malformed, path, "names no unit");
  out.units = *units;
  each(root.find("inputs"), [&](const JsonView& input) {
    InputFile file{string_of(input, "path").value_or(""), string_of(input, "sha256")};
    if (const auto unit = string_of(input, "units")) file.units = parse_length_unit(*unit);
    out.inputs.push_back(std::move(file));
  });
  if (const auto options = root.find("options")) read_options(*options, out);
  bool known = true;
  each(root.find("findings"), [&](const JsonView& finding) {
    const auto verdict = parse_verdict(string_of(finding, "verdict").value_or(""));
    known = known && verdict.has_value();
    out.findings.push_back({side_of(finding, "a"), side_of(finding, "b"), verdict.value_or(Verdict::undecided)});
  });
  if (!known) return io::failure(IoError::Code::malformed, path, "holds a finding without a verdict");
  return out;
}

Result<PageMotion, IoError> read_motion(std::string_view text, const std::string& path, const Assembly& assembly) {
  const auto json = parsed(text, path, "snug.motion/1");
  if (!json) return Failure{json.error()};
  const JsonView root = json->root();
  const auto fail = [&](std::string what) { return io::failure(IoError::Code::malformed, path, std::move(what)); };
  const auto units = parse_length_unit(string_of(root, "units").value_or(""));
  if (!units) return fail("names no unit");
  const auto tracks = root.find("tracks");
  if (!tracks || !tracks->is(Kind::array) || tracks->size() == 0) return fail("has no tracks");

  PageMotion out;
  bool first = true;
  for (std::size_t i = 0; i < tracks->size(); ++i) {
    const JsonView track = (*tracks)[i];
    const std::string part = string_of(track, "part").value_or("");
    const auto id = assembly.find(part);
    if (!id) return fail("moves " + io::quoted(part) + ", and there is no such part");
    std::vector<PoseKey> keys;
    bool sound = true;
    each(track.find("keys"), [&](const JsonView& key) {
      const auto pose = pose_of(key);
      const auto t = key.find("t");
      if (!pose || !t || !t->is(Kind::number)) return void(sound = false);
      const Vec3& at = pose->translation();
      const auto length = [&](double value) { return convert_length(value, *units, assembly.units()); };
      const auto converted = Pose::make(pose->rotation(), {length(at.x), length(at.y), length(at.z)});
      if (!converted) return void(sound = false);
      keys.push_back({t->number(), *converted});
    });
    auto motion = Motion::make(std::move(keys));
    if (!sound || !motion) return fail("the keys of " + io::quoted(part) + " are not poses at rising times");
    out.begin = first ? motion->begin() : std::min(out.begin, motion->begin());
    out.end = first ? motion->end() : std::max(out.end, motion->end());
    first = false;
    out.tracks.push_back({*id, std::move(*motion)});
  }
  return out;
}

}  // namespace snug
