#pragma once

#include <snug/assembly.hpp>
#include <snug/export.hpp>
#include <snug/progress.hpp>
#include <snug/verdict.hpp>

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace snug {

/// Lengths are in the assembly's unit.
struct CheckOptions {
  Tolerances tolerances = {};
  Method method = Method::surface;
  bool keep_triangles = false;  ///< fill PairReport::triangles of each finding
  unsigned threads = 1;         ///< at least 1; the report does not depend on it
  ProgressHook progress = {};
  const CancelToken* cancel = nullptr;
  Device device =
      Device::cpu;  ///< opencl: pairs of triangles by method `dop_fixed` on devices; the rest on the processor
  const Devices* devices = nullptr;  ///< those of the process if not given
};

/// What counts as touching unless asked otherwise: a micrometre, or the modelling tolerance of the CAD faces if that is more
/// (the tolerance that half of the faces that have one do not exceed, so that no single bad face widens it), but never more
/// than ten micrometres, whatever a file claims. In the assembly's unit.
[[nodiscard]] SNUG_API double default_touch_overlap(const Assembly& assembly);
/// The touch overlap that check() uses.
[[nodiscard]] SNUG_API double touch_overlap_of(const Tolerances& tolerances, const Assembly& assembly);

/// One side of a finding.
struct FindingSide {
  std::string part;                     ///< its path
  std::uint32_t id = 0;                 ///< its place in Assembly::parts()
  std::vector<std::uint32_t> surfaces;  ///< those that take part, ascending
};

/// Two parts that are not clear of one another. a's path comes before b's.
struct Finding : PairReport {
  /// Of the two paths, so that it survives changes of the geometry. Where instances share a path, their poses stand in
  /// for the numbers that the reader gave them, so that it survives the loss of other instances.
  std::string id;
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
  std::string refused;  ///< why nothing was tested: a length that is negative or not finite

  [[nodiscard]] std::uint64_t count_of(Verdict verdict) const noexcept {
    return count[static_cast<std::size_t>(verdict)];
  }
};

/// Checks every part against every other. Same report, to the last bit, for every number of threads and every order of
/// the parts (ids apart). When cancelled, the report holds what was found until then and says so. Lengths that are negative
/// or not finite are refused: every pair is undecided, and CheckReport::refused says why.
[[nodiscard]] SNUG_API CheckReport check(const Assembly& assembly, const CheckOptions& options = {});

/// A surface whose sag leaves a verdict open.
struct SurfaceInDoubt {
  std::uint32_t part = 0;     ///< the first of those that share its mesh
  std::uint32_t surface = 0;  ///< of that mesh
  double sag = 0;             ///< as it is
  friend auto operator<=>(const SurfaceInDoubt&, const SurfaceInDoubt&) = default;
};
/// The surfaces that leave findings open which are not firm, each once, ordered: those to mesh more finely. Surfaces that
/// meet exactly by their analytic forms are left out: that helps no finding.
[[nodiscard]] SNUG_API std::vector<SurfaceInDoubt> surfaces_in_doubt(const Assembly& assembly,
                                                                     const CheckReport& report);

}  // namespace snug
