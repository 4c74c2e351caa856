#include "io/errors.hpp"
#include "io/writer.hpp"

#include <cmath>
#include <limits>

namespace snug::io {

namespace {

using Code = IoError::Code;

std::uint64_t triangle_count(const Assembly& assembly) {
  std::uint64_t count = 0;
  for (const Part& part : assembly.parts()) count += part.mesh.triangles().size();
  return count;
}

/// For people and other programs; our reader ignores it. Zero for triangles without area.
Vec3 unit_normal(const Point3& a, const Point3& b, const Point3& c) {
  Vec3 u = b - a, v = c - a;
  const auto largest = [](Vec3 w) { return std::max({std::abs(w.x), std::abs(w.y), std::abs(w.z)}); };
  const double scale_u = largest(u), scale_v = largest(v);
  if (!(scale_u > 0 && scale_v > 0)) return {};
  u = {u.x / scale_u, u.y / scale_u, u.z / scale_u};  // squares could overflow or vanish
  v = {v.x / scale_v, v.y / scale_v, v.z / scale_v};
  const Vec3 n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  const double length = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
  if (!(length > 0)) return {};
  return {n.x / length, n.y / length, n.z / length};
}

/// Calls write(a, b, c) for each triangle of a part, posed; false when the sink gave up.
template <class Write>
bool for_each_triangle(const Part& part, Steps& steps, Write&& write) {
  const auto vertices = part.mesh.vertices();
  const auto at = [&](std::uint32_t v) { return part.pose.apply(vertices[v]); };
  for (const Index3& t : part.mesh.triangles()) {
    if (!steps.next()) return false;
    write(at(t[0]), at(t[1]), at(t[2]));
  }
  return true;
}

bool fits_float(const Point3& p) {
  constexpr double k_max = std::numeric_limits<float>::max();
  return std::abs(p.x) <= k_max && std::abs(p.y) <= k_max && std::abs(p.z) <= k_max;
}

void note_lost_surfaces(ByteSink& sink, const Part& part) {
  if (part.mesh.surfaces_by_crease() || part.mesh.surfaces().size() < 2) return;  // these are found again
  sink.note_loss(part.path, "its " + std::to_string(part.mesh.surfaces().size()) + " surfaces are not kept");
}

Result<void, IoError> write_binary(ByteSink& sink, const Assembly& assembly) {
  const std::uint64_t total = triangle_count(assembly);
  if (total > std::numeric_limits<std::uint32_t>::max())
    return sink.fail(Code::unsupported, "binary STL holds at most 2^32 - 1 triangles");
  // Not "solid", by which some readers take a file for text.
  std::string header = "binary STL, written by snug";
  header.resize(80, ' ');
  sink.text(header);
  sink.binary(static_cast<std::uint32_t>(total));
  if (assembly.parts().size() > 1)
    sink.note_loss({}, counted(assembly.parts().size(), "part", "parts") + " become one");
  Steps steps(sink, total);
  bool fits = true;
  for (const Part& part : assembly.parts()) {
    Rounding rounding;
    const bool whole = for_each_triangle(part, steps, [&](const Point3& a, const Point3& b, const Point3& c) {
      fits = fits && fits_float(a) && fits_float(b) && fits_float(c);
      if (!fits) return;
      const Vec3 normal = unit_normal(a, b, c);
      for (const double n : {normal.x, normal.y, normal.z}) sink.binary(static_cast<float>(n));
      for (const Point3& p : {a, b, c})
        for (const double x : {p.x, p.y, p.z}) sink.binary(rounding(x));
      sink.binary(std::uint16_t{0});
    });
    if (!fits)
      return sink.fail(Code::unsupported, "part '" + part.path + "' has coordinates too large for the floats of STL");
    if (!whole) break;
    rounding.note(sink, part.path, assembly.units());
    note_lost_surfaces(sink, part);
  }
  return {};
}

/// A solid's name ends with its line.
std::string stl_line(std::string_view name) {
  std::string out(name);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return out;
}

Result<void, IoError> write_text(ByteSink& sink, const Assembly& assembly) {
  const std::uint64_t total = triangle_count(assembly);
  Steps steps(sink, total);
  const auto put = [&](std::string_view before, const Vec3& v) {
    sink.text(before);
    for (const double c : {v.x, v.y, v.z}) {
      sink.byte(' ');
      sink.number(c);
    }
    sink.byte('\n');
  };
  for (const Part& part : assembly.parts()) {
    const std::string name = stl_line(part.path);
    sink.text("solid " + name + '\n');
    const bool whole = for_each_triangle(part, steps, [&](const Point3& a, const Point3& b, const Point3& c) {
      put(" facet normal", unit_normal(a, b, c));
      sink.text("  outer loop\n");
      for (const Point3& p : {a, b, c}) put("   vertex", p);
      sink.text("  endloop\n endfacet\n");
    });
    if (!whole) break;
    sink.text("endsolid " + name + '\n');
    note_lost_surfaces(sink, part);
  }
  return {};
}

}  // namespace

Result<void, IoError> write_stl(ByteSink& sink, const Assembly& assembly, const SaveOptions& options) {
  return options.ascii ? write_text(sink, assembly) : write_binary(sink, assembly);
}

}  // namespace snug::io
