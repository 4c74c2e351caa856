#include "assembly/verdict/pair_driver.hpp"

#include "mesh/mesh_data.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

namespace snug::detail {

OrderedParts::OrderedParts(const Assembly& assembly, const CancelToken* cancel)
    : parts_(assembly.parts()), ids_(parts_.size()) {
  std::iota(ids_.begin(), ids_.end(), 0U);
  std::ranges::sort(ids_, {}, [&](std::uint32_t i) -> const std::string& { return parts_[i].path; });
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
}

}  // namespace snug::detail
