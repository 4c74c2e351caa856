#pragma once

#include "assembly/robot/urdf_values.hpp"
#include "support/rooms.hpp"

#include <snug/robot.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace snug::robot {

/// Reads the collision geometry of links. A mesh that several links use in the same size is loaded once.
class UrdfBodies {
 public:
  UrdfBodies(const UrdfValues& values, const std::filesystem::path& file, const RobotLoadOptions& options)
      : values_(values), folder_(file.parent_path()), options_(options) {}

  /// Of one <collision> or <visual>.
  Result<RobotBody, IoError> body(const io::XmlElement& collision);
  /// True for a sphere or box without any size, which some files have where a link must have geometry and has none.
  [[nodiscard]] bool is_nothing(const io::XmlElement& collision) const;
  /// About where meshes were found.
  [[nodiscard]] const std::vector<std::string>& remarks() const noexcept { return remarks_; }

 private:
  Result<RobotBody, IoError> mesh(const io::XmlElement& element);
  Result<std::filesystem::path, IoError> find(const io::XmlElement& element, const std::string& address);

  const UrdfValues& values_;
  std::filesystem::path folder_;
  const RobotLoadOptions& options_;
  std::map<std::pair<std::string, Vec3>, Shape> shapes_;
  std::vector<std::string> remarks_;
};

}  // namespace snug::robot
