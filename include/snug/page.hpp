#pragma once

#include <snug/check.hpp>
#include <snug/export.hpp>
#include <snug/io.hpp>
#include <snug/motion.hpp>
#include <snug/report.hpp>
#include <snug/robot.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snug {

/// How a part moves: poses relative to the part's pose in the assembly and in its frame, as in `snug.motion/1`.
struct PageTrack {
  std::uint32_t part = 0;  ///< its place in Assembly::parts()
  Motion motion;
  std::optional<Motion> world = std::nullopt;  ///< the same in the assembly's frame, where it was given in that
};

/// How a part's vertices move in its own frame, which a track or a playback may move at the same time.
struct PageDeformation {
  std::uint32_t part = 0;
  VertexMotion motion;  ///< as many vertices as the part's mesh has; others are not shown
};

/// A time during which two parts meet while they move. A pair may have any number of them, those of touching (verdict
/// touch) beside those of interference: the page tells them apart, and lists all those of a pair as one finding.
struct PageInterval {
  std::uint32_t a = 0, b = 0;  ///< parts
  Verdict verdict = Verdict::clash;
  double begin = 0, end = 0;
  std::string what;      ///< in a few words; may be empty
  bool sampled = false;  ///< seen at single instants, so that begin and end are known to within `sampling` only
  std::optional<double> depth =
      std::nullopt;  ///< of the deepest contact, where contacts were found; 0: they only touch
};

/// What is known of two parts that meet while they move beside when: all of it optional, and for pairs with intervals or
/// a smallest gap only.
struct PageMeeting {
  std::uint32_t a = 0, b = 0;  ///< parts, in the order of their intervals
  std::string id = {};         ///< of the finding, for links; empty: of the places of the two parts
  struct Bounds {
    double lower = 0, upper = 0;
  };
  std::optional<Bounds> first_contact = std::nullopt;  ///< not before and not after these times
  struct Gap {
    double value = 0, t = 0;
  };
  std::optional<Gap> smallest_gap = std::nullopt;
  /// Surfaces of a and of b that meet in an interval of their own.
  struct Surfaces {
    std::uint32_t a = 0, b = 0;
    double begin = 0, end = 0;
  };
  std::vector<Surfaces> surface_pairs = {};
  bool firm = true;  ///< false: finer triangles might change the verdict
};

/// What was looked at along the whole motion: without it, intervals are those that somebody knows of, and no interval
/// means nothing.
struct PageMotionCoverage {
  std::uint64_t parts = 0, pairs = 0;
  bool complete = false;  ///< nothing was left out
};

/// A point in which two parts meet at an instant, in the world.
struct PageContact {
  std::uint32_t frame = 0;  ///< of PagePlayback::times
  std::uint32_t a = 0, b = 0;
  Point3 point;
  Vec3 normal;       ///< out of a; zero where it is not known
  double depth = 0;  ///< negative: a gap
};

/// What was computed step by step: poses of bodies and where they met. What a simulation leaves behind.
struct PagePlayback {
  std::vector<double> times;          ///< rising
  std::vector<std::uint32_t> parts;   ///< those that have poses; all others rest
  std::vector<Pose> poses;            ///< in the world: times.size() rows of parts.size()
  std::vector<PageContact> contacts;  ///< by rising frame
};

struct PageMotion {
  double begin = 0, end = 0;  ///< seconds
  std::vector<PageTrack> tracks;
  std::vector<PageInterval> intervals;
  double sampling = 0;  ///< time between the instants of sampled intervals
  std::optional<PagePlayback> playback = std::nullopt;
  std::vector<PageDeformation> deformations = {};  ///< at most one for each part
  std::vector<PageMeeting> meetings = {};          ///< at most one for each pair
  std::optional<PageMotionCoverage> coverage = std::nullopt;
};

/// Links and joints, so that a page can pose them: its motion is then told by values of joints rather than by poses.
struct PageRobot {
  const Robot* robot = nullptr;                                 ///< referred to
  std::vector<std::optional<std::uint32_t>> part_of_link = {};  ///< none of links without bodies
  std::vector<JointSpan> spans = {};                            ///< what was looked at
  std::vector<std::vector<double>> instants = {};               ///< of all joints, at the times of the playback
  std::vector<JointCell> cells = {};                            ///< of one span or two: shown as a map
  /// Two parts that are not free of one another everywhere in the range.
  struct Pair {
    std::uint32_t a = 0, b = 0;  ///< parts
    JointShares shares;
    std::optional<std::uint32_t> instant = std::nullopt;  ///< at which there is an example
  };
  std::vector<Pair> pairs = {};
};

/// A finding of which the page is to draw more than its report says: where triangles cross, where the gap is.
struct PagePair {
  std::uint32_t finding = 0;  ///< its place in the report
  std::uint32_t a = 0, b = 0;
  Verdict verdict = Verdict::clash;
};
[[nodiscard]] SNUG_API std::vector<PagePair> page_pairs(const CheckReport& report);

/// What a page shows. Texts and assembly are referred to.
struct PageInput {
  const Assembly& assembly;
  std::string_view title;
  std::string_view report = {};  ///< a `snug.check/1` document, or empty: the assembly alone
  std::vector<PagePair> pairs = {};
  std::optional<PageMotion> motion = std::nullopt;
  std::vector<std::string> remarks = {};  ///< told to the reader beside the findings
  std::optional<PageRobot> robot = std::nullopt;
};

/// Writes one HTML file that needs nothing else: the assembly in a few bytes per triangle, the report word for word, and
/// the viewer. It asks no server for anything and runs no text of the input as a program. Through a temporary file, like
/// save(); progress and cancel of the options count, the rest does not.
[[nodiscard]] SNUG_API Result<void, IoError> save_page(const PageInput& input, const std::filesystem::path& path,
                                                       const SaveOptions& options = {});

/// What a report says of where it comes from, for whoever wants to show it again.
struct ReportOrigin {
  std::vector<InputFile> inputs;
  LengthUnit units = LengthUnit::millimetre;
  struct Placed {
    std::string part;
    Pose pose;
  };
  std::vector<Placed> placed;
  std::optional<CadMeshing> cad;
  struct Pair {
    std::string a, b;
    Verdict verdict = Verdict::clash;
  };
  std::vector<Pair> findings;  ///< in its order
};
/// Reads a `snug.check/1` document; `path` is for messages. What it does not know it passes over.
[[nodiscard]] SNUG_API Result<ReportOrigin, IoError> read_report_origin(std::string_view text, const std::string& path);

/// The `schema` that a JSON document names, if it is one and names any.
[[nodiscard]] SNUG_API std::optional<std::string> document_schema(std::string_view text);

/// Reads a `snug.motion/1` document. Tracks of parts that the assembly lacks are an error. A track of a sub-assembly comes back as one
/// for each part below it, all moving as one body.
[[nodiscard]] SNUG_API Result<PageMotion, IoError> read_motion(std::string_view text, const std::string& path,
                                                               const Assembly& assembly);

}  // namespace snug
