#pragma once

#include "support/rooms.hpp"

#include <snug/assembly.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace snug::assembly {

/// Names of the parts of an assembly from which ids of findings are made. They outlive changes of the geometry, and parts
/// that come or go:
/// - A part whose path is its own has this path for a name, and may change its form and pose.
/// - Readers number instances that share a path in the order of the file ("bolt", "bolt#2"). Such a number says nothing of
///   the instance, since all behind a deleted one get another. Instead the pose joins the path, to a micrometre; of parts
///   that share the pose, too, but not the mesh (files without poses), also the middle of the mesh.
/// - Instances that coincide even so are numbered in the order of their paths: nothing tells them apart.
class DurableNames {
 public:
  explicit DurableNames(const Assembly& assembly);

  /// 16 hexadecimal digits, the same for (a, b) and (b, a).
  [[nodiscard]] std::string id(std::uint32_t a, std::uint32_t b) const;

 private:
  std::vector<std::string> names_;  ///< part by part
};

}  // namespace snug::assembly
