#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace snug::test {

/// Reads what page::code_mesh() writes, by docs/page/format.md alone; the viewer's reader is its twin.
struct DecodedMesh {
  std::vector<std::uint32_t> surface_counts;
  std::vector<std::array<std::int64_t, 3>> cells;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::size_t left = 0;  ///< bytes that nobody asked for
};

class PageReader {
 public:
  explicit PageReader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] std::uint8_t byte() {
    if (at_ == bytes_.size()) throw std::runtime_error("ends too early");
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }
  [[nodiscard]] std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t next = byte();
      value |= std::uint64_t{next & 0x7fU} << shift;
      if (next < 0x80) return value;
    }
  }
  [[nodiscard]] std::int64_t number() {
    const std::uint64_t value = varint();
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

inline DecodedMesh decode_mesh(std::string_view bytes, std::size_t surfaces, std::size_t triangles) {
  struct Edge {
    std::uint32_t from, to, opposite;
  };
  PageReader reader(bytes);
  DecodedMesh out;
  for (std::size_t s = 0; s < surfaces; ++s) out.surface_counts.push_back(static_cast<std::uint32_t>(reader.varint()));
  std::vector<Edge> open;
  std::vector<std::uint32_t> recent;
  std::array<std::int64_t, 3> predicted{};
  const auto vertex = [&](unsigned code) {
    if (code >= 1 && code <= 14) return recent.at(code - 1);
    std::uint32_t id = 0;
    if (code == 0) {
      id = static_cast<std::uint32_t>(out.cells.size());
      for (auto& cell : predicted) cell += reader.number();
      out.cells.push_back(predicted);
    } else {
      id = static_cast<std::uint32_t>(out.cells.size() - 1 - reader.varint());
    }
    recent.insert(recent.begin(), id);
    return id;
  };
  const auto leave = [&](Edge edge) { open.insert(open.begin(), edge); };
  while (out.triangles.size() < triangles) {
    const unsigned code = reader.byte();
    if (code >> 4 < 15) {
      const auto [p, q, opposite] = open.at(code >> 4);
      for (std::size_t axis = 0; axis < 3; ++axis)
        predicted[axis] = out.cells.at(p)[axis] + out.cells.at(q)[axis] - out.cells.at(opposite)[axis];
      const std::uint32_t x = vertex(code & 15);
      leave({x, q, p}), leave({p, x, q});
      out.triangles.push_back({p, q, x});
    } else {
      const unsigned both = reader.byte();
      const std::uint32_t p = vertex(both >> 4), q = vertex(both & 15), x = vertex(code & 15);
      leave({q, p, x}), leave({x, q, p}), leave({p, x, q});
      out.triangles.push_back({p, q, x});
    }
  }
  out.left = reader.left();
  return out;
}

}  // namespace snug::test
