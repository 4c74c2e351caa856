#include "report/json_document.hpp"
#include "report/json_parts.hpp"

#include <snug/report.hpp>

namespace snug {

namespace {

using report::JsonDocument;

void write_part(JsonDocument& json, const PartInfo& part) {
  json.begin_object();
  json.key("bounds").begin_object(JsonDocument::Layout::line);
  json.key("max").value(part.bounds.hi);
  json.key("min").value(part.bounds.lo);
  json.end_object();
  json.key("closed").value(part.closed);
  json.key("path").value(part.path);
  json.key("problems").begin_array();
  for (const std::string& text : part.problems) json.value(text);
  json.end_array();
  json.key("shells").value(part.shells);
  json.key("surfaces").value(part.surfaces);
  json.key("triangles").value(part.triangles);
  json.key("vertices").value(part.vertices);
  json.key("volume").value(part.volume);
  json.end_object();
}

}  // namespace

std::string info_json(const Assembly& assembly, const AssemblyInfo& info, std::span<const InputFile> inputs) {
  std::uint64_t surfaces = 0, triangles = 0, vertices = 0;
  JsonDocument json;
  json.begin_object();
  json.key("cancelled").value(info.cancelled);
  json.key("inputs");
  report::write_inputs(json, inputs);
  json.key("parts").begin_array();
  for (const PartInfo& part : info.parts) {
    write_part(json, part);
    surfaces += part.surfaces;
    triangles += part.triangles;
    vertices += part.vertices;
  }
  json.end_array();
  json.key("problems").begin_array();
  for (const std::string& text : info.problems) json.value(text);
  json.end_array();
  json.key("schema").value("snug.info/1");
  json.key("totals").begin_object(JsonDocument::Layout::line);
  json.key("meshes").value(assembly.distinct_meshes());
  json.key("parts").value(info.parts.size());
  json.key("surfaces").value(surfaces);
  json.key("triangles").value(triangles);
  json.key("vertices").value(vertices);
  json.end_object();
  json.key("units").value(to_string(assembly.units()));
  json.end_object();
  return json.finish();
}

}  // namespace snug
