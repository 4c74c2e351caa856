#include "path/surfaces.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace snug::detail {

namespace {

constexpr int k_halvings = 6;

/// The node that holds exactly the triangles of a surface.
std::map<std::uint32_t, std::uint32_t> nodes_of_surfaces(const MovingBody& body) {
  std::map<std::uint32_t, std::uint32_t> out;
  const Mesh& mesh = body.shape().mesh();
  const auto& tree = body.tree();
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const std::uint32_t surface = mesh.surface_of(tree.order[tree.nodes[i].begin]);
    if (tree.nodes[i].size() == mesh.triangles_of(surface).size() &&
        mesh.surface_of(tree.order[tree.nodes[i].end - 1]) == surface)
      out.try_emplace(surface, i);
  }
  return out;
}

class SurfaceSearch {
 public:
  SurfaceSearch(const SpanSearch& search, double distance, double tolerance, PieceBudget& fuel,
                std::map<SurfaceIds, std::vector<TimeSpan>>& meetings)
      : search_(search),
        question_{.distance = distance},
        tolerance_(tolerance),
        fuel_(fuel),
        meetings_(meetings),
        node_a_(nodes_of_surfaces(search.a())),
        node_b_(nodes_of_surfaces(search.b())) {}

  void run(const TimeSpan& span) {
    look(span, search_.everything(), k_halvings);
    for (const auto& [ids, pieces] : pieces_) {
      const std::vector<OpenPair> both{{node_a_.at(ids.first), node_b_.at(ids.second)}};
      for (const TimeSpan& piece : pieces) {
        const auto first = end_of(piece, both, true);
        if (!first) continue;
        const auto last = end_of(piece, both, false);
        meetings_[ids].push_back({first->begin, std::max(first->end, last ? last->end : first->end)});
      }
    }
  }

 private:
  void look(const TimeSpan& span, const std::vector<OpenPair>& pairs, int halvings) {
    if (!fuel_.spent()) ++fuel_.pieces;
    const SpanPair motion = search_.over(span);
    OpenPairs open = search_.still_open(motion, question_, pairs);
    if (open.pairs.empty()) return;
    if (halvings > 0 && span.length() > tolerance_ && span.begin < motion.middle && motion.middle < span.end) {
      look({span.begin, motion.middle}, open.pairs, halvings - 1);
      look({motion.middle, span.end}, open.pairs, halvings - 1);
      return;
    }
    std::set<SurfaceIds> ids;
    for (const OpenPair& pair : open.pairs) add_surfaces(motion, pair, ids);
    for (const SurfaceIds& pair : ids) {
      auto& pieces = pieces_[pair];
      if (!pieces.empty() && pieces.back().end == span.begin)
        pieces.back().end = span.end;
      else
        pieces.push_back(span);
    }
  }

  void add_surfaces(const SpanPair&, const OpenPair& pair, std::set<SurfaceIds>& ids) const {
    const Mesh &a = search_.a().shape().mesh(), &b = search_.b().shape().mesh();
    if (pair.of_triangles()) {
      ids.emplace(a.surface_of(pair.triangle_a()), b.surface_of(pair.triangle_b()));
      return;
    }
    // Nodes that were left to shorter spans: all that is in them.
    const auto &ta = search_.a().tree(), &tb = search_.b().tree();
    std::set<std::uint32_t> of_a, of_b;
    for (std::uint32_t i = ta.nodes[pair.a].begin; i < ta.nodes[pair.a].end; ++i)
      of_a.insert(a.surface_of(ta.order[i]));
    for (std::uint32_t i = tb.nodes[pair.b].begin; i < tb.nodes[pair.b].end; ++i)
      of_b.insert(b.surface_of(tb.order[i]));
    for (const std::uint32_t s : of_a)
      for (const std::uint32_t t : of_b) ids.emplace(s, t);
  }

  /// The first or last piece, as short as the tolerance, in which two surfaces may meet.
  std::optional<TimeSpan> end_of(const TimeSpan& span, const std::vector<OpenPair>& pairs, bool first) {
    if (fuel_.spent()) return span;
    ++fuel_.pieces;
    const SpanPair motion = search_.over(span);
    const OpenPairs open = search_.still_open(motion, question_, pairs);
    if (open.pairs.empty()) return std::nullopt;
    if (span.length() <= tolerance_ || !(span.begin < motion.middle && motion.middle < span.end)) return span;
    const TimeSpan halves[2] = {{span.begin, motion.middle}, {motion.middle, span.end}};
    if (const auto found = end_of(halves[first ? 0 : 1], open.pairs, first)) return found;
    return end_of(halves[first ? 1 : 0], open.pairs, first);
  }

  const SpanSearch& search_;
  Question question_;
  double tolerance_;
  PieceBudget& fuel_;
  std::map<SurfaceIds, std::vector<TimeSpan>>& meetings_;
  std::map<std::uint32_t, std::uint32_t> node_a_, node_b_;
  std::map<SurfaceIds, std::vector<TimeSpan>> pieces_;
};

}  // namespace

void add_surface_meetings(const SpanSearch& search, const TimeSpan& span, double distance, double tolerance,
                          PieceBudget& fuel, std::map<SurfaceIds, std::vector<TimeSpan>>& meetings) {
  SurfaceSearch(search, distance, tolerance, fuel, meetings).run(span);
}

}  // namespace snug::detail
