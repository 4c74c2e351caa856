#pragma once

#include <snug/vec.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

// Large files for the io suite, written without the library's own writers so that it is not judged by itself.

namespace snug::bench {

/// A wavy torus in the order in which modellers write such things: row after row, two triangles per cell.
struct Torus {
  std::uint32_t rows, columns;

  [[nodiscard]] std::uint32_t vertices() const { return rows * columns; }
  [[nodiscard]] std::uint32_t triangles() const { return 2 * rows * columns; }
  [[nodiscard]] Point3 vertex(std::uint32_t i, std::uint32_t j) const {
    const double a = 2 * 3.14159265358979 * i / rows, b = 2 * 3.14159265358979 * j / columns;
    const double r = 100 + 30 * std::cos(b) + 0.1 * std::sin(17 * a);
    return {r * std::cos(a), r * std::sin(a), 30 * std::sin(b) + 0.1 * std::cos(13 * a)};
  }
  /// Calls use(a, b, c) with the vertex ids of each triangle.
  template <class Use>
  void for_each_triangle(Use&& use) const {
    for (std::uint32_t i = 0; i < rows; ++i)
      for (std::uint32_t j = 0; j < columns; ++j) {
        const std::uint32_t i1 = (i + 1) % rows, j1 = (j + 1) % columns;
        const std::uint32_t a = i * columns + j, b = i1 * columns + j, c = i1 * columns + j1, d = i * columns + j1;
        use(a, b, c);
        use(a, c, d);
      }
  }
};

class FileOut {
 public:
  explicit FileOut(const std::filesystem::path& path) : file_(std::fopen(path.c_str(), "wb")) {
    if (file_ == nullptr) std::perror(path.c_str()), std::exit(1);
  }
  ~FileOut() {
    flush();
    if (std::fclose(file_) != 0) std::perror("close"), std::exit(1);
  }
  FileOut(const FileOut&) = delete;
  FileOut& operator=(const FileOut&) = delete;

  void text(std::string_view s) {
    buffer_ += s;
    if (buffer_.size() > (1 << 20)) flush();
  }
  template <class T>
  void binary(const T& value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    text({bytes, sizeof(T)});
  }
  void fixed(double v) {
    char s[64];
    text({s, std::to_chars(s, s + sizeof s, v, std::chars_format::fixed, 6).ptr});
  }
  void shortest(double v) {
    char s[64];
    text({s, std::to_chars(s, s + sizeof s, v).ptr});
  }
  void integer(std::uint32_t v) {
    char s[16];
    text({s, std::to_chars(s, s + sizeof s, v).ptr});
  }

 private:
  void flush() {
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size()) std::perror("write"), std::exit(1);
    buffer_.clear();
  }
  std::FILE* file_;
  std::string buffer_;
};

inline void write_stl_file(const Torus& torus, const std::filesystem::path& path) {
  FileOut out(path);
  std::string header = "generated";
  header.resize(80, ' ');
  out.text(header);
  out.binary(torus.triangles());
  torus.for_each_triangle([&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (int k = 0; k < 3; ++k) out.binary(0.0F);
    for (const std::uint32_t v : {a, b, c}) {
      const Point3 p = torus.vertex(v / torus.columns, v % torus.columns);
      for (const double x : {p.x, p.y, p.z}) out.binary(static_cast<float>(x));
    }
    out.binary(std::uint16_t{0});
  });
}

inline void write_obj_file(const Torus& torus, const std::filesystem::path& path, bool all_digits) {
  FileOut out(path);
  for (std::uint32_t i = 0; i < torus.rows; ++i)
    for (std::uint32_t j = 0; j < torus.columns; ++j) {
      const Point3 p = torus.vertex(i, j);
      out.text("v");
      for (const double x : {p.x, p.y, p.z}) {
        out.text(" ");
        if (all_digits)
          out.shortest(x);
        else
          out.fixed(x);
      }
      out.text("\n");
    }
  torus.for_each_triangle([&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    out.text("f");
    for (const std::uint32_t v : {a, b, c}) out.text(" "), out.integer(v + 1);
    out.text("\n");
  });
}

inline void write_ply_file(const Torus& torus, const std::filesystem::path& path) {
  FileOut out(path);
  out.text("ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(torus.vertices()) +
           "\nproperty float x\nproperty float y\nproperty float z\nelement face " + std::to_string(torus.triangles()) +
           "\nproperty list uchar int vertex_indices\nend_header\n");
  for (std::uint32_t i = 0; i < torus.rows; ++i)
    for (std::uint32_t j = 0; j < torus.columns; ++j) {
      const Point3 p = torus.vertex(i, j);
      for (const double x : {p.x, p.y, p.z}) out.binary(static_cast<float>(x));
    }
  torus.for_each_triangle([&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    out.binary(std::uint8_t{3});
    for (const std::uint32_t v : {a, b, c}) out.binary(v);
  });
}

}  // namespace snug::bench
