#include "step_option.hpp"

#include "errors.hpp"
#include "nearest.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace snug::cli {

namespace {

constexpr double k_degrees = 0x1.ca5dc1a63c1f8p+5;  // in a radian

/// Reads a step word by word.
class StepReader {
 public:
  StepReader(std::string_view whole, std::string_view rest) : whole_(whole), rest_(rest) { skip(); }

  [[noreturn]] void refuse(const std::string& why) const {
    fail_usage("--step: '" + std::string(whole_) + "': " + why +
               "; write it like \"lid=shift 0,0,80mm\" or \"lid=turn 110deg about 0,20,5mm along 1,0,0\"");
  }
  [[nodiscard]] bool done() const noexcept { return rest_.empty(); }

  std::string_view word() {
    const std::size_t end = std::min(rest_.find(' '), rest_.size());
    const std::string_view out = rest_.substr(0, end);
    rest_.remove_prefix(end);
    skip();
    return out;
  }
  void expect(std::string_view what) {
    if (word() != what) refuse("'" + std::string(what) + "' is missing");
  }
  double number(const std::string& what) {
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{} || !std::isfinite(value)) refuse(what + " is missing or not a number");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    skip();
    return value;
  }
  std::array<double, 3> three(const std::string& what) {
    std::array<double, 3> out{};
    for (std::size_t i = 0; i < 3; ++i) {
      if (i > 0) {
        if (!rest_.starts_with(',')) refuse(what + " must be three numbers with commas between them");
        rest_.remove_prefix(1), skip();
      }
      out[i] = number("number " + std::to_string(i + 1) + " of 3 of " + what);
    }
    return out;
  }
  /// Millimetres in the unit that comes next.
  double unit(const std::string& what) {
    const std::string_view name = word();
    const auto known = parse_length_unit(name);
    if (!known)
      refuse(name.empty() ? what + " has no unit (um, mm, cm, m, in, ft)"
                          : what + " has the unknown unit '" + std::string(name) + "' (um, mm, cm, m, in, ft)");
    return convert_length(1, *known, LengthUnit::millimetre);
  }
  std::array<double, 3> lengths(const std::string& what) {
    auto out = three(what);
    const double scale = unit(what);
    for (double& value : out) value *= scale;
    return out;
  }

 private:
  void skip() noexcept {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  std::string_view whole_, rest_;
};

std::vector<std::string> names_in(const Assembly& assembly) {
  std::set<std::string> names;
  for (const Part& part : assembly.parts()) {
    names.insert(part.path);
    for (std::size_t at = part.path.find('/'); at != std::string::npos; at = part.path.find('/', at + 1))
      names.insert(part.path.substr(0, at));
  }
  return {names.begin(), names.end()};
}

/// The parts that a step moves.
std::vector<std::uint32_t> parts_of(const std::string& name, const Assembly& assembly) {
  if (const auto id = assembly.find(name)) return {*id};
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < assembly.parts().size(); ++i)
    if (assembly.parts()[i].path.starts_with(name + '/')) out.push_back(i);
  if (!name.empty() && !out.empty()) return out;
  fail_usage("--step: there is no part or sub-assembly '" + name + '\'' + did_you_mean(name, names_in(assembly)) +
             (assembly.parts().empty() ? "" : " ('snug info' lists the parts)"));
}

}  // namespace

StepOption StepOption::parse(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  StepReader reader(text, equals == std::string_view::npos ? "" : text.substr(equals + 1));
  if (equals == std::string_view::npos) reader.refuse("there is no '='");
  if (equals == 0) reader.refuse("there is no part before the '='");
  StepOption out{.part = std::string(text.substr(0, equals))};
  const std::string_view kind = reader.word();
  if (kind == "shift") {
    out.shift = reader.lengths("the shift");
  } else if (kind == "turn") {
    out.turns = true;
    const double angle = reader.number("the angle");
    const std::string_view unit = reader.word();
    if (unit != "deg" && unit != "rad") reader.refuse("the angle has no unit (deg, rad)");
    out.degrees = unit == "deg" ? angle : angle * k_degrees;
    reader.expect("about");
    out.point = reader.lengths("the point of the axis");
    reader.expect("along");
    out.direction = reader.three("the direction of the axis");
    if (out.direction == std::array<double, 3>{}) reader.refuse("the direction of the axis is zero");
    if (!reader.done()) {
      reader.expect("pitch");
      out.pitch = reader.number("the pitch");
      out.pitch *= reader.unit("the pitch");
    }
  } else {
    reader.refuse("it must shift or turn");
  }
  if (!reader.done()) reader.refuse("'" + std::string(reader.word()) + "' follows what was expected");
  return out;
}

PageMotion motion_of_steps(const std::vector<StepOption>& steps, const Assembly& assembly) {
  // Of the whole space as each part sees it: poses are those of the assembly's own frame carried along.
  std::map<std::uint32_t, Motion> moved;
  const auto length = [&](double millimetres) {
    return convert_length(millimetres, LengthUnit::millimetre, assembly.units());
  };
  const auto lengths = [&](const std::array<double, 3>& v) { return Vec3{length(v[0]), length(v[1]), length(v[2])}; };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepOption& step = steps[i];
    const auto begin = static_cast<double>(i), end = static_cast<double>(i + 1);
    for (const std::uint32_t part : parts_of(step.part, assembly)) {
      Motion motion = moved.contains(part) ? std::move(moved.at(part)) : Motion::make({{begin, {}}}).value();
      const Pose last = motion.keys().back().pose;
      auto longer = Result<Motion, MotionError>(std::move(motion));
      if (longer->end() < begin) longer = std::move(*longer).then(begin, last);
      if (step.turns)
        longer = std::move(*longer).then(end, Turn{lengths(step.point),
                                                   {step.direction[0], step.direction[1], step.direction[2]},
                                                   step.degrees / k_degrees,
                                                   length(step.pitch) * (step.degrees / 360)});
      else if (const auto to = Pose::make(last.rotation(), last.translation() + lengths(step.shift)))
        longer = std::move(*longer).then(end, *to);
      else
        fail_usage("--step: '" + step.part + "': " + to.error().message());
      if (!longer) fail_usage("--step: '" + step.part + "': " + longer.error().message());
      moved.insert_or_assign(part, std::move(*longer));
    }
  }
  PageMotion out{.begin = 0, .end = static_cast<double>(steps.size()), .tracks = {}, .intervals = {}};
  for (const auto& [part, motion] : moved) {
    const Pose& at = assembly.parts()[part].pose;
    Motion world = motion.carrying(at);
    out.tracks.push_back({part, world.placed_by(inverse(at)), std::move(world)});
  }
  return out;
}

}  // namespace snug::cli
