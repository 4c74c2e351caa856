#include "report/distinct_names.hpp"
#include "report/problems_text.hpp"
#include "report/time_bar.hpp"
#include "report/words.hpp"
#include "support/text.hpp"
#include "support/trig.hpp"

#include <snug/move_report.hpp>

#include <algorithm>
#include <array>

namespace snug {

namespace {

using namespace report;
using support::counted;

std::string word_of(const PathFinding& finding) {
  return std::string(to_string(finding.verdict)) + (finding.firm ? "" : "?");
}

/// Pairs that merely touch and never move against each other would hide the rest: they are counted instead.
bool in_table(const PathFinding& finding) { return !finding.at_rest || finding.verdict > Verdict::touch; }

std::string when(const PathFinding& finding, const Assembly& assembly, const TimeSpan& range) {
  if (finding.at_rest) return "always: at rest";
  std::string out;
  const auto add = [&](const char* what, const std::string& text) {
    if (!text.empty()) out += (out.empty() ? "" : "; ") + std::string(what) + text;
  };
  add(finding.verdict == Verdict::contained ? "inside " : "clash ", spans_text(finding.intervals, range));
  add("undecided ", spans_text(finding.undecided, range));
  add("touch ", spans_text(finding.touch_intervals, range));
  if (finding.smallest_gap)
    add("gap ", short_number(finding.smallest_gap->value) + ' ' + std::string(to_string(assembly.units())) + " at " +
                    time_text(finding.smallest_gap->t, range));
  return out;
}

std::string surface_name(const Mesh& mesh, std::uint32_t surface) {
  const auto surfaces = mesh.surfaces();
  const std::string& name = surfaces[surface].name;
  return name.empty() ? '#' + std::to_string(surface) : printable(name);
}

/// "32.5 mm", "90 deg", "32.5 mm and 90 deg".
std::string travel_text(const Travel& travel, const std::string& unit) {
  const double degrees = travel.radians * (180 / support::k_pi);
  const std::string turned = short_number(degrees) + " deg";
  // A part that turns about its middle goes nowhere but for rounding.
  if (degrees > 0 && !(travel.length > 1e-9)) return turned;
  return short_number(travel.length) + unit + (degrees > 0 ? " and " + turned : "");
}

/// How far parts have come when they first interfere, or else touch, and how deep they are in one another at worst.
std::string how_far(const PathFinding& finding, const Assembly& assembly, const TimeSpan& range, std::size_t folder) {
  const std::string unit = ' ' + std::string(to_string(assembly.units()));
  std::string out;
  const bool clash = finding.first_clash_travel.has_value();
  if (const auto& travel = clash ? finding.first_clash_travel : finding.first_contact_travel;
      travel && !finding.at_rest) {
    const auto add = [&](const Travel& of, const FindingSide& side) {
      if (!(of.length > 0) && !(of.radians > 0)) return;
      out += (out.empty() ? "after " : ", ") + travel_text(of, unit) + " of " +
             printable(std::string_view(side.part).substr(folder));
    };
    const auto& first = clash ? finding.first_clash : finding.first_contact;
    if (first && first->t_lo > range.begin) add(travel->a, finding.a), add(travel->b, finding.b);
    if (out.empty()) out = "from the beginning";
  }
  const PathDepth* deepest = nullptr;
  for (const auto& depth : finding.depths)
    if (depth && (deepest == nullptr || depth->lower > deepest->lower)) deepest = &*depth;
  if (deepest != nullptr) {
    const std::string lower = short_number(deepest->lower), upper = short_number(deepest->upper);
    // Between the instants that were looked at they may be deeper.
    out += (out.empty() ? "" : "; ") + std::string("at least ") + lower + unit + " thick" +
           (lower == upper ? "" : ", apart by " + upper + unit) +
           (finding.at_rest ? "" : " at " + time_text(deepest->t, range));
  }
  return out.empty() ? out : out + "; ";
}

/// Which faces, and when; those that interfere first, by the time at which they begin.
std::string faces(const PathFinding& finding, const Assembly& assembly, const TimeSpan& range) {
  const Mesh &mesh_a = assembly.parts()[finding.a.id].mesh, &mesh_b = assembly.parts()[finding.b.id].mesh;
  if (finding.surface_pairs.empty()) {
    if (finding.smallest_gap)
      return "faces: " + surface_name(mesh_a, finding.smallest_gap->surface_a) + " | " +
             surface_name(mesh_b, finding.smallest_gap->surface_b);
    return finding.reason.empty() ? std::string() : printable(finding.reason);
  }
  std::vector<const SurfaceMeeting*> order;
  for (const SurfaceMeeting& meeting : finding.surface_pairs) order.push_back(&meeting);
  const auto rank = [](const SurfaceMeeting* m) {
    const auto& spans = m->intervals.empty() ? m->touch_intervals : m->intervals;
    return std::pair(m->intervals.empty(), spans.empty() ? 0.0 : spans.front().begin);
  };
  std::ranges::stable_sort(order, {}, rank);
  constexpr std::size_t k_shown = 3;
  std::string out = "faces: ";
  for (std::size_t i = 0; i < order.size() && i < k_shown; ++i) {
    const auto& spans = order[i]->intervals.empty() ? order[i]->touch_intervals : order[i]->intervals;
    if (i > 0) out += "; ";
    out += surface_name(mesh_a, order[i]->a) + " | " + surface_name(mesh_b, order[i]->b);
    if (!finding.at_rest && !spans.empty())
      out += (order[i]->intervals.empty() ? " touch " : " ") + spans_text(std::span(spans).first(1), range) +
             (spans.size() > 1 ? " …" : "");
  }
  if (order.size() > k_shown) out += " +" + std::to_string(order.size() - k_shown);
  if (!finding.reason.empty()) out += "; " + printable(finding.reason);
  return out;
}

std::string timeline(const Assembly& assembly, const PathReport& report, const TextStyle& style, std::size_t folder) {
  const bool narrow = style.width < k_narrow;
  std::vector<std::string_view> parts;
  for (const PathFinding& finding : report.findings)
    for (const FindingSide* side : {&finding.a, &finding.b})
      parts.push_back(std::string_view(side->part).substr(folder));
  const DistinctNames names(std::move(parts), narrow ? 18 : 28);
  const auto name = [&](const FindingSide& side) { return names[std::string_view(side.part).substr(folder)]; };
  const std::size_t bar = narrow ? 20 : k_bar;
  Table table;
  table.column("verdict");
  table.column("part a");
  table.column("part b");
  // The ends of the range stand over the bar.
  const std::string from = support::number_text(report.range.begin), to = support::number_text(report.range.end) + " s";
  table.column(from + (from.size() + to.size() + 1 < bar ? std::string(bar - from.size() - to.size(), ' ') : " .. ") +
               to);
  if (!narrow) table.column("when (s)");
  for (const PathFinding& finding : report.findings) {
    if (!in_table(finding)) continue;
    std::vector<Table::Cell> row{{word_of(finding), color_of(finding.verdict)},
                                 {name(finding.a)},
                                 {name(finding.b)},
                                 {time_bar(finding, report.range, bar), color_of(finding.verdict)}};
    if (!narrow) row.push_back({when(finding, assembly, report.range)});
    table.row(std::move(row));
    const std::string met = how_far(finding, assembly, report.range, folder) + faces(finding, assembly, report.range);
    table.below(narrow ? when(finding, assembly, report.range) + (met.empty() ? "" : "; " + met) : met);
  }
  return table.render(style.width, style.color);
}

std::string summary_line(const PathReport& report, bool moving_only, const TextStyle& style) {
  if (report.findings.empty())
    return report.coverage.complete ? painted(moving_only ? "no findings: parts that move stay clear of all others"
                                                          : "no findings: every pair of parts stays clear",
                                              Color::green, style.color)
                                    : std::string("no findings in what was looked at");
  std::string text;
  for (const Verdict verdict : k_gravest_first)
    if (report.count_of(verdict) > 0)
      text += (text.empty() ? "" : ", ") +
              painted(std::to_string(report.count_of(verdict)) + ' ' + std::string(to_string(verdict)),
                      color_of(verdict), style.color);
  const auto resting = std::ranges::count_if(report.findings, [](const PathFinding& f) { return !in_table(f); });
  if (resting > 0)
    text += "; " + std::to_string(resting) +
            " of them touch at rest and never move against each other: not listed, --json has them";
  if (report.coverage.not_firm > 0) text += "; " + std::to_string(report.coverage.not_firm) + " not firm";
  return text;
}

std::string motion_line(const PathReport& report, const MoveSource& source) {
  std::string text = source.motion ? printable(source.motion->path) + ": " : std::string();
  if (!source.steps.empty()) text = counted(source.steps.size(), "step", "steps") + " of a second: ";
  text += counted(report.coverage.parts_moving, "part moves", "parts move") + ", from " +
          support::number_text(report.range.begin) + " to " + support::number_text(report.range.end) + " s";
  return text;
}

std::string coverage_line(const PathReport& report) {
  const PathCoverage& coverage = report.coverage;
  return coverage_text(
      coverage, report.cancelled,
      {.tested = coverage.pairs_at_rest > 0 ? " (" + grouped(coverage.pairs_at_rest) + " of them at rest)" : "",
       .cancelled = counted(coverage.pairs_unfinished, "pair was", "pairs were") + " not finished",
       .undecided = " for a time"});
}

std::string tolerances_line(const Assembly& assembly, const PathOptions& options, const PathReport& report) {
  const std::string unit = ' ' + std::string(to_string(assembly.units()));
  return "times to " + short_number(report.time_tolerance) + " s, clearance " +
         short_number(options.tolerances.clearance) + unit + ", touch gap " +
         short_number(options.tolerances.touch_gap) + unit + ", touch overlap " +
         short_number(touch_overlap_of(options.tolerances, assembly)) + unit +
         (options.tolerances.touch_overlap ? "" : " (the default)") + "; resolution " +
         short_number(report.resolution) + unit;
}

std::string gaps_lines(const Assembly& assembly, const PathReport& report, const TextStyle& style, std::size_t folder) {
  if (report.gaps.empty()) return {};
  std::vector<const PathGap*> order;
  for (const PathGap& gap : report.gaps) order.push_back(&gap);
  std::ranges::stable_sort(order, {}, [](const PathGap* gap) { return gap->gap.value; });
  constexpr std::size_t k_shown = 10;
  Table table;
  table.column("smallest gap", Table::Align::right);
  table.column("at", Table::Align::right);
  table.column("part a");
  table.column("part b");
  for (std::size_t i = 0; i < order.size() && i < k_shown; ++i) {
    const PathGap& gap = *order[i];
    const auto name = [&](std::uint32_t part) {
      return printable(std::string_view(assembly.parts()[part].path).substr(folder));
    };
    table.row({{short_number(gap.gap.value) + ' ' + std::string(to_string(assembly.units()))},
               {time_text(gap.gap.t, report.range) + " s"},
               {name(gap.a)},
               {name(gap.b)}});
  }
  std::string out = table.render(style.width, style.color);
  if (order.size() > k_shown) out += "  and " + std::to_string(order.size() - k_shown) + " more; --json lists all\n";
  return out + '\n';
}

}  // namespace

std::string move_text(const Assembly& assembly, const PathOptions& options, const PathReport& report,
                      const MoveSource& source, const TextStyle& style) {
  const std::string folder = common_folder(assembly);
  std::string out;
  const bool listed = std::ranges::any_of(report.findings, in_table);
  if ((listed || !report.gaps.empty()) && !folder.empty()) out += "names are below " + printable(folder) + "\n\n";
  if (listed)
    out += timeline(assembly, report, style, folder.size()) +
           "  # interfering, = touching, ? undecided, v closest, . clear\n\n";
  out += gaps_lines(assembly, report, style, folder.size());
  const auto line = [&](const char* head, const std::string& text) {
    if (!text.empty()) out += head + wrapped(text, 12, style.width) + '\n';
  };
  line("summary     ", summary_line(report, source.moving_only, style));
  line("motion      ", motion_line(report, source));
  line("coverage    ", coverage_line(report));
  line("tolerances  ", tolerances_line(assembly, options, report));
  if (source.moving_only) line("left out    ", "pairs that never move against each other (--moving-only)");
  for (const Problem& loss : report.coverage.losses)
    line("LOST        ", printable(loss.part.empty() ? loss.text : loss.part + ": " + loss.text));
  return out + problems_text(assembly.problems(), style);
}

}  // namespace snug
