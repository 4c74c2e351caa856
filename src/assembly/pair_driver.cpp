#include "assembly/pair_driver.hpp"

#include "mesh/mesh_data.hpp"
#include "scene/broad_phase.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

namespace snug::assembly {

OrderedParts::OrderedParts(const Assembly& assembly, const CancelToken* cancel)
    : parts_(assembly.parts()), ids_(parts_.size()) {
  std::iota(ids_.begin(), ids_.end(), 0U);
  std::ranges::sort(ids_, {}, [&](std::uint32_t i) -> const std::string& { return parts_[i].path; });
  // A mesh without triangles is that of a primitive: there is nothing to test, and nothing that could be called clear.
  std::erase_if(ids_, [&](std::uint32_t i) {
    const bool empty = parts_[i].mesh.triangles().empty();
    if (empty) skipped_.push_back(parts_[i].path);
    return empty;
  });
  shapes_.reserve(ids_.size());
  std::map<ContentHash, Shape> by_content;
  try {
    for (const std::uint32_t i : ids_) {
      if (cancel != nullptr && cancel->cancelled()) break;
      const Mesh& mesh = parts_[i].mesh;
      shapes_.push_back(by_content.try_emplace(MeshAccess::hash(mesh, cancel), mesh).first->second);
    }
  } catch (const LoopCancelled&) {
    // The rest is left out, as above.
  }
  SNUG_ASSERT(shapes_.size() <= ids_.size() && ids_.size() + skipped_.size() == parts_.size());
}

std::vector<PartPair> overlapping_boxes(std::span<const Aabb> boxes) {
  BroadPhase phase;
  phase.resize(boxes.size());
  for (std::uint32_t i = 0; i < boxes.size(); ++i)
    if (!boxes[i].empty()) phase.add(i, boxes[i], {});
  (void)phase.update_pairs({.kernels = kernels_for(Instructions::best)});
  std::vector<PartPair> out;
  out.reserve(phase.pairs().size());
  for (const SlotsMet& pair : phase.pairs()) {
    SNUG_ASSERT(pair.a < pair.b && pair.b < boxes.size());
    out.emplace_back(pair.a, pair.b);
  }
  return out;
}

}  // namespace snug::assembly
