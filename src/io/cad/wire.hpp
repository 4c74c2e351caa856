#pragma once

#include "support/rooms.hpp"

#include <snug/assembly.hpp>
#include <snug/mesh.hpp>
#include <snug/pose.hpp>
#include <snug/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What `snug-import` hands back: a triangulated assembly as bytes. Whoever decodes them trusts none: the program that
// wrote them may have been taken over by the file it read.

namespace snug::io {

/// A sub-assembly.
struct CadFrame {
  std::string path;
  Quaternion rotation;
  Vec3 translation;
};

/// One place of a distinct shape in the assembly tree.
struct CadInstance {
  static constexpr std::uint32_t k_top = 0xffffffffU;
  std::string path;        ///< levels separated by '/'; need not be unique
  std::uint32_t mesh = 0;  ///< into CadModel::meshes
  Quaternion rotation;
  Vec3 translation;
  std::optional<Rgba> color = std::nullopt;
  std::uint32_t frame = k_top;  ///< the sub-assembly it is in: into CadModel::frames
};

/// Something about a place in the tree, or about the file.
struct CadProblem {
  static constexpr std::uint32_t k_none = 0xffffffffU;
  std::string part;  ///< path of that place, which others may have too; empty: the file
  std::string text;
  std::uint32_t instance = k_none;  ///< the very one, if it became one; into CadModel::instances
  friend bool operator==(const CadProblem&, const CadProblem&) = default;
};

struct CadModel {
  std::string kernel;               ///< name and version of what read the file
  std::optional<LengthUnit> units;  ///< when the format has its own
  /// One per distinct shape; every surface is a CAD face, in the order of the file.
  std::vector<MeshInput> meshes;
  std::vector<CadFrame> frames = {};  ///< sub-assemblies
  std::vector<CadInstance> instances;
  std::vector<CadProblem> losses, problems;
};

/// Losses, and problems, in an answer: nobody reads more, and each takes far more memory than bytes.
inline constexpr std::size_t k_most_problems = 10'000;

/// Always the same bytes for the same model. Of more losses or problems than k_most_problems, the last says how many.
[[nodiscard]] std::string encode(const CadModel& model);
/// Accepts just what encode() writes, with every number checked: finite, in range, counts that the bytes can hold. Takes
/// memory in proportion to the bytes. The error is in words. What it accepts, Mesh::build and Pose::make accept.
[[nodiscard]] Result<CadModel, std::string> decode(std::string_view bytes);

}  // namespace snug::io
