#pragma once

#include <snug/check.hpp>
#include <snug/chip.hpp>
#include <snug/device.hpp>
#include <snug/export.hpp>
#include <snug/io.hpp>
#include <snug/query.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snug {

/// A file that went into an assembly.
struct InputFile {
  std::string path;                                ///< as the user gave it
  std::optional<std::string> sha256;               ///< of its bytes, hex; absent where it was not read to the end
  std::optional<LengthUnit> units = std::nullopt;  ///< of its numbers, its own or the one named for it; absent likewise
  std::vector<ReferencedFile> references = {};     ///< other files that it names and that were read with it
};
[[nodiscard]] SNUG_API Result<std::string, IoError> file_sha256(const std::filesystem::path& path,
                                                                const CancelToken* cancel = nullptr);
/// Of the contents of a file that was read already, hex.
[[nodiscard]] SNUG_API std::string sha256_of(std::string_view bytes);

/// All that may differ between two documents about the same input, in one block: times and machine.
struct RunInfo {
  double seconds = 0;
  unsigned threads = 1;
};

/// How the faces of CAD files were meshed. Lengths are in the assembly's unit.
struct CadMeshing {
  double sag = 0;              ///< asked for
  double angle_degrees = 0;    ///< asked for
  bool automatic = false;      ///< faces that left verdicts open were meshed again, more finely
  unsigned rounds = 0;         ///< how often
  double limit = 0;            ///< no face is asked for a smaller sag than this
  bool limit_reached = false;  ///< verdicts are open that only a smaller sag than the limit could close
};

/// Orders of findings for a reader. Ties are broken by the paths of a and b.
enum class FindingOrder : std::uint8_t {
  depth,   ///< gravest verdict first, then the thickest overlap, then the smallest gap
  name,    ///< by the paths alone
  volume,  ///< gravest verdict first, then the largest common volume; those without one by depth, behind
};
/// "depth", "name", "volume".
[[nodiscard]] SNUG_API std::string_view to_string(FindingOrder order) noexcept;
[[nodiscard]] SNUG_API std::optional<FindingOrder> parse_finding_order(std::string_view text) noexcept;
/// A total order: the same findings come out in the same order, whatever their order was.
SNUG_API void sort_findings(std::vector<Finding>& findings, FindingOrder order);

/// What a report tells beside the findings: where they come from.
struct ReportSource {
  std::vector<InputFile> inputs;
  std::vector<std::string> placed;  ///< paths of parts whose pose the user gave
  RunInfo run;
  std::optional<CadMeshing> cad = std::nullopt;  ///< if there are CAD files among the inputs
  /// What sort_findings() was asked for, if it was; without, findings are in the order of check().
  std::optional<FindingOrder> sort = std::nullopt;
};

/// A `snug.check/1` document (docs/schema): keys sorted, numbers in their shortest form, never NaN or infinity, a newline
/// at the end. The same bytes for the same arguments, the block `run` apart.
[[nodiscard]] SNUG_API std::string check_json(const Assembly& assembly, const CheckOptions& options,
                                              const CheckReport& report, const ReportSource& source);

/// A `snug.devices/1` document.
[[nodiscard]] SNUG_API std::string devices_json(const Devices& devices);
/// The same as a table.
[[nodiscard]] SNUG_API std::string devices_text(const Devices& devices);

/// What there is to know of a part before it is checked.
struct PartInfo {
  std::string path;
  Aabb bounds;  ///< of the posed vertices that triangles use
  std::uint64_t vertices = 0, triangles = 0, surfaces = 0, shells = 0;
  bool closed = false;
  std::optional<double> volume;          ///< enclosed, of closed parts; rounded
  std::array<std::uint64_t, 7> kinds{};  ///< surfaces by SurfaceKind
  std::uint64_t recognised = 0;          ///< splines that are of an analytic kind, and count as such
  Sag sag;                               ///< the largest
  std::vector<std::string> problems;     ///< in words, with counts and first ids; empty if there are none
  /// Pairs of its own triangles that self_intersections() finds, if it was asked.
  struct SelfIntersections {
    std::uint64_t pairs = 0, crossing = 0;
    std::vector<TrianglePair> first;  ///< the first few
  };
  std::optional<SelfIntersections> self_intersections = std::nullopt;
};
struct AssemblyInfo {
  std::vector<PartInfo> parts;        ///< in the order of the assembly
  std::vector<std::string> problems;  ///< those that concern no single part
  std::vector<Problem> losses;        ///< Assembly::losses()
  bool cancelled = false;             ///< parts that were not reached are missing
};
struct DescribeOptions {
  bool self_intersections = false;  ///< look for them in every mesh
  unsigned threads = 1;             ///< for that; at least 1
};
/// Each distinct mesh is inspected once.
[[nodiscard]] SNUG_API AssemblyInfo describe(const Assembly& assembly, const ProgressHook& progress = {},
                                             const CancelToken* cancel = nullptr, const DescribeOptions& options = {});

/// A `snug.info/1` document, under the same rules.
[[nodiscard]] SNUG_API std::string info_json(const Assembly& assembly, const AssemblyInfo& info,
                                             std::span<const InputFile> inputs);

/// How text is laid out for a reader.
struct TextStyle {
  bool color = false;                        ///< verdicts in colour, by the escape sequences of terminals
  std::size_t width = 120;                   ///< columns; what does not fit is shortened, with an ellipsis
  FindingOrder order = FindingOrder::depth;  ///< of the rows of check_text()
  bool whole_problems = false;               ///< problems of the input are not shortened: files and pipes have room
};

/// The report as a table with everything needed to judge it: findings, summary, coverage, tolerances, problems of the
/// input, and what to do about each verdict. UTF-8, aligned by display columns; names can not drive the terminal.
[[nodiscard]] SNUG_API std::string check_text(const Assembly& assembly, const CheckOptions& options,
                                              const CheckReport& report, const TextStyle& style = {},
                                              const std::optional<CadMeshing>& cad = std::nullopt);
[[nodiscard]] SNUG_API std::string info_text(const Assembly& assembly, const AssemblyInfo& info,
                                             const TextStyle& style = {});

/// Where a report of the chip comes from.
struct ChipSource {
  std::vector<InputFile> inputs;
  std::string part_a, part_b;
  Pose pose_a, pose_b;
  std::vector<Problem> losses;  ///< what the files hold and could not be read
  RunInfo run;
};
/// A `snug.chip/1` document.
[[nodiscard]] SNUG_API std::string chip_json(const ChipReport& report, const ChipSource& source);
[[nodiscard]] SNUG_API std::string chip_text(const ChipReport& report, const ChipSource& source);

}  // namespace snug
