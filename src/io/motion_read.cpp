#include "io/errors.hpp"
#include "io/json_fields.hpp"

#include <snug/page.hpp>

#include <algorithm>
#include <unordered_map>

namespace snug {

namespace {

using io::Json;
using io::JsonView;
using Kind = Json::Kind;

/// Reads one document; messages say which track and which key, counted from 1 as people do.
class MotionReader {
 public:
  MotionReader(const std::string& path, const Assembly& assembly, LengthUnit units)
      : path_(path), assembly_(assembly), units_(units) {}

  Result<PageTrack, IoError> track(const JsonView& json, std::size_t number) {
    where_ = "track " + std::to_string(number);
    if (!json.is(Kind::object)) return fail(json, "is not an object");
    if (const auto odd = unknown_key(json, {"keys", "part"}))
      return fail(*odd, "has the unknown key " + io::quoted(odd->key()));
    const auto part = io::string_of(json, "part");
    if (!part) return fail(json, "names no part");
    where_ += " (" + io::quoted(*part) + ')';
    const auto id = assembly_.find(*part);
    if (!id) return fail(json, "there is no such part" + hint(*part));
    if (const auto [first, is_new] = track_of_.try_emplace(*id, number); !is_new)
      return fail(json, "moves a part that track " + std::to_string(first->second) + " moves already");
    const auto keys = json.find("keys");
    if (!keys || !keys->is(Kind::array)) return fail(json, "has no list of keys");
    if (keys->size() == 0) return fail(*keys, "has no key");

    std::vector<PoseKey> out;
    out.reserve(keys->size());
    for (std::size_t i = 0; i < keys->size(); ++i) {
      auto key = read_key((*keys)[i], i + 1, out.empty() ? nullptr : &out.back());
      if (!key) return Failure{key.error()};
      out.push_back(*key);
    }
    auto motion = Motion::make(std::move(out));
    if (!motion) return fail(*keys, motion.error().message());
    return PageTrack{*id, std::move(*motion)};
  }

 private:
  Failure<IoError> fail(const JsonView& at, const std::string& text) const {
    return io::failure_at_byte(IoError::Code::malformed, path_, at.byte(), where_ + ": " + text);
  }

  static std::optional<JsonView> unknown_key(const JsonView& object, std::initializer_list<std::string_view> known) {
    for (std::size_t i = 0; i < object.size(); ++i)
      if (std::ranges::find(known, object[i].key()) == known.end()) return object[i];
    return std::nullopt;
  }

  /// Parts are often named without the folders above them.
  [[nodiscard]] std::string hint(std::string_view part) const {
    for (const Part& each : assembly_.parts())
      if (!part.empty() && each.path.size() > part.size() && each.path.ends_with(part) &&
          each.path[each.path.size() - part.size() - 1] == '/')
        return "; there is " + io::quoted(each.path);
    return {};
  }

  Result<PoseKey, IoError> read_key(const JsonView& json, std::size_t number, const PoseKey* before) {
    const auto refuse = [&](const std::string& text) {
      return fail(json, "key " + std::to_string(number) + ": " + text);
    };
    if (!json.is(Kind::object)) return refuse("is not an object");
    if (const auto odd = unknown_key(json, {"position", "rotation", "t"}))
      return refuse("has the unknown key " + io::quoted(odd->key()));
    const auto t = json.find("t");
    if (!t || !t->is(Kind::number)) return refuse("has no time 't'");
    if (before != nullptr && !(t->number() > before->t))
      return refuse("its time, " + io::number_text(t->number()) + ", is not later than that of the key before, " +
                    io::number_text(before->t));
    const auto position = io::numbers_of<3>(json, "position");
    if (!position) return refuse("'position' must be three numbers");
    const auto rotation = io::numbers_of<4>(json, "rotation");
    if (!rotation) return refuse("'rotation' must be four numbers: w, x, y, z of a quaternion");
    const auto length = [&](double value) { return convert_length(value, units_, assembly_.units()); };
    const auto pose = Pose::make({(*rotation)[0], (*rotation)[1], (*rotation)[2], (*rotation)[3]},
                                 {length((*position)[0]), length((*position)[1]), length((*position)[2])});
    if (!pose) return refuse(pose.error().message());
    return PoseKey{t->number(), *pose};
  }

  const std::string& path_;
  const Assembly& assembly_;
  LengthUnit units_;
  std::string where_;
  std::unordered_map<std::uint32_t, std::size_t> track_of_;
};

}  // namespace

Result<PageMotion, IoError> read_motion(std::string_view text, const std::string& path, const Assembly& assembly) {
  const auto json = io::parse_document(text, path, "snug.motion/1");
  if (!json) return Failure{json.error()};
  const JsonView root = json->root();
  const auto fail = [&](std::string what) { return io::failure(IoError::Code::malformed, path, std::move(what)); };
  const auto named = io::string_of(root, "units");
  const auto units = parse_length_unit(named.value_or(""));
  if (!units)
    return fail(named ? "the unit " + io::quoted(*named) + " is not known (um, mm, cm, m, in, ft)" : "names no unit");
  for (std::size_t i = 0; i < root.size(); ++i)
    if (const std::string& key = root[i].key(); key != "schema" && key != "tracks" && key != "units")
      return fail("has the unknown key " + io::quoted(key));
  const auto tracks = root.find("tracks");
  if (!tracks || !tracks->is(Kind::array) || tracks->size() == 0) return fail("has no tracks");

  PageMotion out;
  MotionReader reader(path, assembly, *units);
  for (std::size_t i = 0; i < tracks->size(); ++i) {
    auto track = reader.track((*tracks)[i], i + 1);
    if (!track) return Failure{track.error()};
    out.begin = i == 0 ? track->motion.begin() : std::min(out.begin, track->motion.begin());
    out.end = i == 0 ? track->motion.end() : std::max(out.end, track->motion.end());
    out.tracks.push_back(std::move(*track));
  }
  return out;
}

}  // namespace snug
