#pragma once

#include "support/assert.hpp"

#include <snug/progress.hpp>

#include <array>
#include <atomic>
#include <mutex>

namespace snug::detail {

struct ShapeData;

/// How a search structure is built from a shape. A room specialises it for each of its own structures:
///   template <> struct SearchStructure<T> { static T build(const ShapeData& shape, const CancelToken* cancel); };
/// A build that sees its token cancelled throws LoopCancelled; the next caller builds anew.
template <class T>
struct SearchStructure;

/// Numbers types from 0, in the order in which they are first asked for.
[[nodiscard]] unsigned next_structure_slot() noexcept;
template <class T>
[[nodiscard]] unsigned structure_slot() noexcept {
  static const unsigned slot = next_structure_slot();
  return slot;
}

/// The search structures of one shape, by type, each built when it is first asked for. It names none of them, so that a room
/// can add one without a change here. Safe to share among threads.
class StructureCache {
 public:
  StructureCache() = default;
  ~StructureCache() {
    for (Slot& slot : slots_)
      if (slot.destroy != nullptr) slot.destroy(slot.built.load(std::memory_order_acquire));
  }
  StructureCache(const StructureCache&) = delete;
  StructureCache& operator=(const StructureCache&) = delete;

  /// Null if it is not built yet.
  template <class T>
  [[nodiscard]] const T* find() const noexcept {
    return static_cast<const T*>(slot_of<T>().built.load(std::memory_order_acquire));
  }
  template <class T>
  [[nodiscard]] const T& get(const ShapeData& shape, const CancelToken* cancel) const {
    // Rays ask one by one: they pay for one load.
    if (const T* const built = find<T>()) [[likely]]
      return *built;
    Slot& slot = slot_of<T>();
    std::call_once(slot.once, [&] { slot.keep(new const T(SearchStructure<T>::build(shape, cancel))); });
    return *find<T>();
  }
  /// Keeps a structure that was built elsewhere, unless one is there already.
  template <class T>
  void put(T structure) const {
    Slot& slot = slot_of<T>();
    std::call_once(slot.once, [&] { slot.keep(new const T(std::move(structure))); });
  }

 private:
  struct Slot {
    std::once_flag once;
    std::atomic<const void*> built{nullptr};
    void (*destroy)(const void*) = nullptr;

    template <class T>
    void keep(const T* structure) noexcept {
      destroy = [](const void* of) { delete static_cast<const T*>(of); };
      built.store(structure, std::memory_order_release);
    }
  };
  static constexpr unsigned k_slots = 16;

  template <class T>
  [[nodiscard]] Slot& slot_of() const noexcept {
    const unsigned slot = structure_slot<T>();
    SNUG_ASSERT(slot < k_slots);
    return slots_[slot];
  }

  mutable std::array<Slot, k_slots> slots_;
};

}  // namespace snug::detail
