#include "narrow_gaps.hpp"

#include "geometry/vec_ops.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

namespace snug::importer {

namespace {

using geometry::dot;
using geometry::length_of;

constexpr std::size_t k_most_corners = 512;  // of a border: the work is of the order of its square

/// A side that a strip has to have, from one corner to the next, beside the triangle that lacks a neighbour there.
struct OpenSide {
  std::uint32_t to = 0, beside = 0;
};
using OpenSides = std::multimap<std::uint32_t, OpenSide>;  // by the corner they start from

OpenSides open_sides(std::span<const Index3> triangles) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> unmatched;
  for (std::uint32_t t = 0; t < triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t from = triangles[t][i], to = triangles[t][(i + 1) % 3];
      if (const auto back = unmatched.find({to, from}); back == unmatched.end())
        unmatched[{from, to}].push_back(t);
      else if (back->second.pop_back(); back->second.empty())
        unmatched.erase(back);
    }
  OpenSides out;
  for (const auto& [ends, owners] : unmatched)
    for (const std::uint32_t t : owners) out.emplace(ends.second, OpenSide{ends.first, t});
  return out;
}

struct Border {
  std::vector<std::uint32_t> corners;
  std::vector<std::uint32_t> beside;  ///< of the side that starts at each corner
};

/// Follows open sides until a corner comes back; what is left before that corner waits for the next turn.
std::vector<Border> borders_of(OpenSides sides) {
  std::vector<Border> out;
  Border way;
  std::map<std::uint32_t, std::size_t> index_of;  // of each corner of the way
  const auto shorten = [&](std::size_t count) {
    for (std::size_t i = count; i < way.corners.size(); ++i) index_of.erase(way.corners[i]);
    way.corners.resize(count);
  };
  const auto append = [&](std::uint32_t corner) {
    index_of.emplace(corner, way.corners.size());
    way.corners.push_back(corner);
  };
  while (!sides.empty() || !way.corners.empty()) {
    const std::uint32_t at = way.corners.empty() ? sides.begin()->first : way.corners.back();
    if (way.corners.empty()) append(at);
    const auto next = sides.find(at);
    if (next == sides.end()) {  // borders of bodies are closed, others are not
      shorten(way.corners.size() - 1);
      if (!way.beside.empty()) way.beside.pop_back();
      continue;
    }
    const OpenSide side = next->second;
    sides.erase(next);
    way.beside.push_back(side.beside);
    const auto known = index_of.find(side.to);
    if (known == index_of.end()) {
      append(side.to);
      continue;
    }
    const std::size_t first = known->second;
    const auto begin = static_cast<std::ptrdiff_t>(first);
    out.push_back({{way.corners.begin() + begin, way.corners.end()}, {way.beside.begin() + begin, way.beside.end()}});
    way.beside.resize(first);
    shorten(first == 0 ? 0 : first + 1);
  }
  return out;
}

double distance_to_segment(const Point3& p, const Point3& a, const Point3& b) {
  const Vec3 along = b - a;
  const double length2 = dot(along, along);
  const double t = length2 > 0 ? std::clamp(dot(p - a, along) / length2, 0.0, 1.0) : 0;
  return length_of(p - (a + t * along));
}

class Strip {
 public:
  Strip(std::span<const Point3> vertices, const Border& border) : vertices_(vertices) {
    const auto& ring = border.corners;
    std::size_t from = 0, to = 0;
    double longest = -1;
    for (std::size_t i = 0; i < ring.size(); ++i)
      for (std::size_t j = i + 1; j < ring.size(); ++j)
        if (const double d = length_of(at(ring[j]) - at(ring[i])); d > longest) longest = d, from = i, to = j;
    for (std::size_t i = from; i <= to; ++i) forth_.push_back(ring[i]);
    for (std::size_t i = from + ring.size(); i >= to; --i) back_.push_back(ring[i % ring.size()]);
  }

  [[nodiscard]] double width() const { return std::max(reach(forth_, back_), reach(back_, forth_)); }

  [[nodiscard]] std::vector<Index3> triangles() const {
    std::vector<Index3> out;
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      if (a != b && b != c && c != a) out.push_back({a, b, c});
    };
    const std::vector<double> along_forth = lengths(forth_), along_back = lengths(back_);
    for (std::size_t i = 0, j = 0; i + 1 < forth_.size() || j + 1 < back_.size();) {
      const bool forth = j + 1 == back_.size() || (i + 1 < forth_.size() && along_forth[i + 1] <= along_back[j + 1]);
      if (forth)
        add(forth_[i], forth_[i + 1], back_[j]), ++i;
      else
        add(forth_[i], back_[j + 1], back_[j]), ++j;
    }
    return out;
  }

 private:
  using Chain = std::vector<std::uint32_t>;

  [[nodiscard]] const Point3& at(std::uint32_t v) const { return vertices_[v]; }
  /// The largest distance of a corner of one chain from the other.
  [[nodiscard]] double reach(const Chain& of, const Chain& from) const {
    double most = 0;
    for (const std::uint32_t v : of) {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i + 1 < from.size(); ++i)
        least = std::min(least, distance_to_segment(at(v), at(from[i]), at(from[i + 1])));
      most = std::max(most, least);
    }
    return most;
  }
  /// Of the chain up to each corner, as a share of all of it.
  [[nodiscard]] std::vector<double> lengths(const Chain& chain) const {
    std::vector<double> out{0};
    for (std::size_t i = 0; i + 1 < chain.size(); ++i)
      out.push_back(out.back() + length_of(at(chain[i + 1]) - at(chain[i])));
    const double whole = out.back();
    for (double& length : out) length = whole > 0 ? length / whole : 0;
    return out;
  }

  std::span<const Point3> vertices_;
  Chain forth_, back_;  ///< between the two corners that are farthest apart
};

}  // namespace

std::vector<NarrowGap> narrow_gaps(std::span<const Point3> vertices, std::span<const Index3> triangles,
                                   const std::function<double(std::uint32_t)>& tolerance_of) {
  std::vector<NarrowGap> out;
  for (const Border& border : borders_of(open_sides(triangles))) {
    if (border.corners.size() < 3 || border.corners.size() > k_most_corners) continue;
    double allowed = 0;
    std::uint32_t beside = border.beside[0];
    for (const std::uint32_t t : border.beside)
      if (const double tolerance = tolerance_of(t); tolerance > allowed) allowed = tolerance, beside = t;
    const Strip strip(vertices, border);
    const double width = strip.width();
    if (width <= allowed) out.push_back({strip.triangles(), beside, width});
  }
  return out;
}

void append_strip(MeshInput& mesh, const NarrowGap& gap, std::uint32_t beside) {
  Surface strip;
  strip.sag.value = gap.width;
  strip.tolerance = mesh.surfaces[mesh.surface_of_triangle[beside]].tolerance;
  const auto surface = static_cast<std::uint32_t>(mesh.surfaces.size());
  mesh.surfaces.push_back(std::move(strip));
  mesh.triangles.insert(mesh.triangles.end(), gap.triangles.begin(), gap.triangles.end());
  mesh.surface_of_triangle.resize(mesh.triangles.size(), surface);
}

}  // namespace snug::importer
