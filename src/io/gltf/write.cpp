#include "io/errors.hpp"
#include "io/json/json_write.hpp"
#include "io/text/number.hpp"
#include "io/writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace snug::io {

namespace {

using Code = IoError::Code;

/// Pieces of a JSON array, joined by commas.
class JsonList {
 public:
  std::string& next() {
    if (!text_.empty()) text_ += ',';
    ++count_;
    return text_;
  }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::string member(std::string_view name) const {
    return ",\"" + std::string(name) + "\":[" + text_ + ']';
  }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

std::string text_of(std::uint64_t number) { return std::to_string(number); }

std::string text_of(const Rgba& color) {
  std::string out;
  for (const std::uint8_t channel : color) out += (out.empty() ? "[" : ",") + std::to_string(channel);
  return out + ']';
}

/// The share of light that an sRGB channel stands for, to four digits: for viewers, who need no more.
double linear(std::uint8_t channel) {
  const double share = channel / 255.0;
  const double light = share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  return std::round(1e4 * light) / 1e4;
}

/// Writes the description first, to know all sizes, then streams the numbers in the same order.
class GlbWriter {
 public:
  GlbWriter(ByteSink& sink, const Assembly& assembly, const Animation* animation)
      : sink_(sink), unit_(assembly.units()), animation_(animation), steps_(sink, total_steps(assembly)) {
    std::map<const Point3*, std::size_t> known;  // shared data, shared address
    for (const Part& part : assembly.parts()) {
      const auto [entry, is_new] = known.emplace(part.mesh.vertices().data(), meshes_.size());
      if (is_new) meshes_.push_back({part.mesh, part.color, true});
      add_node(part, entry->second);
    }
  }

  Result<void, IoError> write() {
    for (Described& mesh : meshes_) {
      mesh.in_order = in_order(mesh.mesh);
      if (auto described = describe(mesh); !described) return described;
      if (!sink_.ok()) return {};
    }
    const std::string animation = animation_ == nullptr || animation_->times.empty() ? "" : describe_animation();
    std::string json = "{\"asset\":{\"version\":\"2.0\",\"generator\":\"snug\"" +
                       (unit_note().empty() ? "" : ",\"extras\":{\"snug\":{" + unit_note().substr(1) + "}}") +
                       R"(},"scene":0,"scenes":[{"nodes":[)";
    for (std::size_t n = 0; n < nodes_.size(); ++n) json += (n == 0 ? "" : ",") + text_of(n);
    json += "]}]" + nodes_.member("nodes") + meshes_json_.member("meshes") +
            (materials_.size() > 0 ? materials_.member("materials") : "") + animation + accessors_.member("accessors") +
            views_.member("bufferViews") + ",\"buffers\":[{\"byteLength\":" + text_of(bytes_) + "}]}";
    json.resize((json.size() + 3) / 4 * 4, ' ');
    total_ = 12 + 8 + json.size() + 8 + bytes_;
    if (total_ > std::numeric_limits<std::uint32_t>::max())
      return sink_.fail(Code::too_large, "a GLB of more than 4 GiB cannot be written");

    sink_.text("glTF");
    for (const std::uint64_t word : {std::uint64_t{2}, total_, std::uint64_t{json.size()}})
      sink_.binary(static_cast<std::uint32_t>(word));
    sink_.text("JSON");
    sink_.text(json);
    sink_.binary(static_cast<std::uint32_t>(bytes_));
    sink_.text({"BIN\0", 4});
    for (const Described& mesh : meshes_) {
      if (!sink_.ok()) break;
      stream(mesh);
    }
    if (!animation.empty() && sink_.ok()) stream_animation();
    return {};
  }

 private:
  struct Described {
    Mesh mesh;
    std::optional<Rgba> color;  ///< of the first part that has it
    bool in_order;
    bool held_by_floats = true;
  };

  /// At most: instances are written once, and ids of triangles mostly not at all.
  static std::uint64_t total_steps(const Assembly& assembly) {
    std::uint64_t total = 0;
    for (const Part& part : assembly.parts())
      total += 3 * part.mesh.vertices().size() + 3 * part.mesh.triangles().size();
    return total;
  }

  /// Surfaces whose triangles alternate would come back in another order: such meshes note their triangles' ids.
  bool in_order(const Mesh& mesh) {
    std::uint32_t next = 0;
    for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s)
      for (const std::uint32_t t : mesh.triangles_of(s))
        if (t != next++ || !steps_.next()) return false;
    return true;
  }

  [[nodiscard]] double in_metres(double length) const { return convert_length(length, unit_, LengthUnit::metre); }
  /// The unit of the notes that it is among, if it is not glTF's own.
  [[nodiscard]] std::string unit_note() const {
    return unit_ == LengthUnit::metre ? "" : ",\"unit\":\"" + std::string(to_string(unit_)) + '"';
  }

  [[nodiscard]] std::array<float, 3> position(const Point3& v) const {
    return {to_single(in_metres(v.x)), to_single(in_metres(v.y)), to_single(in_metres(v.z))};
  }

  /// Does our reader get the same number from the floats?
  [[nodiscard]] bool is_held(const Point3& v, const std::array<float, 3>& p) const {
    const auto back = [&](float metres) {
      return convert_length(static_cast<double>(metres), LengthUnit::metre, unit_);
    };
    return back(p[0]) == v.x && back(p[1]) == v.y && back(p[2]) == v.z;
  }

  static void append_list(std::string& out, std::string_view name, std::initializer_list<double> numbers) {
    out += ",\"" + std::string(name) + "\":[";
    bool first = true;
    for (const double number : numbers) {
      if (!std::exchange(first, false)) out += ',';
      append_json_number(out, number);
    }
    out += ']';
  }

  void add_node(const Part& part, std::size_t mesh) {
    std::string& out = nodes_.next();
    out += "{\"name\":";
    append_json_string(out, part.path);
    out += ",\"mesh\":" + text_of(mesh);
    const Quaternion& q = part.pose.rotation();
    const Vec3& t = part.pose.translation();
    if (q != Quaternion{}) append_list(out, "rotation", {q.x, q.y, q.z, q.w});
    std::string notes;
    if (t != Vec3{}) {
      append_list(out, "translation", {in_metres(t.x), in_metres(t.y), in_metres(t.z)});
      if (unit_ != LengthUnit::metre) append_list(notes, "translation", {t.x, t.y, t.z});
      notes += notes.empty() ? "" : unit_note();
    }
    if (part.color) notes += ",\"color\":" + text_of(*part.color);
    if (!notes.empty()) out += ",\"extras\":{\"snug\":{" + notes.substr(1) + "}}";
    out += '}';
  }

  std::size_t add_view(std::uint64_t bytes, int target) {
    views_.next() += "{\"buffer\":0,\"byteOffset\":" + text_of(bytes_) + ",\"byteLength\":" + text_of(bytes) +
                     (target == 0 ? "" : ",\"target\":" + std::to_string(target)) + '}';
    bytes_ += bytes;
    return views_.size() - 1;
  }
  std::size_t add_indices(std::size_t view, std::uint64_t offset, std::uint64_t count) {
    accessors_.next() += "{\"bufferView\":" + text_of(view) + ",\"byteOffset\":" + text_of(offset) +
                         ",\"componentType\":5125,\"count\":" + text_of(count) + ",\"type\":\"SCALAR\"}";
    return accessors_.size() - 1;
  }

  Result<std::size_t, IoError> add_positions(Described& described) {
    const Mesh& mesh = described.mesh;
    constexpr float k_infinity = std::numeric_limits<float>::infinity();
    std::array<float, 3> lo{k_infinity, k_infinity, k_infinity}, hi{-k_infinity, -k_infinity, -k_infinity};
    for (const Point3& v : mesh.vertices()) {
      if (!steps_.next()) return std::size_t{0};  // the file is given up
      const auto p = position(v);
      described.held_by_floats &= is_held(v, p);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!std::isfinite(p[axis]))
          return sink_.fail(Code::too_large, "a coordinate does not fit the single precision of glTF");
        lo[axis] = std::min(lo[axis], p[axis]);
        hi[axis] = std::max(hi[axis], p[axis]);
      }
    }
    const std::size_t exact = described.held_by_floats ? 0 : add_view(24 * mesh.vertices().size(), 0);
    const std::size_t view = add_view(12 * mesh.vertices().size(), 34962);
    std::string& out = accessors_.next();
    out += "{\"bufferView\":" + text_of(view) + ",\"componentType\":5126,\"count\":" + text_of(mesh.vertices().size()) +
           ",\"type\":\"VEC3\"";
    for (const auto& [name, corner] : {std::pair{"min", lo}, {"max", hi}}) {
      out += std::string(",\"") + name + "\":[";
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (axis > 0) out += ',';
        append_json_number(out, corner[axis]);
      }
      out += ']';
    }
    if (!described.held_by_floats) out += ",\"extras\":{\"snug\":{\"exact\":" + text_of(exact) + unit_note() + "}}";
    out += '}';
    return accessors_.size() - 1;
  }

  Result<void, IoError> describe(Described& described) {
    const Mesh& mesh = described.mesh;
    const auto positions = add_positions(described);
    if (!positions) return Failure{positions.error()};
    const std::uint64_t triangles = mesh.triangles().size();
    const bool ordered = described.in_order;
    const std::size_t index_view = add_view(12 * triangles, 34963);
    const std::size_t id_view = ordered ? 0 : add_view(4 * triangles, 0);

    JsonList primitives, surfaces;
    std::uint64_t first = 0;
    for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) {
      const Surface& surface = mesh.surfaces()[s];
      const std::uint64_t count = mesh.triangles_of(s).size();
      add_surface(surfaces.next(), surface);
      if (count == 0) continue;  // listed, but an empty primitive is not allowed
      const std::size_t indices = add_indices(index_view, 12 * first, 3 * count);
      std::string extras = "{\"snug\":{\"surface\":" + text_of(s);
      if (!ordered) extras += ",\"triangles\":" + text_of(add_indices(id_view, 4 * first, count));
      extras += '}';
      if (!surface.name.empty()) {
        extras += ",\"name\":";
        append_json_string(extras, surface.name);
      }
      const std::optional<Rgba> color = surface.color ? surface.color : described.color;
      primitives.next() +=
          "{\"attributes\":{\"POSITION\":" + text_of(*positions) + "},\"indices\":" + text_of(indices) +
          (color ? ",\"material\":" + text_of(material_of(*color)) : "") + ",\"extras\":" + extras + "}}";
      first += count;
    }
    meshes_json_.next() += "{\"extras\":{\"snug\":{" + surfaces.member("surfaces").substr(1) + unit_note() + "}}" +
                           primitives.member("primitives") + '}';
    return {};
  }

  /// One channel for the place of each part and one for how it is turned; all share the times. Nodes are parts.
  std::string describe_animation() {
    const std::uint64_t frames = animation_->times.size();
    const std::size_t time_view = add_view(4 * frames, 0);
    std::string& times = accessors_.next();
    times += "{\"bufferView\":" + text_of(time_view) + ",\"componentType\":5126,\"count\":" + text_of(frames) +
             ",\"type\":\"SCALAR\",\"min\":[";
    append_json_number(times, to_single(animation_->times.front()));
    times += "],\"max\":[";
    append_json_number(times, to_single(animation_->times.back()));
    times += "]}";
    const std::size_t input = accessors_.size() - 1;
    JsonList samplers, channels;
    for (const std::uint32_t part : animation_->parts)
      for (const auto& [path, type, bytes] : {std::tuple{"translation", "VEC3", 12U}, {"rotation", "VEC4", 16U}}) {
        const std::size_t view = add_view(bytes * frames, 0);
        accessors_.next() += "{\"bufferView\":" + text_of(view) +
                             ",\"componentType\":5126,\"count\":" + text_of(frames) + ",\"type\":\"" + type + "\"}";
        channels.next() += "{\"sampler\":" + text_of(samplers.size()) + ",\"target\":{\"node\":" + text_of(part) +
                           ",\"path\":\"" + path + "\"}}";
        samplers.next() += "{\"input\":" + text_of(input) + ",\"output\":" + text_of(accessors_.size() - 1) + '}';
      }
    if (channels.size() == 0) return {};
    return ",\"animations\":[{" + samplers.member("samplers").substr(1) + channels.member("channels") + "}]";
  }

  void stream_animation() {
    for (const double t : animation_->times) sink_.binary(to_single(t));
    const std::size_t parts = animation_->parts.size();
    for (std::size_t p = 0; p < parts; ++p) {
      for (std::size_t f = 0; f < animation_->times.size(); ++f)
        for (const float c : position(animation_->poses[f * parts + p].translation())) sink_.binary(c);
      // Viewers may turn the long way round between quaternions of opposite signs.
      Quaternion last;
      for (std::size_t f = 0; f < animation_->times.size(); ++f) {
        const Quaternion& q = animation_->poses[f * parts + p].rotation();
        const double sign = q.w * last.w + q.x * last.x + q.y * last.y + q.z * last.z < 0 ? -1 : 1;
        last = {sign * q.w, sign * q.x, sign * q.y, sign * q.z};
        for (const double c : {last.x, last.y, last.z, last.w}) sink_.binary(to_single(c));
      }
    }
  }

  void add_surface(std::string& out, const Surface& surface) const {
    out += "{\"name\":";
    append_json_string(out, surface.name);
    if (surface.kind != SurfaceKind::unknown) out += ",\"kind\":\"" + std::string(to_string(surface.kind)) + '"';
    if (surface.sag.value > 0) {
      out += ",\"sag\":";
      append_json_number(out, surface.sag.value);
    }
    if (surface.sag.estimated) out += ",\"estimated\":true";
    if (surface.tolerance > 0) {
      out += ",\"tolerance\":";
      append_json_number(out, surface.tolerance);
    }
    if (surface.color) out += ",\"color\":" + text_of(*surface.color);
    if (surface.analytic) add_analytic(out, *surface.analytic);
    out += '}';
  }

  void add_analytic(std::string& out, const AnalyticSurface& form) const {
    const Point3& o = form.origin;
    out += ",\"analytic\":{\"hollow\":" + std::string(form.hollow ? "true" : "false");
    append_list(out, "origin", {o.x, o.y, o.z});
    append_list(out, "axis", {form.axis.x, form.axis.y, form.axis.z});
    append_list(out, "radii", {form.radius, form.minor_radius});
    out += ",\"half_angle\":";
    append_json_number(out, form.half_angle);
    if (form.recognised) out += ",\"recognised\":true";
    out += '}';
  }

  /// For viewers. Parts that share a mesh share its looks; our reader finds the colour of each in its node.
  std::size_t material_of(const Rgba& color) {
    const auto [entry, is_new] = known_materials_.try_emplace(color, materials_.size());
    if (!is_new) return entry->second;
    std::string& out = materials_.next();
    out += "{\"pbrMetallicRoughness\":{\"metallicFactor\":0";
    append_list(out, "baseColorFactor", {linear(color[0]), linear(color[1]), linear(color[2]), color[3] / 255.0});
    out += color[3] < 255 ? "},\"alphaMode\":\"BLEND\"}" : "}}";
    return entry->second;
  }

  void stream(const Described& described) {
    const Mesh& mesh = described.mesh;
    if (!described.held_by_floats)
      for (const Point3& v : mesh.vertices()) {
        for (const double c : {v.x, v.y, v.z}) sink_.binary(c);
        if (!steps_.next()) return;
      }
    for (const Point3& v : mesh.vertices()) {
      for (const float c : position(v)) sink_.binary(c);
      if (!steps_.next()) return;
    }
    for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s)
      for (const std::uint32_t t : mesh.triangles_of(s)) {
        for (const std::uint32_t v : mesh.triangles()[t]) sink_.binary(v);
        if (!steps_.next()) return;
      }
    if (described.in_order) return;
    for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s)
      for (const std::uint32_t t : mesh.triangles_of(s)) {
        sink_.binary(t);
        if (!steps_.next()) return;
      }
  }

  ByteSink& sink_;
  LengthUnit unit_;
  const Animation* animation_;
  Steps steps_;
  std::vector<Described> meshes_;
  JsonList nodes_, meshes_json_, accessors_, views_, materials_;
  std::map<Rgba, std::size_t> known_materials_;
  std::uint64_t bytes_ = 0, total_ = 0;
};

}  // namespace

namespace {

/// What is wrong with an animation of these parts; nothing if it can be written.
std::optional<std::string> fault_of(const Animation& animation, std::size_t parts) {
  if (animation.poses.size() != animation.times.size() * animation.parts.size())
    return "expected a pose of each part that moves for each time, found " + std::to_string(animation.poses.size());
  for (const std::uint32_t part : animation.parts)
    if (part >= parts) return "part " + std::to_string(part) + " moves, and there are " + std::to_string(parts);
  for (std::size_t i = 0; i < animation.times.size(); ++i) {
    if (!std::isfinite(to_single(animation.times[i])))
      return "time " + std::to_string(i) + " is not finite or too large";
    if (i > 0 && !(animation.times[i - 1] < animation.times[i]))
      return "time " + std::to_string(i) + " is not later than the one before it";
  }
  for (std::size_t i = 0; i < animation.poses.size(); ++i)
    if (!animation.poses[i].is_valid()) return "pose " + std::to_string(i) + " is not valid";
  return std::nullopt;
}

}  // namespace

Result<void, IoError> write_glb(ByteSink& sink, const Assembly& assembly, const SaveOptions& options) {
  if (options.animation != nullptr)
    if (const auto fault = fault_of(*options.animation, assembly.parts().size()))
      return sink.fail(Code::invalid_option, "the animation cannot be written: " + *fault);
  return GlbWriter(sink, assembly, options.animation).write();
}

}  // namespace snug::io
