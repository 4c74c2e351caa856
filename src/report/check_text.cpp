#include "report/distinct_names.hpp"
#include "report/finding_order.hpp"
#include "report/problems_text.hpp"
#include "report/words.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <array>

namespace snug {

namespace {

using namespace report;
using support::counted;

constexpr std::size_t k_escapes_shown = 5;
/// Pages narrower than this have no room for the id and the rest of a finding on the line of its verdict.
constexpr std::size_t k_one_line = 128;

/// Texts for the names of parts: in as many columns as the longest one needs, within what the other columns mostly leave.
DistinctNames names_of(const CheckReport& report, std::size_t folder, std::size_t width) {
  std::vector<std::string_view> names;
  std::size_t longest = 0;
  for (const Finding& finding : report.findings)
    for (const FindingSide* side : {&finding.a, &finding.b}) {
      names.push_back(std::string_view(side->part).substr(folder));
      longest = std::max(longest, display_width(printable(names.back())));
    }
  const std::size_t others = width < k_one_line ? 40 : 90;
  constexpr std::size_t k_least = 12;
  return {std::move(names), std::min(longest, std::max(k_least, width > others ? (width - others) / 2 : 0))};
}

std::string findings_table(const Assembly& assembly, const CheckReport& report, const TextStyle& style,
                           std::size_t folder) {
  const DistinctNames names = names_of(report, folder, style.width);
  const auto name = [&](const FindingSide& side) { return names[std::string_view(side.part).substr(folder)]; };
  Table table;
  table.column("verdict");
  table.column("part a");
  table.column("part b");
  table.column("how much", Table::Align::right);
  const bool narrow = style.width < k_one_line;
  if (!narrow) {
    table.column("volume", Table::Align::right);
    table.column("where (x, y, z)");
    table.column("id");
    table.column("surfaces of a | of b");
  }
  for (const Finding* const one : in_order(report.findings, style.order)) {
    const Finding& finding = *one;
    const std::string last = finding.verdict == Verdict::undecided   ? printable(finding.reason)
                             : finding.verdict == Verdict::contained ? inside_of(finding)
                             : finding.duplicate                     ? "both occupy the same space: remove one"
                                                                     : surfaces_of(finding, assembly);
    const std::string matings = matings_of(finding, assembly.units());
    const std::string volume = volume_of(finding, assembly.units());
    const std::string place = finding.point ? place_of(*finding.point, place_step(finding, assembly)) : std::string{};
    const std::string faces = matings.empty() ? last : last + " (" + matings + ')';
    std::vector<Table::Cell> row{{verdict_word(finding), color_of(finding.verdict)},
                                 {name(finding.a)},
                                 {name(finding.b)},
                                 {size_of(finding, assembly.units())}};
    if (!narrow)
      for (const std::string& text : {volume, place, finding.id, faces}) row.push_back({text});
    table.row(std::move(row));
    if (!narrow) continue;
    std::string rest;
    for (const std::string& text : {finding.id, place.empty() ? place : "at " + place, volume, faces})
      if (!text.empty()) rest += (rest.empty() ? "" : "; ") + text;
    table.below(std::move(rest));
  }
  return table.render(style.width, style.color);
}

std::string summary_line(const CheckReport& report, const TextStyle& style) {
  if (report.findings.empty())
    return report.coverage.complete ? painted("no findings: every pair of parts is clear", Color::green, style.color)
                                    : std::string("no findings in what was looked at");
  std::string text;
  for (const Verdict verdict : k_gravest_first) {
    if (report.count_of(verdict) == 0) continue;
    if (!text.empty()) text += ", ";
    text += painted(std::to_string(report.count_of(verdict)) + ' ' + std::string(to_string(verdict)), color_of(verdict),
                    style.color);
  }
  if (report.coverage.not_firm > 0) text += "; " + std::to_string(report.coverage.not_firm) + " of them not firm";
  return text;
}

std::string tolerances_line(const CheckOptions& options, const Assembly& assembly, double resolution) {
  const LengthUnit units = assembly.units();
  const std::string unit = ' ' + std::string(to_string(units));
  return "clearance " + short_number(options.tolerances.clearance) + unit + ", touch gap " +
         short_number(options.tolerances.touch_gap) + unit + ", touch overlap " +
         short_number(touch_overlap_of(options.tolerances, assembly)) + unit +
         (options.tolerances.touch_overlap ? "" : " (the default)") + "; resolution " + short_number(resolution) +
         unit + "; method " + std::string(to_string(options.method));
}

std::string meshing_line(const CadMeshing& cad, const CheckReport& report, LengthUnit units) {
  const std::string unit = ' ' + std::string(to_string(units));
  std::string text =
      "CAD faces by sag " + short_number(cad.sag) + unit + ", angle " + short_number(cad.angle_degrees) + " degrees";
  if (!cad.automatic) return text;
  text += "; those that decide again, " + counted(cad.rounds, "round", "rounds") + ", down to " +
          short_number(cad.limit) + unit;
  return text + (cad.limit_reached              ? ": THE LIMIT WAS REACHED"
                 : report.coverage.not_firm > 0 ? ": finer triangles would not help"
                                                : ": enough");
}

/// Verdicts that finer triangles might change, and what the triangles may be off.
std::string sag_line(const CheckReport& report, LengthUnit units) {
  double largest = 0;
  bool estimated = false;
  for (const Finding& finding : report.findings) {
    largest = std::max(largest, finding.sag);
    estimated |= finding.sag_estimated;
  }
  if (largest == 0) return {};
  const std::uint64_t count = report.coverage.not_firm;
  return "faces that decide are up to " + short_number(largest) + ' ' + std::string(to_string(units)) +
         " off their triangles" + (estimated ? " (estimated on splines); " : "; ") +
         (count == 0 ? std::string(report.count_of(Verdict::undecided) == 0 ? "every verdict is firm"
                                                                            : "every verdict that was reached is firm")
                     : counted(count, "verdict is", "verdicts are") + " not firm, marked by '?'");
}

std::string losses_lines(const Coverage& coverage, std::size_t width) {
  constexpr std::size_t k_shown = 20;
  std::string text;
  for (std::size_t i = 0; i < coverage.losses.size() && i < k_shown; ++i) {
    const Problem& loss = coverage.losses[i];
    text += (i == 0 ? "LOST        " : "            ") +
            wrapped(printable(loss.part.empty() ? loss.text : loss.part + ": " + loss.text), 14, width) + '\n';
  }
  if (coverage.losses.size() > k_shown)
    text += "            and " + std::to_string(coverage.losses.size() - k_shown) + " more; --json lists all\n";
  return text;
}

/// The shortest ways out that were found, for the gravest clashes.
std::string escapes(const Assembly& assembly, const CheckReport& report, std::size_t folder, const TextStyle& style) {
  std::string text;
  std::size_t shown = 0;
  for (const Finding* const one : in_order(report.findings, style.order)) {
    const Finding& finding = *one;
    if (!finding.depth || finding.verdict != Verdict::clash || finding.duplicate) continue;
    if (shown++ >= k_escapes_shown) continue;
    text +=
        "             e.g. " +
        wrapped(printable(std::string_view(finding.b.part).substr(folder)) + " moved by " +
                    way_of(finding.depth->escape, finding.resolution) + ' ' + std::string(to_string(assembly.units())) +
                    " is free of " + printable(std::string_view(finding.a.part).substr(folder)),
                18, style.width) +
        '\n';
  }
  if (shown > k_escapes_shown)
    text += "             … and " + std::to_string(shown - k_escapes_shown) + " more, see --json\n";
  return text;
}

/// What brings finer triangles, after what was tried.
std::string_view finer_words(const std::optional<CadMeshing>& cad) {
  if (!cad) return "mesh them more finely where the model comes from";
  if (!cad->automatic) return "mesh them more finely where it matters by --sag auto, or everywhere by a smaller --sag";
  if (!cad->limit_reached)
    return "the faces that are left meet exactly by their analytic forms, so that no triangles can tell; 'relations' "
           "and "
           "'in_doubt' in the JSON document name them";
  return "they were meshed down to the limit; a smaller --sag-limit goes further, unless the faces meet exactly: then "
         "no "
         "triangles can tell, and 'relations' in the JSON document say what the faces are to each other";
}

std::string advice_lines(const Assembly& assembly, const CheckReport& report, const TextStyle& style,
                         std::size_t folder, const std::optional<CadMeshing>& cad) {
  std::string text;
  for (const Verdict verdict : k_gravest_first) {
    if (report.count_of(verdict) == 0) continue;
    const std::string word(to_string(verdict));
    text += "  " + painted(word, color_of(verdict), style.color) + std::string(11 - word.size(), ' ') +
            wrapped(advice(verdict), 13, style.width) + '\n';
    if (verdict == Verdict::clash) text += escapes(assembly, report, folder, style);
  }
  if (report.coverage.not_firm > 0)
    text += "  with '?'   " +
            wrapped("what was measured is no larger than what the triangles may be off the CAD faces: " +
                        std::string(finer_words(cad)),
                    13, style.width) +
            '\n';
  return text;
}

}  // namespace

std::string check_text(const Assembly& assembly, const CheckOptions& options, const CheckReport& report,
                       const TextStyle& style, const std::optional<CadMeshing>& cad) {
  const std::string folder = common_folder(assembly);
  std::string out;
  if (!report.findings.empty()) {
    if (!folder.empty()) out += "names are below " + printable(folder) + "\n\n";
    out += findings_table(assembly, report, style, folder.size()) + '\n';
  }
  out += "summary     " + summary_line(report, style) + '\n';
  const auto line = [&](const char* head, const std::string& text) {
    if (!text.empty()) out += head + wrapped(text, 12, style.width) + '\n';
  };
  line("coverage    ", coverage_text(report.coverage, report.cancelled, {.cancelled = "the rest was not looked at"}));
  line("tolerances  ", tolerances_line(options, assembly, report.resolution));
  if (cad) line("meshing     ", meshing_line(*cad, report, assembly.units()));
  line("sag         ", sag_line(report, assembly.units()));
  out += losses_lines(report.coverage, style.width);
  out += problems_text(assembly.problems(), style);
  if (const std::string lines = advice_lines(assembly, report, style, folder.size(), cad); !lines.empty())
    out += "\nwhat to do\n" + lines;
  return out;
}

}  // namespace snug
