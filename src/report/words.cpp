#include "report/words.hpp"

#include <algorithm>

namespace snug::report {

namespace {

constexpr std::size_t k_surfaces_shown = 4;

std::string surfaces_of_side(const FindingSide& side, const Assembly& assembly) {
  const auto surfaces = assembly.parts()[side.id].mesh.surfaces();
  std::string text;
  std::size_t shown = 0;
  for (const std::uint32_t id : side.surfaces) {
    if (shown++ == k_surfaces_shown) break;
    if (!text.empty()) text += ", ";
    text += surfaces[id].name.empty() ? '#' + std::to_string(id) : printable(surfaces[id].name);
  }
  if (side.surfaces.size() > k_surfaces_shown) text += " +" + std::to_string(side.surfaces.size() - k_surfaces_shown);
  return text;
}

}  // namespace

Color color_of(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::clash:
    case Verdict::contained:
      return Color::red;
    case Verdict::undecided:
      return Color::magenta;
    case Verdict::touch:
      return Color::cyan;
    case Verdict::near:
      return Color::yellow;
    case Verdict::clear:
      return Color::green;
  }
  return Color::none;
}

std::string_view advice(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::contained:
      return "one part lies wholly inside the other: remove it, move it out, or give the other one a cavity";
    case Verdict::clash:
      return "the parts overlap: move one by at least the depth, or take the common volume away; if the overlap is "
             "meant (press fits, threads), allow it by --touch-overlap";
    case Verdict::undecided:
      return "it could not be told, for the reason given: mostly an open mesh; 'snug info' names its open edges";
    case Verdict::touch:
      return "the parts rest on one another without overlap: fine where contact is meant";
    case Verdict::near:
      return "the gap is below the clearance asked for: move the parts apart, or ask for less";
    case Verdict::clear:
      return "nothing to do";
  }
  return "";
}

std::string common_folder(const Assembly& assembly) {
  const auto parts = assembly.parts();
  if (parts.size() < 2) return {};
  std::string_view common = parts.front().path;
  for (const Part& part : parts.subspan(1))
    common = common.substr(0, static_cast<std::size_t>(std::ranges::mismatch(common, part.path).in1 - common.begin()));
  const std::size_t slash = common.rfind('/');
  return slash == std::string_view::npos ? std::string{} : std::string(common.substr(0, slash + 1));
}

std::string size_of(const Finding& finding, LengthUnit units) {
  const std::string unit = ' ' + std::string(to_string(units));
  if (finding.depth) {
    const std::string lower = short_number(finding.depth->lower), upper = short_number(finding.depth->upper);
    return (lower == upper ? upper : lower + " to " + upper) + unit + " deep";
  }
  if (!finding.gap) return {};
  return *finding.gap == 0 ? "in contact" : "gap " + short_number(*finding.gap) + unit;
}

std::string volume_of(const Finding& finding, LengthUnit units) {
  if (!finding.volume) return {};
  return short_number(finding.volume->value) + ' ' + std::string(to_string(units)) + "³";
}

std::string place_of(const Vec3& point) {
  return '(' + short_number(point.x) + ", " + short_number(point.y) + ", " + short_number(point.z) + ')';
}

std::string surfaces_of(const Finding& finding, const Assembly& assembly) {
  if (finding.a.surfaces.empty() && finding.b.surfaces.empty()) return {};
  return surfaces_of_side(finding.a, assembly) + " | " + surfaces_of_side(finding.b, assembly);
}

}  // namespace snug::report
