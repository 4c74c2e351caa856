#include "report/distinct_names.hpp"
#include "report/words.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <cmath>

namespace snug {

namespace {

using namespace report;

/// What the rounding of a pose makes of a flat part is no size.
std::string extent_of(const Aabb& bounds) {
  const Vec3 size = bounds.hi - bounds.lo;
  double largest = 0;
  for (const Vec3& corner : {bounds.lo, bounds.hi})
    largest = std::max({largest, std::abs(corner.x), std::abs(corner.y), std::abs(corner.z)});
  const double resolution = 0x1p-50 * largest;
  return short_number(size.x, resolution) + " x " + short_number(size.y, resolution) + " x " +
         short_number(size.z, resolution);
}

constexpr std::size_t k_parts_shown = 20;

/// "plane 12, cylinder 4, spline 1 (2 recognised)"; empty where no kind is known.
std::string kinds_of(const PartInfo& part) {
  std::string text;
  for (std::size_t kind = 1; kind < part.kinds.size(); ++kind) {
    if (part.kinds[kind] == 0) continue;
    if (!text.empty()) text += ", ";
    text += std::string(to_string(static_cast<SurfaceKind>(kind))) + ' ' + grouped(part.kinds[kind]);
  }
  if (part.recognised > 0) text += " (" + grouped(part.recognised) + " recognised in splines)";
  return text;
}

std::string loss_lines(const AssemblyInfo& info, std::size_t width) {
  std::string out;
  for (const Problem& loss : info.losses)
    out += "LOST        " +
           wrapped(printable(loss.part.empty() ? loss.text : loss.part + ": " + loss.text), 14, width) + '\n';
  return out;
}

/// What is odd, part by part, in full.
std::string problem_lines(const AssemblyInfo& info, std::size_t folder, std::size_t width) {
  constexpr std::size_t k_indent = 12;
  std::string out;
  std::size_t parts = 0;
  const auto line = [&](const std::string& text) {
    (out += std::string(k_indent, ' ')) += wrapped(text, k_indent + 2, width) + '\n';
  };
  for (const PartInfo& part : info.parts) {
    if (part.problems.empty() || ++parts > k_parts_shown) continue;
    std::string text = printable(std::string_view(part.path).substr(folder)) + ": ";
    for (std::size_t i = 0; i < part.problems.size(); ++i) text += (i == 0 ? "" : "; ") + printable(part.problems[i]);
    line(text);
  }
  if (parts > k_parts_shown)
    line("and " + support::counted(parts - k_parts_shown, "part", "parts") + " more; --json lists all");
  for (const std::string& text : info.problems) line(printable(text));
  return out;
}

}  // namespace

std::string info_text(const Assembly& assembly, const AssemblyInfo& info, const TextStyle& style) {
  const std::string unit(to_string(assembly.units()));
  const std::string folder = common_folder(assembly);
  const std::size_t columns = std::max<std::size_t>(12, style.width / 3);
  std::vector<std::string_view> paths;
  for (const PartInfo& part : info.parts) paths.push_back(std::string_view(part.path).substr(folder.size()));
  const DistinctNames names(std::move(paths), columns);
  const bool narrow = style.width < k_narrow;
  const bool kinds = std::ranges::any_of(info.parts, [](const PartInfo& part) { return !kinds_of(part).empty(); });
  Table table;
  table.column("part");
  table.column("triangles", Table::Align::right);
  if (!narrow) table.column("vertices", Table::Align::right);
  table.column("surfaces", Table::Align::right);
  if (!narrow) table.column("shells", Table::Align::right);
  table.column("closed");
  if (!narrow) {
    table.column("volume, " + unit + "³", Table::Align::right);
    table.column("size, " + unit);
  }
  if (kinds && !narrow) {
    table.column("sag", Table::Align::right);
    table.column("kinds of surfaces");
  }
  table.column("problems", Table::Align::right);
  std::uint64_t triangles = 0, surfaces = 0, open = 0, with_problems = 0;
  for (const PartInfo& part : info.parts) {
    const std::string volume = part.volume ? short_number(*part.volume) : "-";
    const std::string sag = (part.sag.estimated ? "~" : "") + short_number(part.sag.value);
    std::vector<Table::Cell> row{{names[std::string_view(part.path).substr(folder.size())]}, {grouped(part.triangles)}};
    if (!narrow) row.push_back({grouped(part.vertices)});
    row.push_back({grouped(part.surfaces)});
    if (!narrow) row.push_back({grouped(part.shells)});
    row.push_back({part.closed ? "yes" : "no", part.closed ? Color::none : Color::magenta});
    if (!narrow)
      for (const std::string& text : {volume, extent_of(part.bounds)}) row.push_back({text});
    if (kinds && !narrow)
      for (const std::string& text : {sag, kinds_of(part)}) row.push_back({text});
    row.push_back({part.problems.empty() ? "" : std::to_string(part.problems.size()), Color::yellow});
    table.row(std::move(row));
    if (narrow)
      table.below(extent_of(part.bounds) + ' ' + unit + (part.volume ? ", " + volume + ' ' + unit + "³" : "") + ", " +
                  support::counted(part.vertices, "vertex", "vertices") + ", " +
                  support::counted(part.shells, "shell", "shells") +
                  (kinds ? "; sag " + sag + "; " + kinds_of(part) : ""));
    triangles += part.triangles;
    surfaces += part.surfaces;
    open += part.closed ? 0 : 1;
    with_problems += part.problems.empty() ? 0 : 1;
  }
  std::string out;
  if (!folder.empty()) out += "names are below " + printable(folder) + "\n\n";
  out += table.render(style.width, style.color) + '\n';
  const std::string totals = support::counted(info.parts.size(), "part", "parts") + " from " +
                             support::counted(assembly.distinct_meshes(), "mesh", "distinct meshes") + ", " +
                             grouped(surfaces, "surface", "surfaces") + ", " +
                             grouped(triangles, "triangle", "triangles") + ", in " + (unit == "in" ? "inches" : unit);
  const std::string none = info.problems.empty() ? "none" : "none in the parts";
  const std::string problems =
      (with_problems == 0 ? none : support::counted(with_problems, "part", "parts") + " with problems") +
      (open == 0 ? ""
                 : "; " + support::counted(open, "part is", "parts are") +
                       " not closed: inside and outside are "
                       "not defined there, only crossing triangles clash");
  out +=
      "totals      " + wrapped(totals, 12, style.width) + "\nproblems    " + wrapped(problems, 12, style.width) + '\n';
  out += loss_lines(info, style.width);
  out += problem_lines(info, folder.size(), style.width);
  if (info.cancelled) out += "CANCELLED   the rest was not looked at\n";
  return out;
}

}  // namespace snug
