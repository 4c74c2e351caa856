#include "scenes/decimate.hpp"

#include "scenes/vectors.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <queue>
#include <tuple>

namespace snug::scenes {

namespace {

/// Sum of squared distances to planes and points: xᵀAx - 2bx + c.
struct Quadric {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
  Vec3 b;
  double c = 0;

  void add(const Quadric& o) noexcept {
    xx += o.xx, xy += o.xy, xz += o.xz, yy += o.yy, yz += o.yz, zz += o.zz, c += o.c;
    b = b + o.b;
  }
  void add_plane(const Vec3& n, double offset, double weight) noexcept {
    xx += weight * n.x * n.x, xy += weight * n.x * n.y, xz += weight * n.x * n.z;
    yy += weight * n.y * n.y, yz += weight * n.y * n.z, zz += weight * n.z * n.z;
    b = b + (weight * offset) * n;
    c += weight * offset * offset;
  }
  void add_point(const Point3& p, double weight) noexcept {
    xx += weight, yy += weight, zz += weight;
    b = b + weight * p;
    c += weight * dot(p, p);
  }
  [[nodiscard]] double at(const Point3& p) const noexcept {
    const Vec3 a{xx * p.x + xy * p.y + xz * p.z, xy * p.x + yy * p.y + yz * p.z, xz * p.x + yz * p.y + zz * p.z};
    return dot(a, p) - 2 * dot(b, p) + c;
  }
  /// By Cramer's rule; the points that went in make the matrix regular.
  [[nodiscard]] Point3 minimum() const noexcept {
    const Vec3 u{xx, xy, xz}, v{xy, yy, yz}, w{xz, yz, zz};
    const Vec3 vw = cross(v, w), wu = cross(w, u), uv = cross(u, v);
    const double det = dot(u, vw);
    return {(b.x * vw.x + b.y * wu.x + b.z * uv.x) / det, (b.x * vw.y + b.y * wu.y + b.z * uv.y) / det,
            (b.x * vw.z + b.y * wu.z + b.z * uv.z) / det};
  }
};

/// 0 for corners on a line, 0.87 for an even triangle: height over longest side.
double fatness(const std::array<Point3, 3>& t) noexcept {
  const Vec3 u = t[1] - t[0], v = t[2] - t[1], w = t[0] - t[2];
  return length(cross(u, v)) / std::max({dot(u, u), dot(v, v), dot(w, w)});
}

/// How much a vertex holds on to its place: enough for evenly sized triangles, too little to cost features.
constexpr double k_hold = 0.01;

class Decimator {
 public:
  explicit Decimator(const TriangleSoup& closed)
      : points_(closed.vertices),
        triangles_(closed.triangles),
        fans_(points_.size()),
        quadrics_(points_.size()),
        version_(points_.size(), 0),
        alive_(triangles_.size(), true),
        left_(points_.size()) {
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
      const auto [a, b, c] = corners(t);
      const Vec3 n = cross(b - a, c - a);
      const double twice_area = length(n);
      for (const std::uint32_t v : triangles_[t]) {
        fans_[v].push_back(t);
        if (twice_area > 0) quadrics_[v].add_plane(unit(n), dot(unit(n), a), twice_area / 2);
        quadrics_[v].add_point(points_[v], k_hold * twice_area / 2);
      }
    }
  }

  TriangleSoup down_to(std::size_t vertices) {
    // What was refused may have become possible when the neighbourhood changed, so all edges are asked again.
    for (std::size_t before = left_ + 1; left_ > vertices && left_ < before;) {
      before = left_;
      for (std::uint32_t v = 0; v < points_.size(); ++v)
        for (const std::uint32_t n : neighbours(v))
          if (v < n) push(v, n);
      while (left_ > vertices && !queue_.empty()) {
        const Candidate best = queue_.top();
        queue_.pop();
        if (best.version_a == version_[best.a] && best.version_b == version_[best.b]) contract(best.a, best.b);
      }
    }
    return rest();
  }

 private:
  struct Candidate {
    double cost;
    std::uint32_t a, b, version_a, version_b;
    bool operator<(const Candidate& o) const noexcept { return std::tie(o.cost, o.a, o.b) < std::tie(cost, a, b); }
  };

  [[nodiscard]] std::tuple<Point3, Point3, Point3> corners(std::uint32_t t) const noexcept {
    const Index3& i = triangles_[t];
    return {points_[i[0]], points_[i[1]], points_[i[2]]};
  }

  [[nodiscard]] std::vector<std::uint32_t> neighbours(std::uint32_t v) const {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t t : fans_[v])
      for (const std::uint32_t n : triangles_[t])
        if (n != v) found.push_back(n);
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    return found;
  }

  [[nodiscard]] Quadric sum(std::uint32_t a, std::uint32_t b) const noexcept {
    Quadric q = quadrics_[a];
    q.add(quadrics_[b]);
    return q;
  }

  void push(std::uint32_t a, std::uint32_t b) {
    const Quadric q = sum(a, b);
    queue_.push({q.at(q.minimum()), a, b, version_[a], version_[b]});
  }

  /// The triangles around `v` that do not hold `other` keep their side, and do not become slivers, when v moves to p.
  [[nodiscard]] bool survives(std::uint32_t v, std::uint32_t other, const Point3& p) const noexcept {
    for (const std::uint32_t t : fans_[v]) {
      const Index3& i = triangles_[t];
      if (std::ranges::find(i, other) != i.end()) continue;
      std::array<Point3, 3> after{points_[i[0]], points_[i[1]], points_[i[2]]};
      const Vec3 before = cross(after[1] - after[0], after[2] - after[0]);
      const double fat_before = fatness(after);
      after.at(static_cast<std::size_t>(std::ranges::find(i, v) - i.begin())) = p;
      const Vec3 n = cross(after[1] - after[0], after[2] - after[0]);
      if (dot(n, before) <= 0.2 * length(n) * length(before) || fatness(after) < std::min(0.1, fat_before))
        return false;
    }
    return true;
  }

  void contract(std::uint32_t a, std::uint32_t b) {
    const auto near_a = neighbours(a), near_b = neighbours(b);
    std::vector<std::uint32_t> common;
    std::ranges::set_intersection(near_a, near_b, std::back_inserter(common));
    // Two common neighbours, the far corners of the two triangles that vanish: otherwise a handle or a fold would form.
    // A far corner of three neighbours would be left with two triangles back to back.
    if (common.size() != 2 || fans_[common[0]].size() <= 3 || fans_[common[1]].size() <= 3) return;
    const Quadric q = sum(a, b);
    const Point3 p = q.minimum();
    if (!survives(a, b, p) || !survives(b, a, p)) return;

    points_[a] = p;
    quadrics_[a] = q;
    for (const std::uint32_t t : fans_[b]) {
      Index3& i = triangles_[t];
      if (std::ranges::find(i, a) != i.end()) {
        alive_[t] = false;
        for (const std::uint32_t v : i)
          if (v != b) std::erase(fans_[v], t);
      } else {
        std::ranges::replace(i, b, a);
        fans_[a].push_back(t);
      }
    }
    fans_[b].clear();
    ++version_[b];
    --left_;
    ++version_[a];
    for (const std::uint32_t n : neighbours(a)) push(std::min(a, n), std::max(a, n));
  }

  [[nodiscard]] TriangleSoup rest() const {
    TriangleSoup out;
    std::vector<std::uint32_t> id(points_.size(), 0);
    for (std::uint32_t v = 0; v < points_.size(); ++v)
      if (!fans_[v].empty()) {
        id[v] = static_cast<std::uint32_t>(out.vertices.size());
        out.vertices.push_back(points_[v]);
      }
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
      if (alive_[t]) out.triangles.push_back({id[triangles_[t][0]], id[triangles_[t][1]], id[triangles_[t][2]]});
    return out;
  }

  std::vector<Point3> points_;
  std::vector<Index3> triangles_;
  std::vector<std::vector<std::uint32_t>> fans_;  ///< per vertex: its triangles
  std::vector<Quadric> quadrics_;
  std::vector<std::uint32_t> version_;  ///< a candidate of an older version is void
  std::vector<bool> alive_;
  std::size_t left_;
  std::priority_queue<Candidate> queue_;
};

}  // namespace

TriangleSoup decimate(const TriangleSoup& closed, std::size_t vertices) { return Decimator(closed).down_to(vertices); }

}  // namespace snug::scenes
