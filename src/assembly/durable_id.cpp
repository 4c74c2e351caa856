#include "assembly/durable_id.hpp"

#include "support/assert.hpp"
#include "support/sha256.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace snug::assembly {

namespace {

/// Poses differ by rounding from one export to the next; instances differ by far more than this.
constexpr double k_step_metres = 1e-6, k_step_rotation = 1e-6;

/// The number of the step that holds a value. Coordinates in files are decimal or binary fractions. None of these lies a
/// third of a step off a multiple of it, so rounding does not carry one across the bounds of a step.
void append_step(std::string& out, double value, double step) {
  std::array<char, 32> text;
  const double number = std::floor(value / step + 1.0 / 3.0) + 0.0;
  out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr) += ' ';
}

void append_steps(std::string& out, const Vec3& v, double step) {
  for (const double value : {v.x, v.y, v.z}) append_step(out, value, step);
}

/// Names end before this character, which no path holds.
constexpr char k_end = '\0';

std::string pose_text(const Part& part, double metre) {
  std::string out(1, k_end);
  append_steps(out, metre * part.pose.translation(), k_step_metres);
  // Two columns of the matrix determine the third, and have no sign to choose as quaternions do.
  const auto& m = part.pose.matrix();
  for (const std::size_t element : {0, 3, 6, 1, 4, 7}) append_step(out, m[element], k_step_rotation);
  return out;
}

std::string middle_text(const Part& part, double metre) {
  std::string out(1, k_end);
  const Aabb& box = part.mesh.bounds();
  append_steps(out, metre * part.pose.apply(box.lo + 0.5 * (box.hi - box.lo)), k_step_metres);
  return out;
}

/// The level without the number that readers append, "bolt" of "bolt#2"; empty if it has none.
std::string_view without_number(std::string_view level) {
  const std::size_t hash = level.rfind('#');
  if (hash == std::string_view::npos || hash == 0) return {};
  const std::string_view digits = level.substr(hash + 1);
  const bool number = !digits.empty() && digits.front() != '0' && digits != "1" &&
                      std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  return number ? level.substr(0, hash) : std::string_view{};
}

/// Calls visit(beginning of the path up to and with the level, the level) for each level.
template <class Visit>
void for_each_level(std::string_view path, Visit&& visit) {
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    visit(path.substr(0, end), path.substr(begin, end - begin));
    begin = end + 1;
  }
}

/// Paths without the numbers of instances. A number is one only where the tree holds the name without it, too.
class OwnPaths {
 public:
  explicit OwnPaths(std::span<const Part> parts) {
    for (const Part& part : parts)
      for_each_level(part.path, [&](std::string_view node, std::string_view) { nodes_.insert(node); });
  }

  [[nodiscard]] std::string of(std::string_view path) const {
    std::string out;
    for_each_level(path, [&](std::string_view node, std::string_view level) {
      const std::string_view name = without_number(level);
      const bool numbered =
          !name.empty() && nodes_.contains(node.substr(0, node.size() - (level.size() - name.size())));
      if (node.size() > level.size()) out += '/';
      out += numbered ? name : level;
    });
    return out;
  }

 private:
  std::unordered_set<std::string_view> nodes_;
};

}  // namespace

DurableNames::DurableNames(const Assembly& assembly) {
  const auto parts = assembly.parts();
  const double metre = metres_per(assembly.units());
  names_.reserve(parts.size());
  {
    const OwnPaths own(parts);  // as large as all the names; gone before they are compared
    for (const Part& part : parts) names_.push_back(own.of(part.path));
  }

  // What joins a name where it repeats, one after the other as far as it takes.
  using Joins = std::function<void(std::span<const std::uint32_t>)>;
  const auto among_equals = [&](const Joins& join) {
    std::vector<std::uint32_t> by_name(names_.size());
    std::iota(by_name.begin(), by_name.end(), 0U);
    std::ranges::stable_sort(by_name, {}, [&](std::uint32_t i) -> const std::string& { return names_[i]; });
    // All groups before any name changes.
    std::vector<std::vector<std::uint32_t>> repeated;
    for (auto begin = by_name.begin(); begin != by_name.end();) {
      const auto end = std::find_if(begin, by_name.end(), [&](std::uint32_t i) { return names_[i] != names_[*begin]; });
      if (end - begin > 1) repeated.emplace_back(begin, end);
      begin = end;
    }
    for (const auto& group : repeated) join(group);
  };
  among_equals([&](std::span<const std::uint32_t> group) {
    for (const std::uint32_t i : group) names_[i] += pose_text(parts[i], metre);
  });
  among_equals([&](std::span<const std::uint32_t> group) {
    const Mesh& first = parts[group.front()].mesh;
    if (std::ranges::all_of(group, [&](std::uint32_t i) { return parts[i].mesh.hash() == first.hash(); })) return;
    for (const std::uint32_t i : group) names_[i] += middle_text(parts[i], metre);
  });
  among_equals([&](std::span<const std::uint32_t> group) {
    std::vector<std::uint32_t> sorted(group.begin(), group.end());
    // By length first, so that "#10" comes after "#9".
    std::ranges::sort(sorted, {}, [&](std::uint32_t i) { return std::pair(parts[i].path.size(), parts[i].path); });
    for (std::size_t k = 1; k < sorted.size(); ++k) (names_[sorted[k]] += k_end) += std::to_string(k + 1);
  });
}

std::string DurableNames::id(std::uint32_t a, std::uint32_t b) const {
  SNUG_ASSERT(a < names_.size() && b < names_.size());
  Sha256 sha;
  for (const std::string& name : {std::min(names_[a], names_[b]), std::max(names_[a], names_[b])}) {
    sha.update_u64(name.size());
    sha.update(std::as_bytes(std::span(name.data(), name.size())));
  }
  ContentHash hash{};
  std::ranges::copy(sha.finish(), hash.begin());
  return support::to_hex(hash).substr(0, 16);
}

}  // namespace snug::assembly
