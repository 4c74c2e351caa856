#include "io/errors.hpp"
#include "io/json/json_fields.hpp"
#include "support/nearest_name.hpp"
#include "support/trig.hpp"

#include <snug/page.hpp>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace snug {

namespace {

using io::Json;
using io::JsonView;
using Kind = Json::Kind;

constexpr std::size_t k_most_keys = 2'000'000;  ///< of all parts: turns and sub-assemblies make many of few

/// Reads one document; messages say which track and which key, counted from 1 as people do.
class MotionReader {
 public:
  MotionReader(const std::string& path, const Assembly& assembly, LengthUnit units)
      : path_(path), assembly_(assembly), units_(units) {}

  /// One for each part that the track moves.
  Result<std::vector<PageTrack>, IoError> track(const JsonView& json, std::size_t number) {
    where_ = "track " + std::to_string(number);
    if (!json.is(Kind::object)) return fail(json, "is not an object");
    if (const auto odd = unknown_key(json, {"frame", "keys", "part"}))
      return fail(*odd, "has the unknown key " + support::quoted(odd->key()));
    const auto name = io::string_of(json, "part");
    if (!name) return fail(json, "names no part");
    where_ += " (" + support::quoted(*name) + ')';
    const auto in_assembly = frame_of(json);
    if (!in_assembly) return Failure{in_assembly.error()};
    const std::vector<std::uint32_t> parts = parts_of(*name);
    if (parts.empty()) return fail(json, "there is no such part or sub-assembly" + hint(*name));
    if (!assembly_.find(*name) && !*in_assembly)
      return fail(json, "is a sub-assembly, which moves in the axes of the whole: \"frame\":\"assembly\"");
    for (const std::uint32_t part : parts)
      if (const auto [first, is_new] = track_of_.try_emplace(part, number); !is_new)
        return fail(json, "moves " + (parts.size() == 1 ? "a part" : support::quoted(assembly_.parts()[part].path)) +
                              (parts.size() == 1 ? " that track " : ", which track ") + std::to_string(first->second) +
                              " moves already");
    const auto keys = json.find("keys");
    if (!keys || !keys->is(Kind::array)) return fail(json, "has no list of keys");
    if (keys->size() == 0) return fail(*keys, "has no key");

    const auto motion = read_keys(*keys, parts.size());
    if (!motion) return Failure{motion.error()};
    std::vector<PageTrack> out;
    for (const std::uint32_t part : parts) {
      if (!*in_assembly) {
        out.push_back({part, *motion});
        continue;
      }
      const Pose& at = assembly_.parts()[part].pose;
      Motion world = motion->carrying(at);
      out.push_back({part, world.placed_by(inverse(at)), std::move(world)});
    }
    return out;
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

  /// Are the track's numbers in the frame of the assembly, not in that of the part where it stands?
  Result<bool, IoError> frame_of(const JsonView& json) const {
    const auto frame = json.find("frame");
    if (!frame) return false;
    const auto name = io::string_of(json, "frame");
    if (name == "part" || name == "assembly") return name == "assembly";
    return fail(*frame, "its frame must be \"part\" or \"assembly\"");
  }

  /// The part of that name, or all below the sub-assembly of that name.
  [[nodiscard]] std::vector<std::uint32_t> parts_of(std::string_view name) const {
    if (const auto id = assembly_.find(name)) return {*id};
    std::vector<std::uint32_t> out;
    const auto parts = assembly_.parts();
    for (std::uint32_t i = 0; i < parts.size(); ++i)
      if (!name.empty() && parts[i].path.size() > name.size() && parts[i].path.starts_with(name) &&
          parts[i].path[name.size()] == '/')
        out.push_back(i);
    return out;
  }

  [[nodiscard]] std::string hint(std::string_view name) const {
    std::set<std::string> folders;
    std::vector<std::string> names;
    for (const Part& each : assembly_.parts()) {
      names.push_back(each.path);
      for (std::size_t at = each.path.find('/'); at != std::string::npos; at = each.path.find('/', at + 1))
        folders.insert(each.path.substr(0, at));
    }
    names.insert(names.end(), folders.begin(), folders.end());
    const auto close = support::nearest_name(name, names);
    return close ? "; there is " + support::quoted(*close) : std::string();
  }

  /// Of `parts` parts that move together.
  Result<Motion, IoError> read_keys(const JsonView& keys, std::size_t parts) {
    std::optional<Motion> motion;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      auto longer = read_key(keys[i], i + 1, motion);
      if (!longer) return Failure{longer.error()};
      motion = std::move(*longer);
      if (keys_so_far_ + motion->keys().size() * parts > k_most_keys)
        return fail(keys[i],
                    "makes more than " + std::to_string(k_most_keys) + " keys: a turn takes four for each revolution");
    }
    keys_so_far_ += motion->keys().size() * parts;
    return std::move(*motion);
  }

  /// What was read so far, which is taken, and on to this key.
  Result<Motion, IoError> read_key(const JsonView& json, std::size_t number, std::optional<Motion>& before) {
    const auto refuse = [&](const std::string& text) {
      return fail(json, "key " + std::to_string(number) + ": " + text);
    };
    if (!json.is(Kind::object)) return refuse("is not an object");
    if (const auto odd = unknown_key(json, {"position", "rotation", "shift", "t", "turn"}))
      return refuse("has the unknown key " + support::quoted(odd->key()));
    const auto t = json.find("t");
    if (!t || !t->is(Kind::number)) return refuse("has no time 't'");
    if (before && !(t->number() > before->end()))
      return refuse("its time, " + support::number_text(t->number()) + ", is not later than that of the key before, " +
                    support::number_text(before->end()));
    const bool shifts = json.find("shift").has_value(), turns = json.find("turn").has_value();
    if (shifts + turns + (json.find("position") || json.find("rotation")) > 1)
      return refuse("has more than one of a pose ('position' and 'rotation'), a 'shift' and a 'turn'");
    if (turns) {
      if (!before) return refuse("a turn leads on from the key before, and there is none");
      const auto turn = read_turn(*json.find("turn"), refuse);
      if (!turn) return Failure{turn.error()};
      auto longer = std::move(*before).then(t->number(), *turn);
      if (!longer) return refuse(longer.error().message().substr(longer.error().message().find(" turns") + 1));
      return std::move(*longer);
    }
    const auto pose = shifts ? shifted(json, before, refuse) : read_pose(json, refuse);
    if (!pose) return Failure{pose.error()};
    auto longer =
        before ? std::move(*before).then(t->number(), *pose, Arc::shorter) : Motion::make({{t->number(), *pose}});
    if (!longer) return refuse(longer.error().message());
    return std::move(*longer);
  }

  template <class Refuse>
  Result<Pose, IoError> read_pose(const JsonView& json, const Refuse& refuse) const {
    const auto position = io::numbers_of<3>(json, "position");
    if (!position) return refuse("'position' must be three numbers");
    const auto rotation = io::numbers_of<4>(json, "rotation");
    if (!rotation) return refuse("'rotation' must be four numbers: w, x, y, z of a quaternion");
    const auto pose = Pose::make({(*rotation)[0], (*rotation)[1], (*rotation)[2], (*rotation)[3]}, lengths(*position));
    if (!pose) return refuse(pose.error().message());
    return *pose;
  }

  /// By so much from where the key before left it, or from where it stands.
  template <class Refuse>
  Result<Pose, IoError> shifted(const JsonView& json, const std::optional<Motion>& before, const Refuse& refuse) const {
    const auto shift = io::numbers_of<3>(json, "shift");
    if (!shift) return refuse("'shift' must be three numbers");
    const Pose from = before ? before->keys().back().pose : Pose();
    const auto pose = Pose::make(from.rotation(), from.translation() + lengths(*shift));
    if (!pose) return refuse(pose.error().message());
    return *pose;
  }

  template <class Refuse>
  Result<Turn, IoError> read_turn(const JsonView& json, const Refuse& refuse) const {
    if (!json.is(Kind::object)) return refuse("'turn' is not an object");
    if (const auto odd = unknown_key(json, {"degrees", "direction", "pitch", "point"}))
      return refuse("'turn' has the unknown key " + support::quoted(odd->key()));
    const auto point = io::numbers_of<3>(json, "point");
    if (!point) return refuse("the turn's 'point' must be three numbers: any point on the axis");
    const auto direction = io::numbers_of<3>(json, "direction");
    if (!direction || *direction == std::array<double, 3>{})
      return refuse("the turn's 'direction' must be three numbers, not all zero");
    const auto degrees = json.find("degrees"), pitch = json.find("pitch");
    if (!degrees || !degrees->is(Kind::number)) return refuse("the turn's 'degrees' must be a number");
    if (pitch && !pitch->is(Kind::number))
      return refuse("the turn's 'pitch' must be a number: what it advances in a revolution");
    const double advance = pitch ? length(pitch->number()) * (degrees->number() / 360) : 0;
    return Turn{
        lengths(*point), {(*direction)[0], (*direction)[1], (*direction)[2]}, radians_of(degrees->number()), advance};
  }

  [[nodiscard]] double length(double value) const { return convert_length(value, units_, assembly_.units()); }
  [[nodiscard]] Vec3 lengths(const std::array<double, 3>& v) const {
    return {length(v[0]), length(v[1]), length(v[2])};
  }
  static double radians_of(double degrees) noexcept { return degrees / 180 * support::k_pi; }

  const std::string& path_;
  const Assembly& assembly_;
  LengthUnit units_;
  std::string where_;
  std::unordered_map<std::uint32_t, std::size_t> track_of_;
  std::size_t keys_so_far_ = 0;
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
    return fail(named ? "the unit " + support::quoted(*named) + " is not known (um, mm, cm, m, in, ft)"
                      : "names no unit");
  for (std::size_t i = 0; i < root.size(); ++i)
    if (const std::string& key = root[i].key(); key != "schema" && key != "tracks" && key != "units")
      return fail("has the unknown key " + support::quoted(key));
  const auto tracks = root.find("tracks");
  if (!tracks || !tracks->is(Kind::array) || tracks->size() == 0) return fail("has no tracks");

  PageMotion out;
  MotionReader reader(path, assembly, *units);
  for (std::size_t i = 0; i < tracks->size(); ++i) {
    auto moved = reader.track((*tracks)[i], i + 1);
    if (!moved) return Failure{moved.error()};
    for (PageTrack& track : *moved) {
      out.begin = out.tracks.empty() ? track.motion.begin() : std::min(out.begin, track.motion.begin());
      out.end = out.tracks.empty() ? track.motion.end() : std::max(out.end, track.motion.end());
      out.tracks.push_back(std::move(track));
    }
  }
  return out;
}

}  // namespace snug
