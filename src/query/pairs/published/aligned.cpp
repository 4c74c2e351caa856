#include "query/pairs/published/aligned.hpp"

#include "query/pairs/published/one_sided.hpp"
#include "query/pairs/published/simultaneous.hpp"

#include <algorithm>

namespace snug::query {

namespace {
template <class Found>
void search(const PosedPair& bodies, const SurfaceSearch& how, AlignedScratch& scratch, Stats& stats, Found&& found) {
  const SearchedPair pair(bodies);
  if (how.one_sided)
    OneSided(pair, how, scratch, stats, found).run();
  else
    Simultaneous(pair, how, stats, found).run();
}
}  // namespace

std::optional<TrianglePair> aligned_first(const PosedPair& bodies, const SurfaceSearch& how, AlignedScratch& scratch,
                                          Stats& stats) {
  std::optional<TrianglePair> first;
  search(bodies, how, scratch, stats, [&](const Meeting& meeting) {
    first = meeting.triangles;
    return Next::stop;
  });
  return first;
}

std::optional<SurfacePair> aligned_first_surfaces(const PosedPair& bodies, const SurfaceSearch& how,
                                                  AlignedScratch& scratch, Stats& stats) {
  std::optional<SurfacePair> first;
  search(bodies, how, scratch, stats, [&](const Meeting& meeting) {
    first = meeting.surfaces;
    return Next::stop;
  });
  return first;
}

// Found pairs gather in the scratch memory, so that what is returned is allocated once.

std::vector<TrianglePair> aligned_pairs(const PosedPair& bodies, const SurfaceSearch& how, AlignedScratch& scratch,
                                        Stats& stats) {
  scratch.triangles.clear();
  search(bodies, how, scratch, stats, [&](const Meeting& meeting) {
    scratch.triangles.push_back(meeting.triangles);
    return Next::go_on;
  });
  std::ranges::sort(scratch.triangles);
  return scratch.triangles;
}

std::vector<SurfacePair> aligned_surfaces(const PosedPair& bodies, const SurfaceSearch& how, AlignedScratch& scratch,
                                          Stats& stats) {
  scratch.surfaces.clear();
  search(bodies, how, scratch, stats, [&](const Meeting& meeting) {
    scratch.surfaces.push_back(meeting.surfaces);
    return Next::other_surfaces;
  });
  std::ranges::sort(scratch.surfaces);
  return scratch.surfaces;
}

}  // namespace snug::query
