#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace snug::support {

/// Owns a file descriptor; -1 is none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int descriptor) noexcept : descriptor_(descriptor) {}
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Descriptor() { reset(); }

  [[nodiscard]] int get() const noexcept { return descriptor_; }
  explicit operator bool() const noexcept { return descriptor_ >= 0; }
  /// The caller closes it from now on.
  [[nodiscard]] int release() noexcept { return std::exchange(descriptor_, -1); }
  void reset() noexcept {
    if (const int closed = std::exchange(descriptor_, -1); closed >= 0) ::close(closed);
  }

 private:
  int descriptor_ = -1;
};

/// A copy that closes in programs that are started and is none of the standard three.
[[nodiscard]] inline Descriptor duplicate(int descriptor) noexcept {
  return Descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
}

}  // namespace snug::support
