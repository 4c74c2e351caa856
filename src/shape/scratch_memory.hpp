#pragma once

#include "support/assert.hpp"
#include "support/one_user.hpp"

#include <array>

namespace snug::detail {

/// Numbers types from 0, in the order in which they are first asked for.
[[nodiscard]] unsigned next_memory_slot() noexcept;
template <class T>
[[nodiscard]] unsigned memory_slot() noexcept {
  static const unsigned slot = next_memory_slot();
  return slot;
}

/// The working memory behind a Scratch, by type: each method has its own, made when it first runs and kept from call to call.
struct ScratchData {
  UserMark user;

  template <class T>
  [[nodiscard]] T& get() {
    const unsigned slot = memory_slot<T>();
    SNUG_ASSERT(slot < k_slots);
    Memory& memory = memories_[slot];
    if (memory.at == nullptr) [[unlikely]] {
      memory.destroy = [](void* of) { delete static_cast<T*>(of); };
      memory.at = new T;
    }
    return *static_cast<T*>(memory.at);
  }

 private:
  static constexpr unsigned k_slots = 16;
  struct Memory {
    void* at = nullptr;
    void (*destroy)(void*) = nullptr;
    Memory() = default;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() {
      if (at != nullptr) destroy(at);
    }
  };
  std::array<Memory, k_slots> memories_;
};

}  // namespace snug::detail
