#pragma once

#include <snug/assembly.hpp>
#include <snug/budget.hpp>
#include <snug/export.hpp>
#include <snug/io.hpp>
#include <snug/progress.hpp>
#include <snug/shape.hpp>
#include <snug/verdict.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Links held together by joints, read from URDF, and the question which of them can collide within the joints' ranges.
// Lengths are in metres, angles in radians, as in URDF.

namespace snug {

enum class JointKind : std::uint8_t { fixed, revolute, continuous, prismatic };
/// "fixed", "revolute", "continuous", "prismatic".
[[nodiscard]] SNUG_API std::string_view to_string(JointKind kind) noexcept;

/// A solid of a link: a primitive, or a mesh as it is.
struct RobotBody {
  Shape shape;
  Pose pose;         ///< in the frame of its link
  std::string file;  ///< that a mesh comes from; empty for primitives
};

struct RobotLink {
  std::string name;
  std::vector<RobotBody> bodies;                      ///< what it collides with; may be empty
  std::optional<std::uint32_t> joint = std::nullopt;  ///< that holds it; the root has none
};

/// The value of a joint that goes with another one: multiplier * value + offset.
struct MimicJoint {
  std::uint32_t joint = 0;
  double multiplier = 1, offset = 0;
};

struct RobotJoint {
  std::string name;
  JointKind kind = JointKind::fixed;
  std::uint32_t parent = 0, child = 0;  ///< links
  Pose origin;                          ///< of the child at value zero, in the frame of the parent
  Vec3 axis{1, 0, 0};                   ///< unit, in the frame of the child
  double lower = 0, upper = 0;          ///< limits; of a continuous joint: a whole turn
  std::optional<MimicJoint> mimic = std::nullopt;
};

/// Links in a tree: exactly one of them has no joint that holds it.
struct Robot {
  std::string name;
  std::vector<RobotLink> links;
  std::vector<RobotJoint> joints;
  std::vector<std::uint32_t> order;  ///< of the joints: each one behind that which holds its parent
  std::vector<Problem> problems;     ///< `part` names a link
  std::string sha256 = {};           ///< of the file that load_robot() read, hex

  [[nodiscard]] SNUG_API std::optional<std::uint32_t> find_joint(std::string_view called) const noexcept;
  [[nodiscard]] SNUG_API std::optional<std::uint32_t> find_link(std::string_view called) const noexcept;
};

struct RobotLoadOptions {
  /// Folders in which the packages of package:// lie, tried in order. Without them, and after them, the folders above the file.
  std::vector<std::filesystem::path> packages = {};
  /// Links without collision geometry get their visual geometry for it.
  bool visual = false;
  std::uint64_t max_file_bytes = std::uint64_t{64} << 20;  ///< of the robot file; meshes have LoadOptions' limit
  const CancelToken* cancel = nullptr;
};

/// Reads a URDF file: links with their collision geometry (box, cylinder, sphere, capsule, mesh), joints that are fixed,
/// revolute, continuous or prismatic, mimic joints. What merging links left behind does no harm: the same link twice, links without
/// geometry that no joint holds, fixed joints that say again what others say or join two trees. Visual geometry (unless asked for), masses, materials and what it does
/// not know are passed over. A revolute joint with limits beyond 100,000 radians has none: it is continuous. Errors name the
/// line. Floating and planar joints and files that xacro has not expanded are refused.
[[nodiscard]] SNUG_API Result<Robot, IoError> load_robot(const std::filesystem::path& path,
                                                         const RobotLoadOptions& options = {});
/// The same from memory; meshes are looked for beside `path`.
[[nodiscard]] SNUG_API Result<Robot, IoError> parse_robot(std::string_view text, const std::filesystem::path& path,
                                                          const RobotLoadOptions& options = {});

/// Why values, spans or options were refused.
struct JointError {
  enum class Code : std::uint8_t {
    wrong_count,  ///< not as many values as the robot has joints
    not_a_value,  ///< not finite, an angle beyond a million radians or a shift beyond k_max_coordinate; of a mimic, too
    no_such_joint,  ///< a span names none of the robot's joints
    named_twice,    ///< two spans name the same joint
    not_free,       ///< the joint of a span is fixed, or goes with another one
    not_in_order,   ///< the lower bound of a span is above the upper one, or one of them is no number
    bad_option,     ///< a clearance, tolerance or sag that is negative, zero where it must not be, or not finite
  } code;
  std::uint32_t joint = 0;  ///< that it is about, of codes that are about one
  std::string name = {};    ///< of that joint
  [[nodiscard]] SNUG_API std::string message() const;
};

/// Where the links are, the root at the origin, for these values of all joints. Those of mimic and fixed joints do not
/// matter. Values that are not finite, angles beyond a million radians and a wrong number of values are refused.
[[nodiscard]] SNUG_API Result<std::vector<Pose>, JointError> link_poses(const Robot& robot,
                                                                        std::span<const double> values);
/// The same into `poses`, whose memory is used again; it is left as it was if values are refused.
[[nodiscard]] SNUG_API Result<void, JointError> link_poses(const Robot& robot, std::span<const double> values,
                                                           std::vector<Pose>& poses);
/// Zero for each joint, or its limit nearest to that.
[[nodiscard]] SNUG_API std::vector<double> rest_values(const Robot& robot);

/// The robot as parts, one for each link that has bodies, in their order, at these values of the joints: for whoever
/// wants to see it. Simple solids become triangles, off by no more than `sag`.
[[nodiscard]] SNUG_API Result<Assembly, JointError> robot_assembly(const Robot& robot, std::span<const double> values,
                                                                   double sag = 1e-4);

/// A joint that takes every value between two.
struct JointSpan {
  std::uint32_t joint = 0;
  double lower = 0, upper = 0;
};

struct JointCheckOptions {
  std::vector<double> values = {};  ///< of all joints, for those that no span names; rest_values() when empty
  double clearance = 0;             ///< what comes closer than this counts like a collision
  double tolerance = 1e-5;          ///< ranges within which bodies move less than this are not divided further
  /// Steps are poses that are looked at, each pair of links counting by itself.
  Budget budget = {.steps = 200'000};
  bool adjacent = false;                                   ///< look at links that a joint holds together, too
  std::vector<std::array<std::uint32_t, 2>> ignored = {};  ///< pairs of links not to look at
  unsigned threads = 1;                                    ///< at least 1; the report does not depend on it
  ProgressHook progress = {};
};

/// Why a share of the range is undecided. A piece of the range for which several hold counts for the last of them.
struct UndecidedShares {
  double contact = 0;    ///< links come to within the tolerance of touching, and the piece is no longer divided
  double open_mesh = 0;  ///< the same where a mesh with holes is involved, or a link is within such a mesh
  double rounding = 0;   ///< links touch to rounding, or the range can not be halved any further
  double limit = 0;      ///< the steps or the time of the budget were spent
  double cancelled = 0;
  [[nodiscard]] double sum() const noexcept { return contact + open_mesh + rounding + limit + cancelled; }
  friend bool operator==(const UndecidedShares&, const UndecidedShares&) = default;
};

/// Shares of the range of all joints: of its volume, each joint counting by value.
struct JointShares {
  double free = 0;       ///< certainly further apart than the clearance, everywhere in it
  double colliding = 0;  ///< certainly not, everywhere in it
  double undecided = 0;
  double undecided_colliding = 0;  ///< of the undecided share: where the middle of the range that was left collides
  UndecidedShares why;             ///< of the undecided share
};

/// Two links that are not free of one another everywhere in the range.
struct JointFinding {
  std::uint32_t a = 0, b = 0;  ///< links; a's name comes first
  Verdict verdict =
      Verdict::clash;           ///< clash: they share a point at `example`; near: closer than the clearance; undecided
  std::vector<double> example;  ///< values of all joints
  double distance = 0;          ///< at the example; zero where they share a point
  std::optional<Point3> point;  ///< of the example: one they share, or between the closest two
  JointShares shares;
  std::vector<std::array<double, 2>> within;  ///< by span: outside of these values they are certainly free
  bool at_rest = false;  ///< no joint of the spans moves them against each other: it is so in every pose, or in none
};

/// A pair that was not looked at.
struct ExcludedLinks {
  std::uint32_t a = 0, b = 0;
  enum class Why : std::uint8_t { adjacent, rigid, ignored } why = Why::adjacent;
};
/// "adjacent", "rigid", "ignored".
[[nodiscard]] SNUG_API std::string_view to_string(ExcludedLinks::Why why) noexcept;

/// One piece into which the range was divided.
struct JointCell {
  enum class State : std::uint8_t { free, colliding, undecided } state = State::free;
  std::array<double, 2> lower{}, upper{};  ///< by span
};

struct JointReport {
  std::vector<JointFinding> findings;  ///< gravest first, then by names
  JointShares shares;
  /// The same of the pairs that joints of the spans move against each other: where links overlap at rest, all of the range
  /// collides, and this still says what moving changes. Equal to `shares` if no pair moves.
  JointShares moving_shares;
  std::vector<double> free_example;  ///< values of all joints at which every pair is free; empty if none was met
  std::vector<JointCell> cells;      ///< of one or two spans: all of it, for pictures; by the pairs of `moving_shares`
  std::vector<ExcludedLinks> excluded;
  std::vector<std::uint32_t> empty_links;  ///< without anything to collide with
  std::uint64_t pairs = 0;                 ///< of links that were looked at
  std::uint64_t pairs_at_rest = 0;         ///< those of them that no joint of the spans moves: looked at once
  std::uint64_t poses = 0;                 ///< that were looked at, each pair counting by itself
  bool limit_reached = false;              ///< steps or time of the budget: the rest of the range is undecided
  bool cancelled = false;

  [[nodiscard]] std::uint64_t count_of(Verdict verdict) const noexcept;
};

/// Can links collide while the joints take all values of their spans, in every combination? The range is divided until each
/// piece is certainly free (in its middle every pair is further apart than both can move within the piece), certainly
/// colliding (a point of one is deeper inside the other than it can move), or within the tolerance. Touching counts as
/// colliding; a body within a closed mesh or a simple solid does, too. Where the inside of a mesh ends that has holes is not
/// known: what is within it, its holes closed by cones over their rims, is undecided unless it meets its triangles.
/// Collisions at examples are decided like intersects(). Links that a joint holds together are left out unless asked for,
/// and those that no joint of the spans moves against one another are looked at once. Each pair divides the range only along
/// the spans that move it; a joint that turns by more than a turn is looked at over one. Where one pair collides, the shares of
/// others are found last, with a quarter of the poses at most. Same report for every number of
/// threads. Refused are spans whose joint is not there, is fixed or a mimic, or whose bounds are not in order or no values;
/// values of another number than there are joints; a clearance that is negative, a tolerance that is not above zero.
[[nodiscard]] SNUG_API Result<JointReport, JointError> check_joints(const Robot& robot,
                                                                    std::span<const JointSpan> spans,
                                                                    const JointCheckOptions& options = {});

}  // namespace snug
