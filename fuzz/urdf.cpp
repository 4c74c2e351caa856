// Any bytes as URDF: what is read has links in a tree that can be posed.
#include "bytes.hpp"

#include <snug/robot.hpp>

#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto robot = snug::parse_robot(text, "/nonexistent/robot.urdf");
  if (!robot) {
    FUZZ_CHECK(!robot.error().text.empty() && robot.error().text.size() < 2000 && robot.error().line);
    return 0;
  }
  FUZZ_CHECK(robot->order.size() == robot->joints.size() && robot->links.size() == robot->joints.size() + 1);
  const auto poses = link_poses(*robot, rest_values(*robot));
  FUZZ_CHECK(poses && poses->size() == robot->links.size());
  return 0;
}
