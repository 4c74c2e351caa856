#include "report/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <span>
#include <vector>

namespace snug::report {

namespace {

constexpr std::size_t k_surfaces_shown = 4;

/// Surfaces of one side, those that matter first: where faces lie flat on one another these alone, by area.
std::vector<std::uint32_t> by_weight(const FindingSide& side, const std::vector<ContactPatch>& patches,
                                     std::uint32_t ContactPatch::* surface) {
  if (patches.empty()) return side.surfaces;
  std::map<std::uint32_t, double> area_of;
  for (const ContactPatch& patch : patches) area_of[patch.*surface] += patch.area;
  std::vector<std::uint32_t> ids;
  ids.reserve(area_of.size());
  for (const auto& [id, area] : area_of) ids.push_back(id);
  std::ranges::sort(ids, [&](std::uint32_t a, std::uint32_t b) {
    return area_of[a] != area_of[b] ? area_of[a] > area_of[b] : a < b;
  });
  return ids;
}

std::string named(const std::vector<std::uint32_t>& ids, const Mesh& mesh) {
  const auto surfaces = mesh.surfaces();
  std::string text;
  for (std::size_t i = 0; i < ids.size() && i < k_surfaces_shown; ++i) {
    if (i > 0) text += ", ";
    text += surfaces[ids[i]].name.empty() ? '#' + std::to_string(ids[i]) : printable(surfaces[ids[i]].name);
  }
  if (ids.size() > k_surfaces_shown) text += " +" + std::to_string(ids.size() - k_surfaces_shown);
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
      return "the parts overlap: move one out, or take the common volume away; if the overlap is meant (press fits, "
             "threads), allow it by a --touch-overlap of its thickness; the ways out below look at one pair each, so "
             "check again after a move; parts that are not closed have no thickness, 'snug info' names their open "
             "edges";
    case Verdict::undecided:
      return "it could not be told, for the reason given: close an open mesh ('snug info' names its open edges), or "
             "choose a touch overlap outside the bounds of the thickness";
    case Verdict::touch:
      return "the parts meet, by no more than the tolerances allow: fine where contact is meant";
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
    const std::string lower = short_number(finding.depth->lower, finding.resolution);
    const std::string upper = short_number(finding.depth->upper, finding.resolution);
    if (lower == upper) return upper + unit + " deep";
    return lower + unit + " thick, b out by " + upper + unit;
  }
  if (finding.crossing)
    return "crosses along " + short_number(finding.crossing->length) + unit + ", b out by " +
           short_number(finding.crossing->depth) + unit;
  if (finding.verdict == Verdict::clash) return "not closed";
  if (!finding.gap) return {};
  return *finding.gap <= finding.resolution ? "in contact" : "gap " + short_number(*finding.gap) + unit;
}

std::string volume_of(const Finding& finding, LengthUnit units) {
  if (!finding.volume) return {};
  const auto [value, error] = *finding.volume;
  const std::string unit = ' ' + std::string(to_string(units)) + "³";
  // To the step of an error that exceeds it, every volume would be 0.
  if (value <= error && error > 0) return "up to " + short_number(value + error, 1e-3 * (value + error)) + unit;
  return short_number(value, error) + unit;
}

double place_step(const Finding& finding, const Assembly& assembly) {
  constexpr double k_share = 0.001;
  double smaller = std::numeric_limits<double>::infinity();
  for (const FindingSide* side : {&finding.a, &finding.b}) {
    const Aabb& box = assembly.parts()[side->id].mesh.bounds();
    const Vec3 size = box.hi - box.lo;
    smaller = std::min(smaller, std::max({size.x, size.y, size.z}));
  }
  return std::max(k_share * smaller, finding.resolution);
}

std::string place_of(const Vec3& point, double step) {
  return '(' + coordinate(point.x, step) + ", " + coordinate(point.y, step) + ", " + coordinate(point.z, step) + ')';
}

std::string way_of(const Vec3& way, double resolution) {
  std::string text;
  for (const double x : {way.x, way.y, way.z}) {
    // From a million on, seven digits are whole numbers.
    const double size = std::abs(x);
    const char* const format = size >= 1e6 && size < 1e15 ? "%.0f" : "%.7g";
    char digits[32];
    std::snprintf(digits, sizeof digits, format, size <= resolution ? 0.0 : x);
    // Rounded towards zero it would no longer lead out.
    if (size > resolution && std::abs(std::strtod(digits, nullptr)) < size)
      std::snprintf(digits, sizeof digits, format, (1 + 1e-6) * x);
    text += (text.empty() ? "(" : ", ") + std::string(digits);
  }
  return text + ')';
}

std::string inside_of(const Finding& finding) {
  const auto side = [](const std::vector<std::uint32_t>& shells, const char* one, const char* other) {
    if (shells.empty()) return std::string{};
    return std::string(one) + " lies inside " + other +
           (shells.size() == 1 ? "" : " (" + std::to_string(shells.size()) + " shells)");
  };
  const std::string a = side(finding.shells_of_a_inside, "a", "b"), b = side(finding.shells_of_b_inside, "b", "a");
  return a.empty() || b.empty() ? a + b : a + "; " + b;
}

std::string verdict_word(const Finding& finding) {
  return std::string(to_string(finding.verdict)) + (finding.firm ? "" : "?");
}

std::string matings_of(const Finding& finding, LengthUnit units) {
  struct Row {
    std::string_view one, many;
    std::size_t count = 0;
  };
  std::array<Row, 6> rows{{{},
                           {"planar mate", "planar mates"},
                           {"flush plane", "flush planes"},
                           {"concentric", "concentric"},
                           {"tangent", "tangent"},
                           {"coincident", "coincident"}}};
  const SurfaceMating* fit = nullptr;  // the tightest
  for (const SurfaceMating& mating : finding.matings) {
    ++rows[static_cast<std::size_t>(mating.mating)].count;
    const bool is_fit = mating.mating == Mating::concentric || mating.mating == Mating::coincident;
    if (is_fit && mating.fit && (fit == nullptr || *mating.fit < *fit->fit)) fit = &mating;
  }
  std::string text;
  for (const Row& row : std::span(rows).subspan(1)) {
    if (row.count == 0) continue;
    if (!text.empty()) text += ", ";
    text += std::to_string(row.count) + ' ' + std::string(row.count == 1 ? row.one : row.many);
  }
  if (fit != nullptr) {
    const std::string unit = ' ' + std::string(to_string(units));
    // What the rounding of the poses and radii makes is no play.
    text += std::abs(*fit->fit) <= finding.resolution ? "; fit: line to line"
            : *fit->fit > 0                           ? "; fit: clearance " + short_number(*fit->fit) + unit
                                                      : "; fit: interference " + short_number(-*fit->fit) + unit;
  }
  return text;
}

std::string surfaces_of(const Finding& finding, const Assembly& assembly) {
  if (finding.a.surfaces.empty() && finding.b.surfaces.empty()) return {};
  const auto parts = assembly.parts();
  return named(by_weight(finding.a, finding.patches, &ContactPatch::surface_a), parts[finding.a.id].mesh) + " | " +
         named(by_weight(finding.b, finding.patches, &ContactPatch::surface_b), parts[finding.b.id].mesh);
}

}  // namespace snug::report
