#pragma once

#include "shape/type_slots.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <snug/progress.hpp>

#include <atomic>
#include <mutex>

namespace snug::detail {

struct ShapeData;

}  // namespace snug::detail

namespace snug::shape {

using detail::ShapeData;

/// Names a search structure. A room builds each of its own by a function beside it, which argument-dependent lookup finds:
///   T build(StructureOf<T>, const ShapeData& shape, const CancelToken* cancel);
/// A build that sees its token cancelled throws LoopCancelled; the next caller builds anew.
template <class T>
struct StructureOf {};

/// The search structures of one shape, by type, each built when it is first asked for. It names none of them, so that a room
/// can add one without a change here. Safe to share among threads.
class StructureCache {
 public:
  /// Null if it is not built yet.
  template <class T>
  [[nodiscard]] const T* find() const {
    return static_cast<const T*>(slots_.of<T>().built.load(std::memory_order_acquire));
  }
  template <class T>
  [[nodiscard]] const T& get(const ShapeData& shape, const CancelToken* cancel) const {
    // Rays ask one by one: they pay for one load.
    if (const T* const built = find<T>()) [[likely]]
      return *built;
    Slot& slot = slots_.of<T>();
    std::call_once(slot.once, [&] { slot.keep(new const T(build(StructureOf<T>{}, shape, cancel))); });
    SNUG_ASSERT(find<T>() != nullptr);
    return *find<T>();
  }
  /// Keeps a structure that was built elsewhere, unless one is there already.
  template <class T>
  void put(T structure) const {
    Slot& slot = slots_.of<T>();
    std::call_once(slot.once, [&] { slot.keep(new const T(std::move(structure))); });
  }

 private:
  struct Slot {
    std::once_flag once;
    std::atomic<const void*> built{nullptr};
    void (*destroy)(const void*) = nullptr;

    ~Slot() {
      if (destroy != nullptr) destroy(built.load(std::memory_order_acquire));
    }
    template <class T>
    void keep(const T* structure) noexcept {
      destroy = [](const void* of) { delete static_cast<const T*>(of); };
      built.store(structure, std::memory_order_release);
    }
  };
  mutable TypeSlots<Slot> slots_;
};

}  // namespace snug::shape
