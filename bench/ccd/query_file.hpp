#pragma once

#include <snug/ccd.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Files of labelled queries: eight rows each, seven columns "x numerator, x denominator, …, label", in folders named
// vertex-face and edge-edge (v f0 f1 f2, or a0 a1 b0 b1, at the start and then at the end). Header-only: tests read them too.

namespace snug::bench::ccd {

struct Query {
  bool vertex_face = false;
  bool hit = false;              ///< the label
  bool exact = true;             ///< false: a coordinate is no double and had to be rounded
  std::array<Point3, 8> corner;  ///< four at the start, four at the end

  [[nodiscard]] MovingPoint moving(std::size_t i) const noexcept { return {corner[i], corner[i + 4]}; }
  [[nodiscard]] MovingTriangle face() const noexcept { return {moving(1), moving(2), moving(3)}; }
  [[nodiscard]] MovingEdge edge(std::size_t i) const noexcept { return {moving(2 * i), moving(2 * i + 1)}; }
  [[nodiscard]] std::optional<ContactTime> first_contact(const ContactOptions& options = {}) const noexcept {
    return vertex_face ? snug::first_contact(moving(0), face(), options)
                       : snug::first_contact(edge(0), edge(1), options);
  }
};

struct QuerySet {
  std::string name;  ///< path below the folder that was read
  std::vector<Query> queries;
  std::string problem;  ///< why the file could not be read, with its line; empty otherwise
};

namespace detail {

/// A decimal integer as a double, if it is one.
inline std::optional<double> whole(const std::string& text) {
  if (text.empty() || text.find_first_not_of("-0123456789") != text.npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return *end == '\0' ? std::optional(value) : std::nullopt;
}

/// Glibc and others print all digits of a double, so comparing texts tells whether reading has rounded.
inline bool is_exactly(const std::string& text, double value) {
  char digits[400];
  std::snprintf(digits, sizeof digits, "%.0f", value);
  return text == digits || (value == 0 && text.find_first_of("123456789") == text.npos);
}

inline std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  while (true) {
    const std::size_t comma = line.find(',');
    cells.emplace_back(line.substr(0, comma));
    if (comma == line.npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

/// False if the row makes no sense.
inline bool read_row(const std::string& line, std::size_t row, Query& query) {
  const std::vector<std::string> cells = cells_of(line);
  if (cells.size() != 7 || (cells[6] != "0" && cells[6] != "1")) return false;
  std::array<double, 3> at{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string &above = cells[2 * axis], &below = cells[2 * axis + 1];
    const auto numerator = whole(above), denominator = whole(below);
    if (!numerator || !denominator || !(std::abs(*denominator) > 0)) return false;
    at[axis] = *numerator / *denominator;
    if (!std::isfinite(at[axis])) return false;
    // A quotient by a power of two is exact unless it falls off the subnormal end.
    int exponent = 0;
    query.exact = query.exact && is_exactly(above, *numerator) && is_exactly(below, *denominator) &&
                  std::abs(std::frexp(*denominator, &exponent)) == 0.5 && at[axis] * *denominator == *numerator;
  }
  query.corner[row] = {at[0], at[1], at[2]};
  query.hit = cells[6] == "1";
  return true;
}

}  // namespace detail

inline QuerySet read_query_file(const std::filesystem::path& file, std::string name) {
  QuerySet set{std::move(name), {}, {}};
  const std::string path = file.string();
  const bool vertex_face = path.find("vertex-face") != path.npos;
  if (vertex_face == (path.find("edge-edge") != path.npos)) {
    set.problem = path + ": neither below vertex-face nor below edge-edge";
    return set;
  }
  std::ifstream stream(file);
  if (!stream) {
    set.problem = path + ": can not be read";
    return set;
  }
  Query query;
  std::size_t row = 0, number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.find_first_not_of(" \r") == line.npos) continue;
    if (row == 0) query = {.vertex_face = vertex_face, .corner = {}};
    const bool label = query.hit;
    if (!detail::read_row(line, row, query) || (row > 0 && query.hit != label)) {
      set.problem =
          path + ":" + std::to_string(number) + ": six whole numbers and the query's label, 0 or 1, were expected";
      return set;
    }
    if (++row < 8) continue;
    set.queries.push_back(query);
    row = 0;
  }
  if (row != 0) set.problem = path + ": ends within a query of eight rows";
  return set;
}

/// Every .csv file below a folder, in the order of their names.
inline std::vector<QuerySet> read_queries(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->is_regular_file(error) && at->path().extension() == ".csv") files.push_back(at->path());
  std::ranges::sort(files);
  std::vector<QuerySet> sets;
  for (const auto& file : files)
    sets.push_back(read_query_file(file, file.lexically_relative(folder).generic_string()));
  return sets;
}

}  // namespace snug::bench::ccd
