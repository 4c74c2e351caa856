#include "assembly/path/surfaces.hpp"

#include "assembly/path/time_spans.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace snug::assembly {

namespace {

constexpr int k_halvings = 6;

/// The node that holds exactly the triangles of a surface.
std::map<std::uint32_t, std::uint32_t> nodes_of_surfaces(const BoxedMesh& body) {
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

/// Two surfaces that may meet in a span of time, and what of them was not found to be apart before it was known.
struct OpenSurfaces {
  SurfaceIds ids;
  std::vector<OpenPair> left;
};

/// One pair of triangles of two surfaces is enough to know that they may meet: flush faces have very many.
class SurfaceSearch {
 public:
  SurfaceSearch(const MovingPair& search, double distance, double tolerance, PieceBudget& fuel,
                std::map<SurfaceIds, std::vector<TimeSpan>>& meetings)
      : search_(search),
        criterion_{.distance = distance},
        tolerance_(tolerance),
        fuel_(fuel),
        meetings_(meetings),
        node_a_(nodes_of_surfaces(search.a())),
        node_b_(nodes_of_surfaces(search.b())) {
    for (const auto& [surface, node] : node_a_) surface_a_.emplace(node, surface);
    for (const auto& [surface, node] : node_b_) surface_b_.emplace(node, surface);
  }

  void run(const TimeSpan& span) {
    look(span, search_.everything(), {}, k_halvings);
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
  /// `above`: nodes that hold several surfaces.
  void look(const TimeSpan& span, const std::vector<OpenPair>& above, const std::vector<OpenSurfaces>& known,
            int halvings) {
    if (fuel_.late()) return;
    ++fuel_.pieces;  // names are no reason to stop halfway
    const PairMotion motion = search_.over(span);
    std::vector<OpenSurfaces> open;
    for (const OpenSurfaces& surfaces : known) keep_if_open(motion, surfaces.ids, surfaces.left, open);
    const std::vector<OpenPair> left = opened(motion, above, open);
    if (open.empty() && left.empty()) return;
    if (halvings > 0 && span.length() > tolerance_ && motion.divisible()) {
      look(motion.earlier(), left, open, halvings - 1);
      look(motion.later(), left, open, halvings - 1);
      return;
    }
    std::set<SurfaceIds> ids;
    for (const OpenSurfaces& surfaces : open) ids.insert(surfaces.ids);
    for (const OpenPair& pair : left) add_surfaces(pair, ids);
    for (const SurfaceIds& pair : ids) append(span, pieces_[pair]);
  }

  void keep_if_open(const PairMotion& motion, const SurfaceIds& ids, const std::vector<OpenPair>& pairs,
                    std::vector<OpenSurfaces>& open) const {
    auto left = search_.first_open(motion, criterion_, pairs);
    if (!left.empty()) open.push_back({ids, std::move(left)});
  }

  /// Down to single surfaces, as far as that helps for a span of this length; what is left of the nodes above them.
  [[nodiscard]] std::vector<OpenPair> opened(const PairMotion& motion, const std::vector<OpenPair>& above,
                                             std::vector<OpenSurfaces>& open) const {
    std::vector<OpenPair> out, stack(above.rbegin(), above.rend());
    while (!stack.empty()) {
      const OpenPair pair = stack.back();
      stack.pop_back();
      const auto a = surface_a_.find(pair.a), b = surface_b_.find(pair.b);
      const bool one_a = a != surface_a_.end(), one_b = b != surface_b_.end();
      if (one_a && one_b) {
        keep_if_open(motion, {a->second, b->second}, {pair}, open);
        continue;
      }
      const NodeSeparation known = search_.separation_of(motion, pair, criterion_.distance);
      if (known.gap > criterion_.distance) continue;
      if (search_.wants_shorter_span(motion, pair, known)) {
        out.push_back(pair);
        continue;
      }
      // A surface is not opened before its partner is a surface, too.
      const double radius_a = search_.a().node(pair.a).radius, radius_b = search_.b().node(pair.b).radius;
      open_node(search_.a(), search_.b(), pair, opens_first(one_a, radius_a, one_b, radius_b),
                [&](const OpenPair& part) { stack.push_back(part); });
    }
    return out;
  }

  /// Of nodes that were left to shorter spans: all that is in them.
  void add_surfaces(const OpenPair& pair, std::set<SurfaceIds>& ids) const {
    const Mesh &a = search_.a().shape().mesh(), &b = search_.b().shape().mesh();
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
    if (!fuel_.take()) return span;
    const PairMotion motion = search_.over(span);
    const std::vector<OpenPair> left = search_.first_open(motion, criterion_, pairs);
    if (left.empty()) return std::nullopt;
    if (span.length() <= tolerance_ || !motion.divisible()) return span;
    const TimeSpan halves[2] = {motion.earlier(), motion.later()};
    if (const auto found = end_of(halves[first ? 0 : 1], left, first)) return found;
    return end_of(halves[first ? 1 : 0], left, first);
  }

  const MovingPair& search_;
  ContactCriterion criterion_;
  double tolerance_;
  PieceBudget& fuel_;
  std::map<SurfaceIds, std::vector<TimeSpan>>& meetings_;
  std::map<std::uint32_t, std::uint32_t> node_a_, node_b_;        ///< of surfaces
  std::map<std::uint32_t, std::uint32_t> surface_a_, surface_b_;  ///< of nodes
  std::map<SurfaceIds, std::vector<TimeSpan>> pieces_;
};

}  // namespace

void add_surface_meetings(const MovingPair& search, const TimeSpan& span, double distance, double tolerance,
                          PieceBudget& fuel, std::map<SurfaceIds, std::vector<TimeSpan>>& meetings) {
  SurfaceSearch(search, distance, tolerance, fuel, meetings).run(span);
}

}  // namespace snug::assembly
