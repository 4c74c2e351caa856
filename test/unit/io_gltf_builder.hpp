#pragma once

#include "io/json/json.hpp"
#include "unit/io_memory.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snug::test {

/// False in builds that found no JSON parser; they write GLB all the same.
inline bool reads_gltf() { return io::parse_json("{}").has_value(); }

/// Tests that read glTF.
class Gltf : public testing::Test {
 protected:
  void SetUp() override {
    if (!reads_gltf()) GTEST_SKIP() << "this build reads no glTF: nlohmann-json3-dev was not found";
  }
};
class Glb : public Gltf {};

inline std::string base64(std::string_view bytes) {
  constexpr std::string_view k_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : k_digits[bits >> (18 - 6 * k) & 63];
  }
  return out;
}

/// Puts glTF files together, right or wrong.
struct GltfBuilder {
  std::string binary;
  std::vector<std::string> views, accessors, meshes, nodes;
  std::string more;  ///< further top-level members, each with a comma in front
  std::string asset = R"({"version":"2.0"})";

  std::size_t view(std::string_view bytes, const std::string& members = "") {
    binary.resize((binary.size() + 3) / 4 * 4, '\0');
    views.push_back("{\"buffer\":0,\"byteOffset\":" + std::to_string(binary.size()) +
                    ",\"byteLength\":" + std::to_string(bytes.size()) + members + '}');
    binary += bytes;
    return views.size() - 1;
  }
  std::size_t accessor(std::size_t view, int type, std::size_t count, const std::string& shape,
                       const std::string& members = "") {
    accessors.push_back("{\"bufferView\":" + std::to_string(view) + ",\"componentType\":" + std::to_string(type) +
                        ",\"count\":" + std::to_string(count) + ",\"type\":\"" + shape + '"' + members + '}');
    return accessors.size() - 1;
  }
  std::size_t positions(const std::vector<std::array<float, 3>>& points) {
    std::string bytes;
    for (const auto& p : points)
      for (const float c : p) put(bytes, c);
    return accessor(view(bytes), 5126, points.size(), "VEC3");
  }
  template <class T>
  std::size_t indices(const std::vector<T>& values) {
    std::string bytes;
    for (const T v : values) put(bytes, v);
    return accessor(view(bytes), sizeof(T) == 1 ? 5121 : sizeof(T) == 2 ? 5123 : 5125, values.size(), "SCALAR");
  }
  std::size_t mesh(const std::string& primitives, const std::string& members = "") {
    meshes.push_back("{\"primitives\":[" + primitives + ']' + members + '}');
    return meshes.size() - 1;
  }
  static std::string primitive(std::size_t positions, const std::string& members = "") {
    return "{\"attributes\":{\"POSITION\":" + std::to_string(positions) + '}' + members + '}';
  }
  /// A corner of a cube, four vertices and three triangles, and a node that has it.
  std::size_t corner(const std::string& node = R"({"mesh":0,"name":"corner"})") {
    const auto p = positions({{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}});
    const auto i = indices<std::uint16_t>({0, 2, 1, 0, 1, 3, 0, 3, 2});
    if (!node.empty()) nodes.push_back(node);
    return mesh(primitive(p, ",\"indices\":" + std::to_string(i)));
  }

  [[nodiscard]] std::string json(const std::string& buffer_members) const {
    std::string out = "{\"asset\":" + asset;
    const auto list = [&](const char* name, const std::vector<std::string>& items) {
      if (items.empty()) return;
      out += std::string(",\n\"") + name + "\":[";
      for (std::size_t i = 0; i < items.size(); ++i) out += (i == 0 ? "\n" : ",\n") + items[i];
      out += ']';
    };
    list("bufferViews", views);
    list("accessors", accessors);
    list("meshes", meshes);
    list("nodes", nodes);
    return out + more + ",\"buffers\":[{\"byteLength\":" + std::to_string(binary.size()) + buffer_members + "}]}";
  }
  [[nodiscard]] std::string embedded() const {
    return json(",\"uri\":\"data:application/octet-stream;base64," + base64(binary) + '"');
  }
  [[nodiscard]] std::string external(const std::string& uri) const { return json(",\"uri\":\"" + uri + '"'); }
  [[nodiscard]] std::string glb() const {
    std::string text = json(""), data = binary;
    text.resize((text.size() + 3) / 4 * 4, ' ');
    data.resize((data.size() + 3) / 4 * 4, '\0');
    std::string out = "glTF";
    put(out, std::uint32_t{2});
    put(out, static_cast<std::uint32_t>(12 + 8 + text.size() + 8 + data.size()));
    put(out, static_cast<std::uint32_t>(text.size()));
    out += "JSON" + text;
    put(out, static_cast<std::uint32_t>(data.size()));
    out += std::string("BIN\0", 4) + data;
    return out;
  }
};

}  // namespace snug::test
