#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

// The yardsticks of the io suite: loops that read the bytes and turn them into numbers. One kind only adds them up where
// they lie and so needs no memory to speak of; the other keeps them, as a program does that wants to use them, in vectors
// of the type they have in the file. They trust the file blindly.

namespace snug::bench {

/// Order does not matter to it, so it can be computed from a mesh as well as on the way through a file.
struct Checksum {
  std::uint64_t triangles = 0, numbers = 0;
  void number(double v) { numbers += std::bit_cast<std::uint64_t>(v); }
  friend bool operator==(const Checksum&, const Checksum&) = default;
};

/// Adds numbers up and forgets them.
struct AddUp {
  Checksum sum;
  void reserve(std::size_t, std::size_t) {}
  void number(float v) { sum.number(static_cast<double>(v)); }
  void number(double v) { sum.number(v); }
  void index(std::uint32_t v) { sum.numbers += v; }
  void triangle() { ++sum.triangles; }
  [[nodiscard]] Checksum total() const { return sum; }
};

/// Keeps them; the sum is made when the clock has stopped.
template <class Real>
struct Keep {
  std::vector<Real> numbers;
  std::vector<std::uint32_t> indices;
  std::uint64_t triangles = 0;
  void reserve(std::size_t number_count, std::size_t index_count) {
    numbers.reserve(number_count);
    indices.reserve(index_count);
  }
  void number(Real v) { numbers.push_back(v); }
  void index(std::uint32_t v) { indices.push_back(v); }
  void triangle() { ++triangles; }
  [[nodiscard]] Checksum total() const {
    Checksum sum{triangles, 0};
    for (const Real v : numbers) sum.number(static_cast<double>(v));
    for (const std::uint32_t v : indices) sum.numbers += v;
    return sum;
  }
};

class Blocks {
 public:
  explicit Blocks(const std::filesystem::path& path) : file_(::open(path.c_str(), O_RDONLY)), buffer_(1 << 18) {
    if (file_ < 0) std::perror(path.c_str()), std::exit(1);
  }
  ~Blocks() { ::close(file_); }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  /// Keeps what `use(begin, end)` leaves over, which it says by returning how far it came.
  template <class Use>
  void for_each(Use&& use) {
    std::size_t kept = 0;
    for (;;) {
      const ssize_t got = ::read(file_, buffer_.data() + kept, buffer_.size() - kept);
      if (got <= 0) return;
      const char* const end = buffer_.data() + kept + got;
      const char* const stop = use(static_cast<const char*>(buffer_.data()), end);
      kept = static_cast<std::size_t>(end - stop);
      std::memmove(buffer_.data(), stop, kept);
    }
  }

 private:
  int file_;
  std::vector<char> buffer_;
};

template <class Use>
void bare_stl(const std::filesystem::path& path, Use& use) {
  Blocks blocks(path);
  bool first = true;
  blocks.for_each([&](const char* at, const char* end) {
    if (first) {
      std::uint32_t count = 0;
      std::memcpy(&count, at + 80, sizeof count);
      use.reserve(9 * std::size_t{count}, 0);
      at += 84, first = false;
    }
    for (; end - at >= 50; at += 50) {
      float corner[9];
      std::memcpy(corner, at + 12, sizeof corner);
      for (const float c : corner) use.number(c);
      use.triangle();
    }
    return at;
  });
}

template <class Use>
void bare_obj(const std::filesystem::path& path, Use& use) {
  Blocks blocks(path);
  blocks.for_each([&](const char* at, const char* end) {
    while (end[-1] != '\n') --end;
    while (at != end) {
      if (*at == 'v') {
        for (int k = 0; k < 3; ++k) {
          double value = 0;
          at = std::from_chars(at + (k == 0 ? 2 : 1), end, value).ptr;
          use.number(value);
        }
      } else {
        for (int k = 0; k < 3; ++k) {
          std::uint32_t index = 0;
          at = std::from_chars(at + (k == 0 ? 2 : 1), end, index).ptr;
          use.index(index - 1);
        }
        use.triangle();
      }
      ++at;
    }
    return at;
  });
}

template <class Use>
void bare_ply(const std::filesystem::path& path, std::uint64_t vertices, std::uint64_t triangles, Use& use) {
  use.reserve(3 * vertices, 3 * triangles);
  Blocks blocks(path);
  bool first = true;
  blocks.for_each([&](const char* at, const char* end) {
    if (first) {
      constexpr std::string_view k_last = "end_header\n";
      at += std::string_view(at, end).find(k_last) + k_last.size();
      first = false;
    }
    for (; vertices > 0 && end - at >= 12; at += 12, --vertices) {
      float vertex[3];
      std::memcpy(vertex, at, sizeof vertex);
      for (const float c : vertex) use.number(c);
    }
    if (vertices > 0) return at;
    for (; end - at >= 13; at += 13) {
      std::uint32_t corner[3];
      std::memcpy(corner, at + 1, sizeof corner);
      for (const std::uint32_t c : corner) use.index(c);
      use.triangle();
    }
    return at;
  });
}

}  // namespace snug::bench
