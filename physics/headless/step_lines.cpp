#include "physics/headless/step_lines.hpp"

#include "io/json/json_write.hpp"

#include <cmath>

namespace snug::headless {

namespace {

void append_number(std::string& out, double value) {
  // A world that has blown up has places that are no numbers, and JSON has no word for them.
  if (std::isfinite(value))
    io::append_json_number(out, value);
  else
    out += "null";
}

void append_list(std::string& out, std::initializer_list<double> values) {
  char before = '[';
  for (const double value : values) {
    out += before;
    append_number(out, value);
    before = ',';
  }
  out += ']';
}

}  // namespace

std::string lines_head(const WorldScene& scene) {
  std::string out = "{\"parts\":[";
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (i > 0) out += ',';
    out += scene.bodies[i].fixed ? "{\"fixed\":true,\"path\":" : "{\"fixed\":false,\"path\":";
    io::append_json_string(out, scene.assembly.parts()[i].path);
    out += '}';
  }
  out += "],\"rate_hz\":";
  append_number(out, scene.rate_hz);
  out += R"(,"schema":"snug.simulate.steps/1","units":")" + std::string(to_string(scene.assembly.units())) + "\"}\n";
  return out;
}

std::string line_of_step(const Instant& instant, std::span<const WorldContact> contacts, std::uint64_t pairs) {
  std::string out = "{\"contacts\":[";
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const WorldContact& c = contacts[i];
    if (i > 0) out += ',';
    out += "{\"a\":" + std::to_string(c.a) + ",\"b\":" + std::to_string(c.b) + ",\"depth\":";
    append_number(out, c.depth);
    out += ",\"normal\":";
    append_list(out, {c.normal.x, c.normal.y, c.normal.z});
    out += ",\"point\":";
    append_list(out, {c.point.x, c.point.y, c.point.z});
    out += '}';
  }
  out += "],\"energy\":";
  append_number(out, instant.energy);
  out += ",\"interpenetration\":";
  if (instant.judged)
    append_number(out, instant.judged->volume);
  else
    out += "null";
  out += ",\"pairs\":" + std::to_string(pairs) + ",\"poses\":[";
  for (std::size_t i = 0; i < instant.poses.size(); ++i) {
    if (i > 0) out += ',';
    if (!instant.present[i]) {
      out += "null";
      continue;
    }
    const auto& [w, x, y, z] = instant.poses[i].rotation();
    const Vec3& t = instant.poses[i].translation();
    append_list(out, {w, x, y, z, t.x, t.y, t.z});
  }
  out += "],\"step\":" + std::to_string(instant.step) + ",\"t\":";
  append_number(out, instant.time);
  out += "}\n";
  return out;
}

}  // namespace snug::headless
