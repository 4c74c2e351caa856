#pragma once

#include "query/pairs/dop/walk.hpp"
#include "query/pairs/obb/surface_pair_set.hpp"
#include "support/assert.hpp"
#include "support/cache_aligned.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace snug::query {

/// Images of the nodes met by a walk: room for as many as there are nodes is never needed. Memory is kept, images are not.
template <class Number>
class DopImageStore {
 public:
  /// Forgets all images; `bytes` is what one takes, a multiple of 64.
  void begin(std::size_t nodes_a, std::size_t nodes_b, std::size_t bytes) {
    SNUG_ASSERT(bytes % 64 == 0 && bytes > 0 && bytes <= k_block);
    forget();
    bytes_ = bytes;
    for (std::size_t body = 0; body < 2; ++body)
      if (const std::size_t nodes = body == 0 ? nodes_a : nodes_b; images_[body].size() < nodes)
        images_[body].resize(nodes, nullptr);
  }
  void forget() noexcept {
    for (DopImages<Number>** place : places_) *place = nullptr;
    places_.clear();
    block_ = used_ = 0;
  }
  [[nodiscard]] DopImages<Number>** table(unsigned body) noexcept { return images_[body].data(); }

  DopImages<Number>& add(unsigned body, std::uint32_t node) {
    if (block_ < blocks_.size() && used_ + bytes_ > k_block) ++block_, used_ = 0;
    if (block_ == blocks_.size()) blocks_.emplace_back(k_block);
    SNUG_ASSERT(body < 2 && node < images_[body].size() && images_[body][node] == nullptr);
    places_.push_back(&images_[body][node]);
    auto* const images = reinterpret_cast<DopImages<Number>*>(blocks_[block_].data() + used_);
    used_ += bytes_;
    *images = {.node = node, .ready = 0, .size = 0};
    *places_.back() = images;
    return *images;
  }
  [[nodiscard]] std::size_t count() const noexcept { return places_.size(); }

 private:
  static constexpr std::size_t k_block = std::size_t{1} << 18;

  std::vector<DopImages<Number>*> images_[2];  ///< by node
  std::vector<DopImages<Number>**> places_;    ///< of those that are there
  std::vector<CacheAlignedVector<std::byte>> blocks_;
  std::size_t bytes_ = 0, block_ = 0, used_ = 0;
};

__extension__ using DopWide = __int128;

/// What searches by DOPs keep from call to call.
struct DopMemory {
  DopImageStore<double> floating;
  DopImageStore<std::int64_t> fixed;
  DopImageStore<DopWide> wide;
  std::vector<DopNodePair> pending;
  std::vector<TrianglePair> pairs, sorting;
  std::vector<SurfacePair> surfaces;
  SurfacePairSet met;
  std::size_t most_pending = 0;  ///< pairs that waited at once, in the last search
  std::size_t images = 0;        ///< nodes that were projected, in the last search
};

}  // namespace snug::query
