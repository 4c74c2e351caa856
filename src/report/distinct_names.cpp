#include "report/distinct_names.hpp"

#include "report/text.hpp"
#include "support/assert.hpp"
#include "support/disjoint_sets.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

namespace snug::report {

namespace {

constexpr std::string_view k_ellipsis = "…";

/// A name in the form that a terminal may show, cut into characters.
struct Shown {
  std::string_view name;
  std::string full;
  std::vector<std::string_view> characters;  ///< of `full`
  /// Where others of its group, the same up to there, go on with another character, or end.
  std::vector<std::size_t> branches = {};
};
using Group = std::vector<Shown*>;

/// Notes the branches of names, ordered by characters, that are the same in the first `known` ones.
void find_branches(std::span<Shown* const> group, std::size_t known) {
  if (group.size() < 2) return;
  const auto &first = group.front()->characters, &last = group.back()->characters;
  while (known < first.size() && known < last.size() && first[known] == last[known]) ++known;
  const auto character = [known](const Shown* shown) {
    return known < shown->characters.size() ? shown->characters[known] : std::string_view{};
  };
  for (Shown* shown : group) shown->branches.push_back(known);
  while (!group.empty()) {
    const auto same =
        std::ranges::find_if(group, [&](const Shown* shown) { return character(shown) != character(group.front()); });
    const auto count = static_cast<std::size_t>(same - group.begin());
    SNUG_ASSERT(count > 0);
    find_branches(group.first(count), known + 1);
    group = group.subspan(count);
  }
}

/// Where the word that holds the character at `at` begins, but no more than `most` before.
std::size_t word_begin(const Shown& shown, std::size_t at, std::size_t most) {
  constexpr std::string_view k_between = " /_-.:#";
  std::size_t begin = at;
  SNUG_ASSERT(at <= shown.characters.size());
  while (begin > 0 && at - begin < most && k_between.find(shown.characters[begin - 1]) == std::string_view::npos)
    --begin;
  return begin;
}

/// The characters around the branches, from the beginning of their words, `context` of them at most on each side, and
/// the last `tail` ones. Texts of names with the same branches up to one where they differ are the same up to there, and
/// differ there.
std::string around_branches(const Shown& shown, std::size_t context, std::size_t tail) {
  const std::size_t count = shown.characters.size();
  std::vector<bool> kept(count, false);
  for (const std::size_t branch : shown.branches)
    for (std::size_t i = word_begin(shown, branch, context); i < std::min(count, branch + 1 + context); ++i)
      kept[i] = true;
  for (std::size_t i = count - std::min(count, tail); i < count; ++i) kept[i] = true;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (kept[i])
      text += shown.characters[i];
    else if (i == 0 || kept[i - 1])
      text += k_ellipsis;
  }
  return text;
}

/// The largest number up to `most` for which `holds`, which holds below every number it holds for; 0 if it holds for none.
template <class Holds>
std::size_t largest(std::size_t most, Holds&& holds) {
  std::size_t low = 0, high = most;
  while (low < high) {
    const std::size_t middle = low + (high - low + 1) / 2;
    if (holds(middle))
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

class Texts {
 public:
  Texts(std::vector<Shown>& all, std::size_t width)
      : all_(all), width_(width), text_(all.size()), groups_(static_cast<std::uint32_t>(all.size())) {
    for (std::size_t i = 0; i < all_.size(); ++i) text_[i] = shortened(all_[i].full, width_);
    while (join_same()) tell_apart();
    show_rest_in_full();
  }

  [[nodiscard]] const std::string& operator[](std::size_t i) const { return text_[i]; }

 private:
  using Ids = std::vector<std::uint32_t>;

  [[nodiscard]] bool fits(const std::string& text) const { return display_width(text) <= width_; }

  /// Those with the same text, if there are several.
  [[nodiscard]] std::vector<Ids> same() const {
    std::map<std::string_view, Ids> by_text;
    for (std::uint32_t i = 0; i < all_.size(); ++i) by_text[text_[i]].push_back(i);
    std::vector<Ids> out;
    for (auto& [text, ids] : by_text)
      if (ids.size() > 1) out.push_back(std::move(ids));
    return out;
  }

  /// Names with the same text, and their groups, are told apart together. False if that was tried with all of them.
  bool join_same() {
    bool joined = false;
    for (const Ids& ids : same())
      for (const std::uint32_t i : ids) {
        joined |= groups_.find(i) != groups_.find(ids.front());
        groups_.join(i, ids.front());
      }
    return joined;
  }

  void tell_apart() {
    std::map<std::uint32_t, Group> groups;
    for (std::uint32_t i = 0; i < all_.size(); ++i) groups[groups_.find(i)].push_back(&all_[i]);
    for (auto& [first, group] : groups)
      if (group.size() > 1) tell_apart(group);
  }

  /// As much around the branches as there is room for in the longest text, and then as much of each end.
  void tell_apart(Group& group) {
    std::ranges::sort(group, {}, &Shown::characters);
    for (Shown* shown : group) shown->branches.clear();
    find_branches(group, 0);
    const std::size_t context = largest(width_, [&](std::size_t tried) {
      return std::ranges::all_of(group, [&](const Shown* shown) { return fits(around_branches(*shown, tried, 0)); });
    });
    for (const Shown* shown : group) {
      const std::size_t tail =
          largest(width_, [&](std::size_t tried) { return fits(around_branches(*shown, context, tried)); });
      text_[static_cast<std::size_t>(shown - all_.data())] = around_branches(*shown, context, tail);
    }
  }

  /// What still is the same has no text of that width. Whole names differ, so this ends.
  void show_rest_in_full() {
    for (bool again = true; again;) {
      again = false;
      for (const Ids& ids : same())
        for (const std::uint32_t i : ids) {
          again |= text_[i] != all_[i].full;
          text_[i] = all_[i].full;
        }
    }
  }

  std::vector<Shown>& all_;
  std::size_t width_;
  std::vector<std::string> text_;
  support::DisjointSets groups_;
};

/// Every character that a terminal would not show as itself, by its bytes; no two names come out the same.
std::string escaped(std::string_view name) {
  constexpr std::string_view k_digits = "0123456789abcdef";
  std::string out;
  for (const std::string_view character : characters(name)) {
    if (printable(character) == character && character != "\\") {
      out += character;
      continue;
    }
    for (const char c : character) {
      const auto byte = static_cast<unsigned char>(c);
      ((out += "\\x") += k_digits[byte >> 4]) += k_digits[byte & 15U];
    }
  }
  return out;
}

}  // namespace

DistinctNames::DistinctNames(std::vector<std::string_view> names, std::size_t width) {
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  std::set<std::string> printed;
  for (const std::string_view name : names) printed.insert(printable(name));
  const bool ambiguous = printed.size() < names.size();
  std::vector<Shown> shown;
  shown.reserve(names.size());
  for (const std::string_view name : names) {
    shown.push_back({name, ambiguous ? escaped(name) : printable(name), {}});
  }
  for (Shown& one : shown) one.characters = characters(one.full);
  const Texts texts(shown, width);
  for (std::size_t i = 0; i < shown.size(); ++i) text_of_.emplace(shown[i].name, texts[i]);
  SNUG_ASSERT(text_of_.size() == names.size());
}

}  // namespace snug::report
