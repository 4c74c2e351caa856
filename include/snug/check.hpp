#pragma once

#include <snug/assembly.hpp>
#include <snug/export.hpp>
#include <snug/progress.hpp>
#include <snug/verdict.hpp>

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace snug {

/// Lengths are in the assembly's unit.
struct CheckOptions {
  double clearance = 0;      ///< report gaps below this as `near`
  double touch_gap = 0;      ///< gaps up to this count as touching
  double touch_overlap = 0;  ///< overlaps up to this deep count as touching
  Method method = Method::surface;
  bool keep_triangles = false;  ///< fill PairReport::triangles of each finding
  unsigned threads = 1;         ///< at least 1; the report does not depend on it
  ProgressHook progress = {};
  const CancelToken* cancel = nullptr;
  Device device =
      Device::cpu;  ///< opencl: pairs of triangles by method `dop_fixed` on devices; the rest on the processor
  const Devices* devices = nullptr;  ///< those of the process if not given
};

/// One side of a finding.
struct FindingSide {
  std::string part;                     ///< its path
  std::uint32_t id = 0;                 ///< its place in Assembly::parts()
  std::vector<std::uint32_t> surfaces;  ///< those that take part, ascending
};

/// Two parts that are not clear of one another. a's path comes before b's.
struct Finding : PairReport {
  std::string id;  ///< of the two paths alone, so that it survives changes of the geometry
  FindingSide a, b;
};

/// What was looked at: nothing is left out in silence.
struct Coverage {
  std::uint64_t parts = 0;
  std::vector<std::string> parts_skipped;  ///< paths of parts without triangles
  std::uint64_t pairs_possible = 0;
  std::uint64_t pairs_tested = 0;  ///< those whose boxes come close enough; the others are clear by their boxes
  std::uint64_t undecided = 0;
  std::uint64_t not_firm = 0;   ///< findings that finer triangles might change
  std::vector<Problem> losses;  ///< what the files hold and could not be read: Assembly::losses()
  /// Every pair was tested or excluded by its boxes, there was at least one, nothing was lost in reading, and the check was
  /// not cancelled.
  bool complete = false;
};

struct CheckReport {
  /// Gravest first, then by the paths of a and b.
  std::vector<Finding> findings;
  Coverage coverage;
  std::array<std::uint64_t, 6> count{};  ///< findings by Verdict
  double resolution = 0;                 ///< the largest of all tested pairs
  bool cancelled = false;

  [[nodiscard]] std::uint64_t count_of(Verdict verdict) const noexcept {
    return count[static_cast<std::size_t>(verdict)];
  }
};

/// Checks every part against every other. Same report, to the last bit, for every number of threads and every order of
/// the parts (ids apart). When cancelled, the report holds what was found until then and says so. Lengths that are negative
/// or not finite stop the program.
[[nodiscard]] SNUG_API CheckReport check(const Assembly& assembly, const CheckOptions& options = {});

/// A surface whose sag leaves a verdict open.
struct SurfaceInDoubt {
  std::uint32_t part = 0;     ///< the first of those that share its mesh
  std::uint32_t surface = 0;  ///< of that mesh
  double sag = 0;             ///< as it is
  friend auto operator<=>(const SurfaceInDoubt&, const SurfaceInDoubt&) = default;
};
/// The surfaces of findings that are not firm, each once, ordered: those to mesh more finely.
[[nodiscard]] SNUG_API std::vector<SurfaceInDoubt> surfaces_in_doubt(const Assembly& assembly,
                                                                     const CheckReport& report);

}  // namespace snug
