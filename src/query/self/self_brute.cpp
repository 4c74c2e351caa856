#include "query/self/self_brute.hpp"

#include "query/self/beyond_shared.hpp"
#include "support/watched.hpp"

#include <algorithm>

namespace snug::query {

bool self_brute(const Mesh& mesh, const SelfOptions& options, bool first, std::vector<TrianglePair>& pairs) {
  const TriangleMeshView view = mesh.view();
  const auto count = static_cast<std::uint32_t>(view.triangles.size());
  std::vector<Aabb> boxes(count);
  for (std::uint32_t t = 0; t < count; ++t)
    for (const Point3& corner : view.triangle(t).corner) boxes[t].include(corner);
  constexpr std::size_t rows = 64;
  const std::size_t chunks = (count + rows - 1) / rows;
  std::vector<std::vector<TrianglePair>> found(chunks);
  std::vector<Stats> stats(chunks);
  std::atomic<std::size_t> best{chunks};  // the first chunk that has a pair
  const bool complete = for_each_chunk_watched(chunks, options.threads, options.watch, [&](std::size_t chunk) {
    const std::size_t end = std::min<std::size_t>((chunk + 1) * rows, count);
    for (auto a = static_cast<std::uint32_t>(chunk * rows); a < end; ++a) {
      if (options.watch.cancelled() || (first && (chunk > best.load() || !found[chunk].empty()))) break;
      const Triangle triangle = view.triangle(a);
      stats[chunk].triangle_tests += count - 1 - a;
      for (std::uint32_t b = a + 1; b < count; ++b) {
        if (!boxes[a].overlaps(boxes[b])) continue;
        ++stats[chunk].exact_tests;
        const Relation how = relation_beyond_shared(triangle, view.triangle(b));
        if (how != Relation::disjoint) found[chunk].push_back({a, b, how});
      }
    }
    if (found[chunk].empty()) return;
    for (std::size_t known = best.load(); chunk < known && !best.compare_exchange_weak(known, chunk);) {
    }
  });
  if (options.stats != nullptr)
    for (const Stats& one : stats) *options.stats += one;
  if (!complete) return false;
  for (const auto& some : found) pairs.insert(pairs.end(), some.begin(), some.end());
  if (first && pairs.size() > 1) pairs.resize(1);
  return true;
}

}  // namespace snug::query
