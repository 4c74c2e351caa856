#include "io/cad/wire.hpp"

#include "io/bytes/binary_reader.hpp"
#include "io/reader.hpp"
#include "support/assert.hpp"

#include <snug/analytic.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <limits>
#include <utility>

// Layout, little-endian throughout: the magic, then the members of CadModel in their order. A list is a 32-bit count
// and its elements; a text is a list of bytes. Optional members are announced by a bit of the flags before them.

namespace snug::io {

namespace {

constexpr std::string_view k_wire_magic = "snugcad\x03";
constexpr std::size_t k_max_text = std::size_t{1} << 16;

// Bits of a flags byte.
constexpr unsigned k_sag_estimated = 1, k_has_analytic = 2, k_has_color = 4, k_hollow = 8, k_recognised = 16;
constexpr unsigned k_all_flags = k_sag_estimated | k_has_analytic | k_has_color | k_hollow | k_recognised;
constexpr std::uint8_t k_no_units = 255;

// The fewest bytes an element takes: what bounds a count by the bytes that are left.
constexpr std::size_t k_number_bytes = 8, k_vertex_bytes = 24, k_triangle_bytes = 12, k_index_bytes = 4;
constexpr std::size_t k_surface_bytes = 4 + 1 + 1 + 2 * k_number_bytes;
constexpr std::size_t k_mesh_bytes = 4 * 4 + k_vertex_bytes + k_triangle_bytes;
constexpr std::size_t k_frame_bytes = 4 + 7 * k_number_bytes;
constexpr std::size_t k_instance_bytes = k_frame_bytes + 4 + 1 + 4;
constexpr std::size_t k_problem_bytes = 4 + 4 + 4;

// What an answer of so many bytes may become in memory, times those bytes; texts on the heap and what an allocation takes
// beside what was asked for are not counted.
constexpr std::size_t k_most_growth = 8;
static_assert(sizeof(Surface) <= k_most_growth * k_surface_bytes);
static_assert(sizeof(MeshInput) <= k_most_growth * k_mesh_bytes);
static_assert(sizeof(CadFrame) <= k_most_growth * k_frame_bytes);
static_assert(sizeof(CadInstance) <= k_most_growth * k_instance_bytes);
static_assert(sizeof(CadProblem) <= k_most_growth * k_problem_bytes);

// Faces without a triangle are surfaces too: lost, or shrunk to nothing. More of them than this beside as many as there
// are triangles is no assembly.
constexpr std::size_t k_most_bare_surfaces = 10'000;

// --- writing ---------------------------------------------------------------------------------------------------------

class Writer {
 public:
  template <class T>
    requires std::integral<T> || std::floating_point<T>
  void number(T value) {
    auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
    if constexpr (std::endian::native == std::endian::big) std::ranges::reverse(bytes);
    out_.append(bytes.data(), bytes.size());
  }
  void count(std::size_t n) { number(static_cast<std::uint32_t>(n)); }
  void text(std::string_view s) {
    std::size_t length = std::min(s.size(), k_max_text);
    while (length < s.size() && length > 0 && (static_cast<unsigned char>(s[length]) & 0xC0U) == 0x80U) --length;
    count(length);
    SNUG_ASSERT(length <= k_max_text);
    out_ += s.substr(0, length);
  }
  void vec(const Vec3& v) { number(v.x), number(v.y), number(v.z); }
  void color(const Rgba& c) {
    for (const std::uint8_t channel : c) number(channel);
  }
  void raw(std::string_view s) { out_ += s; }
  void reserve(std::size_t bytes) { out_.reserve(bytes); }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

void write(Writer& out, const Surface& s) {
  unsigned flags = 0;
  const auto set = [&](unsigned flag, bool on) { flags |= on ? flag : 0; };
  set(k_sag_estimated, s.sag.estimated), set(k_has_analytic, s.analytic.has_value()),
      set(k_has_color, s.color.has_value());
  set(k_hollow, s.analytic && s.analytic->hollow), set(k_recognised, s.analytic && s.analytic->recognised);
  out.text(s.name);
  out.number(static_cast<std::uint8_t>(s.kind));
  out.number(static_cast<std::uint8_t>(flags));
  out.number(s.sag.value), out.number(s.tolerance);
  if (s.analytic) {
    out.vec(s.analytic->origin), out.vec(s.analytic->axis);
    out.number(s.analytic->radius), out.number(s.analytic->minor_radius), out.number(s.analytic->half_angle);
  }
  if (s.color) out.color(*s.color);
}

void write(Writer& out, const MeshInput& mesh) {
  out.count(mesh.vertices.size());
  for (const Point3& v : mesh.vertices) out.vec(v);
  out.count(mesh.triangles.size());
  for (const Index3& t : mesh.triangles)
    for (const std::uint32_t i : t) out.number(i);
  out.count(mesh.surfaces.size());
  for (const Surface& s : mesh.surfaces) write(out, s);
  out.count(mesh.surface_of_triangle.size());
  for (const std::uint32_t s : mesh.surface_of_triangle) out.number(s);
}

/// The path of a node and where it is.
void write_placed(Writer& out, const std::string& path, const Quaternion& q, const Vec3& translation) {
  out.text(path);
  out.number(q.w), out.number(q.x), out.number(q.y), out.number(q.z);
  out.vec(translation);
}

void write(Writer& out, const CadInstance& instance) {
  write_placed(out, instance.path, instance.rotation, instance.translation);
  out.number(instance.mesh);
  out.number(static_cast<std::uint8_t>(instance.color ? k_has_color : 0U));
  if (instance.color) out.color(*instance.color);
  out.number(instance.frame);
}

void write(Writer& out, const std::vector<CadProblem>& problems) {
  const auto write_one = [&](const CadProblem& p) { out.text(p.part), out.text(p.text), out.number(p.instance); };
  out.count(std::min(problems.size(), k_most_problems));
  const std::size_t told = problems.size() > k_most_problems ? k_most_problems - 1 : problems.size();
  for (std::size_t i = 0; i < told; ++i) write_one(problems[i]);
  if (told < problems.size()) write_one({{}, "and " + std::to_string(problems.size() - told) + " more"});
}

// --- reading ---------------------------------------------------------------------------------------------------------

bool is_length(double v) noexcept { return v >= 0 && v <= k_max_coordinate; }      // false for NaN
bool is_coordinate(double v) noexcept { return std::abs(v) <= k_max_coordinate; }  // false for NaN

// Times the size of the mesh. No triangulation strays from its face by more, and no form farther away or larger means
// anything in double precision; both keep squares of what is left far from overflow wherever the mesh's own are.
constexpr double k_most_sag = 1e3, k_farthest_form = 1e12;

/// The largest coordinate: a mesh far from its origin is as coarse as one that reaches there.
double size_of(const std::vector<Point3>& vertices) noexcept {
  double size = 0;
  for (const Point3& v : vertices) size = std::max({size, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  return size;
}

bool is_within(const Surface& s, double size) noexcept {
  if (s.sag.value > k_most_sag * size || s.tolerance > k_most_sag * size) return false;
  if (!s.analytic) return true;
  const AnalyticSurface& form = *s.analytic;
  const double reach = std::max(
      {std::abs(form.origin.x), std::abs(form.origin.y), std::abs(form.origin.z), form.radius, form.minor_radius});
  return reach <= k_farthest_form * size;
}

/// Every function returns false, or something harmless, after the first failure; the words of that one stay.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool good() const noexcept { return error_.empty(); }
  [[nodiscard]] const std::string& error() const noexcept { return error_; }
  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

  bool fail(std::string_view words) {
    if (good()) error_ = words;
    return false;
  }

  std::string_view raw(std::size_t bytes) {
    if (!good() || bytes > rest_.size()) {
      fail("it ends too early");
      return {};
    }
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }
  template <class T>
  T number() {
    const std::string_view bytes = raw(sizeof(T));
    return bytes.empty() ? T{} : load_number<T>(bytes.data(), std::endian::little);
  }
  /// Zero on failure.
  std::size_t count(std::size_t bytes_each, std::string_view of_what) {
    const std::size_t n = number<std::uint32_t>();
    if (n <= rest_.size() / bytes_each) return n;
    fail("more " + std::string(of_what) + " than its bytes can hold");
    return 0;
  }
  std::string text() {
    const std::size_t length = count(1, "characters");
    if (length > k_max_text) fail("a text is too long");
    return good() ? std::string(raw(length)) : std::string();
  }
  Vec3 vec() {
    const double x = number<double>(), y = number<double>();
    return {x, y, number<double>()};
  }
  Point3 point() {
    const Point3 p = vec();
    if (!is_coordinate(p.x) || !is_coordinate(p.y) || !is_coordinate(p.z))
      fail("a coordinate is not a number in range");
    return p;
  }
  Rgba color() {
    Rgba c{};
    for (std::uint8_t& channel : c) channel = number<std::uint8_t>();
    return c;
  }

 private:
  std::string_view rest_;
  std::string error_;
};

Surface read_surface(Reader& in) {
  Surface s;
  s.name = in.text();
  const auto kind = in.number<std::uint8_t>();
  const unsigned flags = in.number<std::uint8_t>();
  if (kind > static_cast<std::uint8_t>(SurfaceKind::spline)) in.fail("a surface of no known kind");
  if ((flags & ~k_all_flags) != 0) in.fail("a surface has flags of no meaning");
  if ((flags & k_has_analytic) == 0 && (flags & (k_hollow | k_recognised)) != 0)
    in.fail("a surface is hollow without a form");
  s.sag.value = in.number<double>();
  s.tolerance = in.number<double>();
  if (!is_length(s.sag.value) || !is_length(s.tolerance)) in.fail("a sag or a tolerance is not a length");
  if (!in.good()) return s;
  s.kind = static_cast<SurfaceKind>(kind);
  s.sag.estimated = (flags & k_sag_estimated) != 0;
  if ((flags & k_has_analytic) != 0) {
    AnalyticSurface form;
    form.origin = in.vec(), form.axis = in.vec();
    form.radius = in.number<double>(), form.minor_radius = in.number<double>(), form.half_angle = in.number<double>();
    form.hollow = (flags & k_hollow) != 0, form.recognised = (flags & k_recognised) != 0;
    if (!is_valid(s.kind, form)) in.fail("a surface's form is not valid");
    s.analytic = form;
  }
  if ((flags & k_has_color) != 0) s.color = in.color();
  return s;
}

MeshInput read_mesh(Reader& in) {
  MeshInput mesh;
  mesh.vertices.resize(in.count(k_vertex_bytes, "vertices"));
  for (Point3& v : mesh.vertices) {
    v = in.point();
    if (!in.good()) return mesh;
  }
  mesh.triangles.resize(in.count(k_triangle_bytes, "triangles"));
  if (mesh.triangles.empty()) in.fail("a mesh without triangles");
  for (Index3& t : mesh.triangles)
    for (std::uint32_t& i : t) {
      i = in.number<std::uint32_t>();
      if (i >= mesh.vertices.size()) in.fail("a triangle names a vertex that is not there");
      if (!in.good()) return mesh;
    }
  const std::size_t surfaces = in.count(k_surface_bytes, "surfaces");
  if (surfaces > mesh.triangles.size() + k_most_bare_surfaces) in.fail("far more surfaces than triangles");
  if (!in.good()) return mesh;
  mesh.surfaces.reserve(surfaces);
  const double size = size_of(mesh.vertices);
  for (std::size_t s = 0; s < surfaces && in.good(); ++s) {
    mesh.surfaces.push_back(read_surface(in));
    if (!is_within(mesh.surfaces.back(), size)) in.fail("a surface is far larger than its mesh");
  }
  mesh.surface_of_triangle.resize(in.count(k_index_bytes, "surface ids"));
  if (mesh.surface_of_triangle.size() != (surfaces == 0 ? 0 : mesh.triangles.size()))
    in.fail("surface ids are not as many as triangles");
  for (std::uint32_t& s : mesh.surface_of_triangle) {
    s = in.number<std::uint32_t>();
    if (s >= surfaces) in.fail("a triangle names a surface that is not there");
    if (!in.good()) return mesh;
  }
  return mesh;
}

template <class Placed>
Placed read_placed(Reader& in) {
  Placed placed;
  placed.path = in.text();
  Quaternion& q = placed.rotation;
  q.w = in.number<double>(), q.x = in.number<double>(), q.y = in.number<double>(), q.z = in.number<double>();
  placed.translation = in.point();
  if (!Pose::make(q, placed.translation)) in.fail("a placement is not valid");
  return placed;
}

CadInstance read_instance(Reader& in, std::size_t meshes, std::size_t frames) {
  auto instance = read_placed<CadInstance>(in);
  instance.mesh = in.number<std::uint32_t>();
  if (instance.mesh >= meshes) in.fail("an instance names a mesh that is not there");
  const auto flags = in.number<std::uint8_t>();
  if ((flags & ~k_has_color) != 0) in.fail("an instance has flags of no meaning");
  if (flags == k_has_color) instance.color = in.color();
  instance.frame = in.number<std::uint32_t>();
  if (instance.frame != CadInstance::k_top && instance.frame >= frames)
    in.fail("an instance names a sub-assembly that is not there");
  return instance;
}

std::vector<CadProblem> read_problems(Reader& in, std::size_t instances) {
  std::vector<CadProblem> problems;
  const std::size_t count = in.count(k_problem_bytes, "problems");
  if (count > k_most_problems) in.fail("too many problems");
  for (std::size_t i = 0; i < count && in.good(); ++i) {
    CadProblem& problem = problems.emplace_back();
    problem.part = in.text(), problem.text = in.text(), problem.instance = in.number<std::uint32_t>();
    if (problem.instance != CadProblem::k_none && problem.instance >= instances)
      in.fail("a problem names an instance that is not there");
  }
  return problems;
}

std::optional<LengthUnit> read_units(Reader& in) {
  const auto unit = in.number<std::uint8_t>();
  if (unit == k_no_units) return std::nullopt;
  if (unit > static_cast<std::uint8_t>(LengthUnit::foot)) in.fail("units of no known kind");
  return static_cast<LengthUnit>(unit);
}

}  // namespace

std::string encode(const CadModel& model) {
  std::size_t bytes = 4096;
  for (const MeshInput& mesh : model.meshes)
    bytes += mesh.vertices.size() * k_vertex_bytes + mesh.triangles.size() * (k_triangle_bytes + k_index_bytes) +
             mesh.surfaces.size() * 2 * sizeof(Surface);
  Writer out;
  out.reserve(bytes);
  out.raw(k_wire_magic);
  out.text(model.kernel);
  out.number(model.units ? static_cast<std::uint8_t>(*model.units) : k_no_units);
  out.count(model.meshes.size());
  for (const MeshInput& mesh : model.meshes) write(out, mesh);
  out.count(model.frames.size());
  for (const CadFrame& frame : model.frames) write_placed(out, frame.path, frame.rotation, frame.translation);
  out.count(model.instances.size());
  for (const CadInstance& instance : model.instances) write(out, instance);
  write(out, model.losses);
  write(out, model.problems);
  return out.take();
}

Result<CadModel, std::string> decode(std::string_view bytes) {
  Reader in(bytes);
  if (in.raw(k_wire_magic.size()) != k_wire_magic)
    in.fail("it does not begin as a triangulated assembly of this version");
  CadModel model;
  model.kernel = in.text();
  model.units = read_units(in);
  const std::size_t meshes = in.count(k_mesh_bytes, "meshes");
  if (meshes > k_max_parts) in.fail("too many shapes");
  for (std::size_t i = 0; i < meshes && in.good(); ++i) model.meshes.push_back(read_mesh(in));
  const std::size_t frames = in.count(k_frame_bytes, "sub-assemblies");
  if (frames > k_max_parts) in.fail("too many sub-assemblies");
  for (std::size_t i = 0; i < frames && in.good(); ++i) model.frames.push_back(read_placed<CadFrame>(in));
  const std::size_t instances = in.count(k_instance_bytes, "instances");
  if (instances > k_max_parts) in.fail("too many parts");
  for (std::size_t i = 0; i < instances && in.good(); ++i) model.instances.push_back(read_instance(in, meshes, frames));
  model.losses = read_problems(in, instances);
  model.problems = read_problems(in, instances);
  if (in.good() && !in.at_end()) in.fail("something follows its end");
  if (!in.good()) return Failure{in.error()};
  return model;
}

}  // namespace snug::io
