#include "bench/peers/engine.hpp"

#include "bench/peers/factories.hpp"

#include <limits>

namespace snug::bench {

std::string_view to_string(Query query) noexcept {
  switch (query) {
    case Query::all:
      return "all";
    case Query::first:
      return "first";
    case Query::distance:
      return "distance";
  }
  return "?";
}

double PairQueries::find_distance() { return std::numeric_limits<double>::quiet_NaN(); }

std::span<const Engine* const> engines() {
  static const std::vector<std::unique_ptr<Engine>> all = [] {
    std::vector<std::unique_ptr<Engine>> made;
    made.push_back(make_ours(1));
#ifdef SNUG_PEER_FCL
    made.push_back(make_fcl());
#endif
#ifdef SNUG_PEER_CGAL
    made.push_back(make_cgal());
#endif
#ifdef SNUG_PEER_BULLET
    made.push_back(make_bullet());
#endif
#ifdef SNUG_PEER_ODE
    made.push_back(make_ode());
#endif
#ifdef SNUG_PEER_EMBREE
    made.push_back(make_embree_collide());
    made.push_back(make_embree_morton());
    made.push_back(make_embree_sah());
#endif
    return made;
  }();
  static const std::vector<const Engine*> views = [] {
    std::vector<const Engine*> pointers;
    for (const auto& engine : all) pointers.push_back(engine.get());
    return pointers;
  }();
  return views;
}

const Engine* find_engine(std::string_view name) {
  for (const Engine* engine : engines())
    if (engine->name() == name) return engine;
  return nullptr;
}

}  // namespace snug::bench
