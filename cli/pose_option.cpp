#include "pose_option.hpp"

#include "errors.hpp"
#include "nearest.hpp"

#include <array>
#include <charconv>

namespace snug::cli {

namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  fail_usage("--pose: '" + std::string(text) + "': " + why +
             "; write it as \"part=x,y,z,qw,qx,qy,qz\", e.g. \"lid=0,0,80,1,0,0,0\"");
}

}  // namespace

PoseOption PoseOption::parse(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos) refuse(text, "there is no '='");
  if (equals == 0) refuse(text, "there is no part before the '='");
  std::array<double, 7> numbers{};
  std::string_view rest = text.substr(equals + 1);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), numbers[i]);
    if (error != std::errc{}) refuse(text, "number " + std::to_string(i + 1) + " of 7 is missing or not a number");
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (i + 1 == numbers.size()) break;
    if (!rest.starts_with(',')) refuse(text, "a comma is missing after number " + std::to_string(i + 1) + " of 7");
    rest.remove_prefix(1);
  }
  if (!rest.empty()) refuse(text, "'" + std::string(rest) + "' follows the 7 numbers");
  const auto& [x, y, z, qw, qx, qy, qz] = numbers;
  auto pose = Pose::make({qw, qx, qy, qz}, {x, y, z});
  if (!pose) refuse(text, pose.error().message());
  return {std::string(text.substr(0, equals)), *pose};
}

void PoseOption::apply(Assembly& assembly) const {
  if (const auto id = assembly.find(part)) return assembly.place(*id, pose).value();
  std::vector<std::string> paths;
  for (const Part& each : assembly.parts()) paths.push_back(each.path);
  fail_usage("--pose: there is no part '" + part + '\'' + did_you_mean(part, paths) +
             (assembly.parts().empty() ? "" : " ('snug info' lists the parts)"));
}

}  // namespace snug::cli
