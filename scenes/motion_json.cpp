#include "scenes/motion_json.hpp"

#include <array>
#include <charconv>
#include <initializer_list>

namespace snug::scenes {

namespace {

void append(std::string& out, double value) {
  std::array<char, 32> text{};
  // -0 is 0, which reads better; both mean the same place.
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value == 0 ? 0.0 : value).ptr;
  out.append(text.data(), end);
}

void append(std::string& out, std::initializer_list<double> values) {
  char before = '[';
  for (const double value : values) {
    out += before;
    append(out, value);
    before = ',';
  }
  out += ']';
}

/// Paths of scenes are printable ASCII without control characters; quotes and backslashes are escaped all the same.
void append(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

}  // namespace

std::string motion_json(const Scene& scene) {
  std::string out = "{\"schema\":\"snug.motion/1\",\"tracks\":[";
  for (const MotionTrack& track : scene.tracks) {
    out += &track == &scene.tracks.front() ? "\n{\"keys\":[" : ",\n{\"keys\":[";
    for (const PoseKey& key : track.keys) {
      out += &key == &track.keys.front() ? "\n {\"position\":" : ",\n {\"position\":";
      const Vec3& p = key.pose.translation();
      const Quaternion& q = key.pose.rotation();
      append(out, {p.x, p.y, p.z});
      out += ",\"rotation\":";
      append(out, {q.w, q.x, q.y, q.z});
      out += ",\"t\":";
      append(out, key.t);
      out += '}';
    }
    out += "],\"part\":";
    append(out, std::string_view(track.part));
    out += '}';
  }
  out += "],\"units\":\"";
  out += to_string(scene.assembly.units());
  out += "\"}\n";
  return out;
}

}  // namespace snug::scenes
