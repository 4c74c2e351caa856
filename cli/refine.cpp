#include "refine.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace snug::cli {

namespace {

/// By how much the sag of a face in doubt is divided: its triangles double in each direction that it curves.
constexpr double k_finer = 4;
/// A sag this close to the limit has reached it: meshing does not hit what it is asked for.
constexpr double k_at_limit = 1.5;
constexpr unsigned k_most_rounds = 12;

/// What has been asked for so far: by file, part and surface.
class Wishes {
 public:
  /// Asks for more where something is in doubt; false if nothing can be asked for.
  bool add(const Checked& checked, double limit_metres) {
    const double metre = metres_per(checked.inputs.assembly.units());
    bool more = false;
    for (const SurfaceInDoubt& doubt : surfaces_in_doubt(checked.inputs.assembly, checked.report)) {
      const double sag = doubt.sag * metre;
      if (sag <= k_at_limit * limit_metres) continue;
      const PartOrigin& origin = checked.inputs.origins[doubt.part];
      const auto [wish, is_new] = sag_of_.try_emplace({origin.file, origin.path, doubt.surface}, sag);
      // Some faces stay coarser than they were asked to be: ask for less than before in any case.
      const double next = std::max(limit_metres, std::min(sag, wish->second) / k_finer);
      if (!is_new && next >= wish->second) continue;
      wish->second = next;
      more = true;
    }
    return more;
  }

  [[nodiscard]] FileRefinements by_file(std::size_t files) const {
    FileRefinements out(files);
    for (const auto& [face, sag] : sag_of_) {
      const auto& [file, part, surface] = face;
      out[file].push_back({part, surface, sag});
    }
    return out;
  }

 private:
  std::map<std::tuple<std::size_t, std::string, std::uint32_t>, double> sag_of_;
};

}  // namespace

std::optional<CadMeshing> refine(const CadArguments& arguments, Checked& checked,
                                 const std::function<Checked(const FileRefinements&)>& again) {
  if (!checked.inputs.has_cad) return std::nullopt;
  const CadOptions options = arguments.parse();
  const double metre = metres_per(checked.inputs.assembly.units());
  CadMeshing meshing{.sag = options.sag_metres / metre, .angle_degrees = options.angle_degrees};
  if (!arguments.automatic()) return meshing;

  meshing.automatic = true;
  meshing.limit = arguments.smallest_sag() / metre;
  Wishes wishes;
  // Faces that meet exactly stay open however fine their triangles are: there is nothing to wish for.
  while (!checked.report.cancelled && !surfaces_in_doubt(checked.inputs.assembly, checked.report).empty()) {
    meshing.limit_reached = meshing.rounds == k_most_rounds || !wishes.add(checked, arguments.smallest_sag());
    if (meshing.limit_reached) break;
    Checked finer = again(wishes.by_file(checked.inputs.files.size()));
    ++meshing.rounds;
    if (finer.inputs.cancelled || finer.report.cancelled) {
      checked.report.cancelled = true;  // what was found before stands, but it is not all that was asked for
      checked.report.coverage.complete = false;
      break;
    }
    checked = std::move(finer);
  }
  return meshing;
}

}  // namespace snug::cli
