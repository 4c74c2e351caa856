#pragma once

#include "shape/type_slots.hpp"
#include "support/one_user.hpp"
#include "support/rooms.hpp"

namespace snug::detail {

/// The working memory behind a Scratch, by type: each method has its own, made when it first runs and kept from call to call.
struct ScratchData {
  UserMark user;

  template <class T>
  [[nodiscard]] T& get() {
    Memory& memory = memories_.of<T>();
    if (memory.at == nullptr) [[unlikely]] {
      memory.destroy = [](void* of) { delete static_cast<T*>(of); };
      memory.at = new T;
    }
    return *static_cast<T*>(memory.at);
  }

 private:
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
  TypeSlots<Memory> memories_;
};

}  // namespace snug::detail

namespace snug::shape {

using detail::ScratchData;

}  // namespace snug::shape
