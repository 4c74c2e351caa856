#include "query/pairs/brute/brute.hpp"

#include "geometry/vec_ops.hpp"
#include "query/distance/closer.hpp"
#include "query/posed/descend.hpp"
#include "support/assert.hpp"
#include "support/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <bit>

namespace snug::query {

namespace {

/// Triangles of a per unit of parallel work: enough to drown the hand-out, few enough to give every thread several even
/// when a is small.
std::size_t chunk_size(const PosedSoup& a, unsigned threads) {
  return std::clamp<std::size_t>(a.triangles.size() / (8 * std::size_t{threads}), 1, 64);
}

void pose_soup(const Posed& body, PosedSoup& soup) {
  const Mesh& mesh = body.shape.mesh();
  const std::size_t count = mesh.triangles().size();
  soup.vertices.resize(mesh.vertices().size());
  body.pose.apply(mesh.vertices(), soup.vertices);
  soup.triangles.resize(count);
  for (auto* side : {&soup.lo_x, &soup.lo_y, &soup.lo_z, &soup.hi_x, &soup.hi_y, &soup.hi_z}) side->resize(count);
  const TriangleMeshView view{soup.vertices, mesh.triangles()};
  for (std::size_t t = 0; t < count; ++t) {
    const Triangle corners = view.triangle(t);
    const Aabb box = geometry::box_of(corners);
    soup.triangles[t] = corners;
    soup.lo_x[t] = box.lo.x, soup.lo_y[t] = box.lo.y, soup.lo_z[t] = box.lo.z;
    soup.hi_x[t] = box.hi.x, soup.hi_y[t] = box.hi.y, soup.hi_z[t] = box.hi.z;
  }
}

/// Boxes of b that overlap box `t` of a, 64 at a time as bits: branch-free, so the compiler can vectorise it.
std::uint64_t overlapping(const PosedSoup& a, std::size_t t, const PosedSoup& b, std::size_t first, std::size_t count) {
  SNUG_ASSERT(count <= 64 && first + count <= b.triangles.size());
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t u = first + i;
    const bool overlap = (a.lo_x[t] <= b.hi_x[u]) & (b.lo_x[u] <= a.hi_x[t]) & (a.lo_y[t] <= b.hi_y[u]) &
                         (b.lo_y[u] <= a.hi_y[t]) & (a.lo_z[t] <= b.hi_z[u]) & (b.lo_z[u] <= a.hi_z[t]);
    bits |= static_cast<std::uint64_t>(overlap) << i;
  }
  return bits;
}

/// Calls found(pair) for each pair of triangle t of a, in the order of b, until it returns false.
template <class Found>
void pairs_of_triangle(const PosedSoup& a, std::size_t t, const PosedSoup& b, Stats& stats, Found&& found) {
  for (std::size_t first = 0; first < b.triangles.size(); first += 64) {
    const std::size_t count = std::min<std::size_t>(64, b.triangles.size() - first);
    std::uint64_t bits = overlapping(a, t, b, first, count);
    stats.box_tests += count;
    for (; bits != 0; bits &= bits - 1) {
      const std::size_t u = first + static_cast<std::size_t>(std::countr_zero(bits));
      ++stats.triangle_tests, ++stats.exact_tests;
      const Relation how = relation(a.triangles[t], b.triangles[u]);
      if (how == Relation::disjoint) continue;
      if (!found(TrianglePair{static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(u), how})) return;
    }
  }
}

void add_up(const std::vector<Stats>& some, Stats* stats) {
  if (stats == nullptr) return;
  for (const Stats& one : some) *stats += one;
}

}  // namespace

std::vector<TrianglePair> brute_pairs(const PosedPair& bodies, BruteMemory& memory, unsigned threads,
                                      const CancelToken* cancel, Stats* stats) {
  pose_soup(bodies.a, memory.a);
  pose_soup(bodies.b, memory.b);
  const std::size_t size = chunk_size(memory.a, threads);
  const std::size_t chunks = (memory.a.triangles.size() + size - 1) / size;
  std::vector<std::vector<TrianglePair>> of_chunk(chunks);
  std::vector<Stats> stats_of_chunk(chunks);
  for_each_chunk(chunks, threads, [&](std::size_t chunk) {
    if (cancel != nullptr && cancel->cancelled()) return;
    const std::size_t end = std::min((chunk + 1) * size, memory.a.triangles.size());
    for (std::size_t t = chunk * size; t < end; ++t)
      pairs_of_triangle(memory.a, t, memory.b, stats_of_chunk[chunk], [&](const TrianglePair& pair) {
        of_chunk[chunk].push_back(pair);
        return true;
      });
  });
  add_up(stats_of_chunk, stats);
  std::size_t total = 0;
  for (const auto& pairs : of_chunk) total += pairs.size();
  std::vector<TrianglePair> all;
  all.reserve(total);
  for (const auto& pairs : of_chunk) all.insert(all.end(), pairs.begin(), pairs.end());
  SNUG_ASSERT(std::ranges::is_sorted(all));
  return all;
}

std::optional<TrianglePair> brute_first(const PosedPair& bodies, BruteMemory& memory, unsigned threads, Stats* stats) {
  pose_soup(bodies.a, memory.a);
  pose_soup(bodies.b, memory.b);
  const std::size_t size = chunk_size(memory.a, threads);
  const std::size_t chunks = (memory.a.triangles.size() + size - 1) / size;
  // Chunks are handed out in order, so once one has a pair only earlier ones, all begun, can hold a smaller one.
  std::atomic<std::size_t> best_chunk{chunks};
  std::vector<std::optional<TrianglePair>> of_chunk(chunks);
  std::vector<Stats> stats_of_chunk(chunks);
  for_each_chunk(chunks, threads, [&](std::size_t chunk) {
    const std::size_t end = std::min((chunk + 1) * size, memory.a.triangles.size());
    for (std::size_t t = chunk * size; t < end && !of_chunk[chunk] && chunk < best_chunk.load(); ++t)
      pairs_of_triangle(memory.a, t, memory.b, stats_of_chunk[chunk], [&](const TrianglePair& pair) {
        of_chunk[chunk] = pair;
        return false;
      });
    if (!of_chunk[chunk]) return;
    for (std::size_t best = best_chunk.load(); chunk < best && !best_chunk.compare_exchange_weak(best, chunk);) {
    }
  });
  add_up(stats_of_chunk, stats);
  const std::size_t best = best_chunk.load();
  SNUG_ASSERT(best == chunks || of_chunk[best].has_value());
  return best < chunks ? of_chunk[best] : std::nullopt;
}

Distance brute_distance(const PosedPair& bodies, BruteMemory& memory, const DistanceLimits& limits, Stats* stats) {
  pose_soup(bodies.a, memory.a);
  pose_soup(bodies.b, memory.b);
  const auto box_of = [](const PosedSoup& soup, std::size_t t) {
    return Aabb{{soup.lo_x[t], soup.lo_y[t], soup.lo_z[t]}, {soup.hi_x[t], soup.hi_y[t], soup.hi_z[t]}};
  };
  Distance best;
  best.lower = limits.ignore_beyond;
  Stats unwanted, &counts = stats != nullptr ? *stats : unwanted;
  for (std::uint32_t t = 0; t < memory.a.triangles.size(); ++t)
    for (std::uint32_t u = 0; u < memory.b.triangles.size(); ++u) {
      // Boxes spare nearly all exact distances; the margin keeps what is as close to all digits.
      const double worth = std::min(limits.ignore_beyond, best.value);
      ++counts.box_tests;
      if (gap_below(box_of(memory.a, t), box_of(memory.b, u)) > worth * (1 + 0x1p-30)) continue;
      ++counts.triangle_tests, ++counts.exact_tests;
      const ClosestPoints points = closest_points(memory.a.triangles[t], memory.b.triangles[u]);
      if (points.distance > limits.ignore_beyond) continue;
      if (!closer(points.distance, t, u, best)) continue;
      best.value = best.lower = points.distance;
      best.on_a = points.on_a, best.on_b = points.on_b;
      best.triangle_a = t, best.triangle_b = u;
      if (best.value > limits.enough) continue;
      best.complete = best.value == 0;
      best.lower = 0;  // nothing is known of the others
      return best;
    }
  return best;
}

}  // namespace snug::query
