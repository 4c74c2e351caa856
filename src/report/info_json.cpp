#include "report/json_document.hpp"
#include "report/json_parts.hpp"
#include "support/assert.hpp"

#include <snug/report.hpp>

namespace snug {

namespace {

using report::JsonDocument;

using report::k_line;

std::string hex_of(const Rgba& color) {
  constexpr std::string_view k_digits = "0123456789abcdef";
  std::string text = "#";
  for (const std::uint8_t channel : color) (text += k_digits[channel >> 4]) += k_digits[channel & 15];
  return text;
}

void write_color(JsonDocument& json, const std::optional<Rgba>& color) {
  json.key("color");
  color ? json.value(hex_of(*color)) : json.null();
}

/// Just the numbers that its kind has.
void write_analytic(JsonDocument& json, SurfaceKind kind, const AnalyticSurface& surface) {
  json.begin_object(k_line);
  if (kind != SurfaceKind::sphere) json.key("axis").value(surface.axis);
  if (kind == SurfaceKind::cone) json.key("half_angle").value(surface.half_angle);
  if (kind != SurfaceKind::plane) json.key("hollow").value(surface.hollow);
  if (kind == SurfaceKind::torus) json.key("minor_radius").value(surface.minor_radius);
  json.key("origin").value(surface.origin);
  if (kind != SurfaceKind::plane) json.key("radius").value(surface.radius);
  json.key("recognised").value(surface.recognised);
  json.end_object();
}

void write_face(JsonDocument& json, const Surface& surface) {
  json.begin_object(k_line);
  json.key("analytic");
  surface.analytic ? write_analytic(json, surface.kind, *surface.analytic) : json.null();
  write_color(json, surface.color);
  json.fields("kind", to_string(surface.kind), "name", surface.name, "sag", surface.sag.value, "sag_estimated",
              surface.sag.estimated, "tolerance", surface.tolerance);
  json.end_object();
}

bool has_kinds(const PartInfo& part) {
  return part.kinds[static_cast<std::size_t>(SurfaceKind::unknown)] < part.surfaces;
}

void write_pose(JsonDocument& json, const Pose& pose) {
  const Quaternion& q = pose.rotation();
  json.begin_object(k_line);
  json.key("position").value(pose.translation());
  json.key("rotation").list(std::array{q.w, q.x, q.y, q.z});
  json.end_object();
}

void write_frame(JsonDocument& json, const Frame& frame) {
  json.begin_object(k_line);
  json.key("path").value(frame.path);
  json.key("pose");
  write_pose(json, frame.pose);
  json.end_object();
}

void write_part(JsonDocument& json, const PartInfo& part, const Part& source) {
  json.begin_object();
  json.key("bounds").line("max", part.bounds.hi, "min", part.bounds.lo);
  json.key("closed").value(part.closed);
  write_color(json, source.color);
  if (has_kinds(part)) {
    json.key("faces").begin_array();
    for (const Surface& surface : source.mesh.surfaces()) write_face(json, surface);
    json.end_array();
  }
  json.key("frame").value(source.frame);
  if (has_kinds(part)) {
    json.key("kinds").begin_object(k_line);
    for (const SurfaceKind kind : {SurfaceKind::cone, SurfaceKind::cylinder, SurfaceKind::plane, SurfaceKind::sphere,
                                   SurfaceKind::spline, SurfaceKind::torus, SurfaceKind::unknown})
      json.key(to_string(kind)).value(part.kinds[static_cast<std::size_t>(kind)]);
    json.end_object();
  }
  json.key("path").value(part.path);
  json.key("pose");
  write_pose(json, source.pose);
  json.key("problems").begin_array();
  for (const std::string& text : part.problems) json.value(text);
  json.end_array();
  json.key("sag").value(part.sag.value);
  if (part.self_intersections) {
    json.key("self_intersections").begin_object();
    json.key("crossing").value(part.self_intersections->crossing);
    json.key("first").begin_array(k_line);
    for (const TrianglePair& pair : part.self_intersections->first)
      json.list(std::array{std::uint64_t{pair.a}, std::uint64_t{pair.b}});
    json.end_array();
    json.key("pairs").value(part.self_intersections->pairs);
    json.end_object();
  }
  json.fields("shells", part.shells, "surfaces", part.surfaces, "triangles", part.triangles, "vertices", part.vertices,
              "volume", part.volume);
  json.end_object();
}

}  // namespace

std::string info_json(const Assembly& assembly, const AssemblyInfo& info, std::span<const InputFile> inputs) {
  std::uint64_t surfaces = 0, triangles = 0, vertices = 0;
  JsonDocument json;
  json.begin_object();
  json.key("cancelled").value(info.cancelled);
  json.key("frames").begin_array();
  for (const Frame& frame : assembly.frames()) write_frame(json, frame);
  json.end_array();
  json.key("inputs");
  report::write_inputs(json, inputs);
  json.key("losses");
  report::write_problems(json, info.losses);
  SNUG_ASSERT(info.parts.size() <= assembly.parts().size());
  json.key("parts").begin_array();
  for (std::size_t i = 0; i < info.parts.size(); ++i) {
    const PartInfo& part = info.parts[i];
    write_part(json, part, assembly.parts()[i]);
    surfaces += part.surfaces;
    triangles += part.triangles;
    vertices += part.vertices;
  }
  json.end_array();
  json.key("problems").begin_array();
  for (const std::string& text : info.problems) json.value(text);
  json.end_array();
  json.key("schema").value("snug.info/1");
  json.key("totals").line("meshes", assembly.distinct_meshes(), "parts", info.parts.size(), "surfaces", surfaces,
                          "triangles", triangles, "vertices", vertices);
  json.key("units").value(to_string(assembly.units()));
  json.end_object();
  return json.finish();
}

}  // namespace snug
