#pragma once

#include "support/rooms.hpp"

#include <array>
#include <atomic>

namespace snug::shape {

/// How many types have a slot of this kind so far.
template <class Slot>
inline std::atomic<unsigned> slot_types{0};

/// From 0, in the order in which types are first asked for.
template <class Slot, class T>
[[nodiscard]] unsigned slot_number() noexcept {
  static const unsigned number = slot_types<Slot>.fetch_add(1, std::memory_order_relaxed);
  return number;
}

/// A slot for each type, however many there are: the first 16 at hand, others behind them. A slot stays where it is. Safe to share
/// among threads.
template <class Slot>
class TypeSlots {
 public:
  TypeSlots() = default;
  ~TypeSlots() { delete more_.load(std::memory_order_acquire); }
  TypeSlots(const TypeSlots&) = delete;
  TypeSlots& operator=(const TypeSlots&) = delete;

  template <class T>
  [[nodiscard]] Slot& of() {
    unsigned number = slot_number<Slot, T>();
    TypeSlots* at = this;
    for (; number >= k_at_hand; number -= k_at_hand) at = &at->more();
    return at->slots_[number];
  }

 private:
  static constexpr unsigned k_at_hand = 16;

  TypeSlots& more() {
    TypeSlots* there = more_.load(std::memory_order_acquire);
    if (there != nullptr) return *there;
    auto* const made = new TypeSlots;
    if (more_.compare_exchange_strong(there, made, std::memory_order_acq_rel)) return *made;
    delete made;  // another thread was first
    return *there;
  }

  std::array<Slot, k_at_hand> slots_;
  std::atomic<TypeSlots*> more_{nullptr};
};

}  // namespace snug::shape
