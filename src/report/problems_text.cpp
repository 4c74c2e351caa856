#include "report/problems_text.hpp"

#include "report/text.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace snug::report {

namespace {

constexpr std::size_t k_kinds_shown = 6;
constexpr std::string_view k_head = "problems    ";
constexpr std::string_view k_indent = "            ";

struct Kind {
  std::string_view text;
  std::string_view first_part;
  std::size_t count = 0;
};

std::vector<Kind> by_kind(std::span<const Problem> problems) {
  std::vector<Kind> kinds;
  std::unordered_map<std::string_view, std::size_t> at;
  for (const Problem& problem : problems) {
    const auto [found, is_new] = at.try_emplace(problem.text, kinds.size());
    if (is_new) kinds.push_back({problem.text, problem.part});
    ++kinds[found->second].count;
  }
  return kinds;
}

}  // namespace

std::string problems_text(std::span<const Problem> problems, const TextStyle& style) {
  std::string out;
  const std::vector<Kind> kinds = by_kind(problems);
  for (std::size_t i = 0; i < kinds.size() && i < k_kinds_shown; ++i) {
    std::string line = printable(kinds[i].first_part);
    if (kinds[i].count > 1 && !line.empty()) line += " and " + support::counted(kinds[i].count - 1, "other", "others");
    if (!line.empty()) line += ": ";
    line += printable(kinds[i].text);
    if (kinds[i].count > 1 && kinds[i].first_part.empty()) line += " (" + std::to_string(kinds[i].count) + " times)";
    if (!style.whole_problems) line = cut(line, std::max(style.width, k_indent.size() + 20) - k_indent.size());
    (out += i == 0 ? k_head : k_indent) += line + '\n';
  }
  if (kinds.size() > k_kinds_shown)
    (out += k_indent) +=
        "and " + support::counted(kinds.size() - k_kinds_shown, "more kind", "more kinds") + "; --json lists all\n";
  return out;
}

std::string coverage_text(const Coverage& coverage, bool cancelled, const CoverageWords& words) {
  std::string text = counted(coverage.parts, "part", "parts") + ", " +
                     grouped(coverage.pairs_possible, "pair", "pairs") + "; " + grouped(coverage.pairs_tested) +
                     " tested" + words.tested;
  if (coverage.complete)
    text += ", " + grouped(coverage.pairs_possible - coverage.pairs_tested) + " clear by their boxes; complete";
  else if (cancelled)
    text += "; CANCELLED, " + words.cancelled;
  else if (coverage.pairs_possible == 0)
    text += "; NOTHING TO TEST: it takes two parts";
  else
    text += "; INCOMPLETE";
  if (!coverage.losses.empty()) text += "; " + counted(coverage.losses.size(), "loss", "losses") + " in reading";
  if (coverage.undecided > 0)
    text += "; " + counted(coverage.undecided, "pair", "pairs") + " undecided" + words.undecided;
  const auto& skipped = coverage.parts_skipped;
  if (skipped.empty()) return text;
  return text + "; skipped, without triangles: " + printable(skipped.front()) +
         (skipped.size() > 1 ? " and " + std::to_string(skipped.size() - 1) + " more" : "");
}

}  // namespace snug::report
