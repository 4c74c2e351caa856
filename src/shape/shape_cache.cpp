#include <snug/shape_cache.hpp>

#include "shape/shape_data.hpp"
#include "support/assert.hpp"
#include "support/watched.hpp"

#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace snug {

struct ShapeCache::Data {
  struct Entry {
    ContentHash hash;
    ShapeOptions::Quality quality;
    Shape shape;
    std::size_t bytes;
  };
  using Key = std::pair<ContentHash, ShapeOptions::Quality>;

  std::size_t most_bytes;
  mutable std::mutex mutex;
  std::list<Entry> entries;  ///< the last one asked for first
  std::map<Key, std::list<Entry>::iterator> by_content;
  std::size_t bytes = 0;
};

ShapeCache::ShapeCache(std::size_t most_bytes) : data_(std::make_unique<Data>()) { data_->most_bytes = most_bytes; }
ShapeCache::~ShapeCache() = default;
ShapeCache::ShapeCache(ShapeCache&&) noexcept = default;
ShapeCache& ShapeCache::operator=(ShapeCache&&) noexcept = default;

Shape ShapeCache::get(const Mesh& mesh, const ShapeOptions& options) { return get(mesh, options, {}).value(); }

Result<Shape, Cancelled> ShapeCache::get(const Mesh& mesh, const ShapeOptions& options, const Watch& watch) {
  if (!support::go_on(watch, 0)) return Failure{Cancelled{}};
  const Data::Key key{mesh.hash(), options.quality};
  std::optional<Shape> found;
  {
    const std::lock_guard lock(data_->mutex);
    if (const auto known = data_->by_content.find(key); known != data_->by_content.end()) {
      data_->entries.splice(data_->entries.begin(), data_->entries, known->second);
      found = known->second->shape;
    }
  }
  if (found) {  // told when nobody waits for the lock
    if (watch.progress) watch.progress(1);
    return std::move(*found);
  }
  // Built outside the lock; if two threads build the same, one of them wins and both return it.
  Shape shape(mesh, options);
  if (auto prepared = shape.prepare_for(shape::k_for_pairs, watch); !prepared) return Failure{prepared.error()};
  const std::size_t bytes = shape.bytes();
  const std::lock_guard lock(data_->mutex);
  if (const auto known = data_->by_content.find(key); known != data_->by_content.end()) return known->second->shape;
  std::list<Data::Entry> entry;  // joins the others when nothing can fail any more
  entry.push_front({key.first, key.second, shape, bytes});
  data_->by_content[key] = entry.begin();
  data_->entries.splice(data_->entries.begin(), entry);
  data_->bytes += bytes;
  while (data_->bytes > data_->most_bytes && data_->entries.size() > 1) {
    const Data::Entry& oldest = data_->entries.back();
    SNUG_ASSERT(oldest.bytes <= data_->bytes);
    data_->bytes -= oldest.bytes;
    data_->by_content.erase({oldest.hash, oldest.quality});
    data_->entries.pop_back();
  }
  SNUG_ASSERT(data_->entries.size() == data_->by_content.size() && !data_->entries.empty());
  return shape;
}

std::size_t ShapeCache::size() const {
  const std::lock_guard lock(data_->mutex);
  return data_->entries.size();
}
std::size_t ShapeCache::bytes() const {
  const std::lock_guard lock(data_->mutex);
  return data_->bytes;
}

}  // namespace snug
