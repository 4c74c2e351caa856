#pragma once

#include <snug/export.hpp>
#include <snug/mesh.hpp>
#include <snug/pose.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace snug {

enum class LengthUnit : std::uint8_t { micrometre, millimetre, centimetre, metre, inch, foot };
/// "um", "mm", "cm", "m", "in", "ft".
[[nodiscard]] SNUG_API std::string_view to_string(LengthUnit unit) noexcept;
[[nodiscard]] SNUG_API std::optional<LengthUnit> parse_length_unit(std::string_view text) noexcept;
[[nodiscard]] SNUG_API double metres_per(LengthUnit unit) noexcept;
/// The length in another unit: the same number for the same unit, rounded once where one unit is a whole number of the
/// other, twice between inches or feet and metric units (never off by more than a unit in the last place).
[[nodiscard]] SNUG_API double convert_length(double value, LengthUnit from, LengthUnit to) noexcept;

/// A named mesh at a pose. Instances are parts whose meshes share their data.
struct Part {
  std::string path;  ///< in the assembly tree, levels separated by '/'; unique
  Mesh mesh;
  Pose pose;
  std::optional<Rgba> color = std::nullopt;  ///< if it has one; surfaces may have their own
  /// The sub-assembly it belongs to: into Assembly::frames(), where it has to be before the part. None at the top of the
  /// tree, and where the format has no tree.
  std::optional<std::uint32_t> frame = std::nullopt;
};

/// A sub-assembly: a node of the assembly tree with parts below it.
struct Frame {
  std::string path;  ///< levels separated by '/'; others may have the same
  Pose pose;         ///< from the coordinates of the sub-assembly to those of the assembly
};

/// Something odd about a part, or about the file it came from, that did not stop it from being read.
struct Problem {
  std::string part;  ///< path, or empty when it concerns the file
  std::string text;
  friend bool operator==(const Problem&, const Problem&) = default;
};

struct AssemblyError {
  enum class Code {
    empty_path,
    duplicate_path,
    bad_pose,   ///< a part's pose is invalid
    no_part,    ///< there is no part of that id
    no_frame,   ///< a part belongs to a sub-assembly that is not there
    bad_frame,  ///< a sub-assembly's pose is invalid
  } code;
  std::string path;
  [[nodiscard]] SNUG_API std::string message() const;
};

/// Parts in one system of length. There is no default unit: nothing is guessed.
class SNUG_API Assembly {
 public:
  explicit Assembly(LengthUnit units) : units_(units) {}

  /// The part's id: its place in parts().
  Result<std::uint32_t, AssemblyError> add(Part part);
  /// The part stays where it is if this is refused.
  Result<void, AssemblyError> place(std::uint32_t id, const Pose& pose);

  /// The sub-assembly's id: its place in frames().
  Result<std::uint32_t, AssemblyError> add_frame(Frame frame);
  void add_problem(Problem problem) { problems_.push_back(std::move(problem)); }
  void add_loss(Problem loss) { losses_.push_back(std::move(loss)); }

  [[nodiscard]] LengthUnit units() const noexcept { return units_; }
  [[nodiscard]] std::span<const Part> parts() const noexcept { return parts_; }
  /// Sub-assemblies, in the order of the file, those that hold others first.
  [[nodiscard]] std::span<const Frame> frames() const noexcept { return frames_; }
  /// What was noticed while reading, in the order of the file.
  [[nodiscard]] std::span<const Problem> problems() const noexcept { return problems_; }
  /// What the file holds and the assembly lacks: parts or faces that could not be read. A check of it is incomplete.
  [[nodiscard]] std::span<const Problem> losses() const noexcept { return losses_; }
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view path) const;
  /// How many different meshes the parts share.
  [[nodiscard]] std::size_t distinct_meshes() const;

 private:
  LengthUnit units_;
  std::vector<Part> parts_;
  std::vector<Frame> frames_;
  std::vector<Problem> problems_, losses_;
  std::unordered_map<std::string, std::uint32_t> id_of_path_;
};

}  // namespace snug
