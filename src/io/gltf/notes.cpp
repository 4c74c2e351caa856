#include "io/gltf/notes.hpp"

#include "io/errors.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace snug::io {

namespace {

using Code = IoError::Code;

/// Tools that rewrite a file round its numbers to single precision.
bool same_in_single_precision(double a, double b) {
  return std::abs(a - b) <= 0x1p-23 * std::max(std::abs(a), std::abs(b));
}

}  // namespace

std::optional<JsonView> notes(JsonView object) {
  const auto extras = object.find("extras");
  return extras ? extras->find("snug") : std::nullopt;
}

std::optional<JsonView> note(JsonView object, std::string_view key) {
  const auto all = notes(object);
  return all ? all->find(key) : std::nullopt;
}

bool read_noted_unit(GltfDocument& document, JsonView object, LengthUnit& out) {
  out = LengthUnit::metre;
  const auto noted = note(object, "unit");
  if (!noted) return true;
  const auto unit = noted->is(Json::Kind::string) ? parse_length_unit(noted->string()) : std::nullopt;
  if (!unit) return document.fail(Code::malformed, *noted, "expected a unit of length in the notes of snug");
  out = *unit;
  return true;
}

bool choose_unit(GltfDocument& document, std::optional<LengthUnit> asked, GltfUnit& out) {
  out = {};
  const auto asset = document.root().find("asset");
  if (asset && !read_noted_unit(document, *asset, out.unit)) return false;
  out.called = out.unit;
  if (!asked || *asked == out.unit) return true;
  if (!asset || !note(*asset, "unit")) {
    document.problems().push_back("lengths are taken to be in " + std::string(to_string(*asked)) +
                                  ", as declared; by its format the file is in m");
    out.called = *asked;
    return true;
  }
  if (*asked != LengthUnit::metre) {
    IoError error = document.source().fail(Code::invalid_option, "").error;
    error.text = "the file is noted in " + std::string(to_string(out.unit)) + ", but " +
                 std::string(to_string(*asked)) + " was asked for";
    return document.fail(std::move(error));
  }
  document.problems().push_back("lengths converted from " + std::string(to_string(out.unit)) +
                                " to m, each rounded by up to a unit in its last place");
  out = {.noted = out.unit};
  return true;
}

bool read_noted_translation(GltfDocument& document, JsonView node, LengthUnit unit, Vec3& translation, bool& moved) {
  moved = false;
  const std::array<double, 3> in_file{translation.x, translation.y, translation.z};
  std::array<double, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = convert_length(in_file[i], LengthUnit::metre, unit);
  if (const auto all = notes(node)) {
    std::array<double, 3> noted{};
    LengthUnit noted_unit = LengthUnit::metre;
    bool present = false;
    if (!read_noted_unit(document, node, noted_unit) || !document.read_numbers(*all, "translation", noted, present))
      return false;
    for (std::size_t i = 0; i < 3 && present; ++i)
      moved |= !same_in_single_precision(convert_length(noted[i], noted_unit, LengthUnit::metre), in_file[i]);
    for (std::size_t i = 0; i < 3 && present && !moved; ++i) out[i] = convert_length(noted[i], noted_unit, unit);
  }
  translation = {out[0], out[1], out[2]};
  return true;
}

}  // namespace snug::io
