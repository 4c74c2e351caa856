#include "io/cad/find_importer.hpp"
#include "io/cad/run_importer.hpp"
#include "io/cad/wire.hpp"
#include "io/errors.hpp"
#include "io/part_paths.hpp"
#include "io/reader.hpp"
#include "io/step/bundle.hpp"
#include "support/assert.hpp"
#include "support/disk_cache.hpp"
#include "support/sha256.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace snug::io {

namespace {

using Code = IoError::Code;

/// Changes whenever an entry of the cache would mean something else than before.
constexpr std::string_view k_cache_version = "snug import 4";

// Where the stages of a CAD file end, as shares of its progress.
constexpr double k_copied = 0.05, k_imported = 0.9;

Result<void, IoError> check_options(const ByteSource& source, const CadOptions& cad) {
  const auto refuse = [&](const std::string& what, const std::string& found) {
    return source.fail(Code::invalid_option, "expected " + what + ", found " + found);
  };
  const auto is_positive = [](double value) { return std::isfinite(value) && value > 0; };
  if (!is_positive(cad.sag_metres)) return refuse("a sag above zero", number_text(cad.sag_metres));
  if (!(cad.angle_degrees > 0 && cad.angle_degrees < 180))
    return refuse("an angle between 0 and 180 degrees", number_text(cad.angle_degrees));
  if (!is_positive(cad.max_seconds)) return refuse("a limit of time above zero", number_text(cad.max_seconds));
  if (cad.max_memory_bytes == 0) return refuse("a limit of memory above zero", "0");
  if (cad.max_output_bytes == 0) return refuse("a limit of the answer above zero", "0");
  for (const FaceRefinement& r : cad.refinements)
    if (!is_positive(r.sag_metres)) return refuse("a sag above zero", number_text(r.sag_metres));
  return {};
}

/// One file, on its way through cache and importer.
class Import {
 public:
  Import(std::filesystem::path program, ImporterIdentity identity, Snapshot snapshot, const ByteSource& source,
         const LoadOptions& options, const support::DiskCache& cache)
      : program_(std::move(program)),
        identity_(std::move(identity)),
        snapshot_(std::move(snapshot)),
        source_(source),
        options_(options),
        cache_(cache) {}

  Result<CadModel, IoError> model(const ImportRequest& request, double low, double high) {
    const ContentHash key = key_of(request);
    if (auto kept = cache_.find(key)) {
      if (auto known = decode(*kept); known && is_whole(*known)) {
        keep_importer_identity(program_, identity_, cache_);
        return std::move(*known);
      }
      cache_.drop(key);
    }
    ::lseek(snapshot_.file.get(), 0, SEEK_SET);
    ImportRun run{.program = program_,
                  .arguments = request.arguments(),
                  .file = snapshot_.file.get(),
                  .path = source_.path(),
                  .limits = options_.cad,
                  .cancel = options_.cancel};
    if (options_.progress) run.progress = [&](double share) { options_.progress(low + (high - low) * share); };
    if (identity_.kept) run.why_it_cannot_run = [&] { return why_it_cannot_run(program_, identity_, cache_); };
    auto answer = run_importer(run);
    if (!answer) return Failure{std::move(answer).error()};
    auto fresh = decode(answer->bytes);
    if (!fresh) return source_.fail(Code::import_failed, "the importer's answer is not valid: " + fresh.error());
    if (is_whole(*fresh)) {
      cache_.store(key, answer->bytes);
      keep_importer_identity(program_, identity_, cache_);
    }
    return std::move(*fresh);
  }

 private:
  /// What was lost for want of time or memory, or to a fault of the kernel's, may be had another time.
  static bool is_whole(const CadModel& model) { return model.losses.empty(); }

  [[nodiscard]] ContentHash key_of(const ImportRequest& request) const {
    support::Sha256 hash;
    const auto add = [&](std::string_view text) {
      hash.update_u64(text.size());
      hash.update(std::as_bytes(std::span(text)));
    };
    add(k_cache_version);
    add(identity_.text);
    for (const std::string& word : request.arguments()) add(word);
    hash.update(std::as_bytes(std::span(snapshot_.hash)));
    return hash.finish();
  }

  std::filesystem::path program_;
  ImporterIdentity identity_;
  Snapshot snapshot_;
  const ByteSource& source_;
  const LoadOptions& options_;
  const support::DiskCache& cache_;
};

/// Of the file and, with STEP, of those that it names.
Result<StepBundle, IoError> snapshot_of(FileFormat format, ByteSource& source, const LoadOptions& options) {
  if (format == FileFormat::step) return bundle_step(source, options);
  auto snapshot = take_snapshot(source);
  if (!snapshot) return Failure{std::move(snapshot).error()};
  return StepBundle{.snapshot = std::move(*snapshot)};
}

/// Refinements name parts; the importer knows meshes. Which is which, the unrefined model tells.
Result<std::vector<ImportRequest::Refinement>, IoError> translated(const std::vector<FaceRefinement>& asked,
                                                                   const CadModel& model, const ByteSource& source) {
  std::unordered_map<std::string, std::uint32_t> mesh_of;
  PartPaths paths(source.stem());  // as assemble() will give them to the instances
  for (const CadInstance& instance : model.instances) mesh_of.emplace(paths.next(instance.path), instance.mesh);
  std::vector<ImportRequest::Refinement> out;
  for (const FaceRefinement& r : asked) {
    const auto found = mesh_of.find(r.part);
    if (found == mesh_of.end())
      return source.fail(Code::invalid_option, "a face of part " + quoted(std::string_view(r.part)) +
                                                   " is to be refined; there is no such part");
    if (r.surface >= model.meshes[found->second].surfaces.size())
      return source.fail(Code::invalid_option,
                         "part " + quoted(std::string_view(r.part)) + " has no face " + std::to_string(r.surface));
    out.push_back({found->second, r.surface, r.sag_metres});
  }
  // In one order and each face once, the finest that was asked for: the same wish is the same entry of the cache.
  const auto by_face = [](const auto& a, const auto& b) {
    return std::tie(a.mesh, a.face, a.sag_metres) < std::tie(b.mesh, b.face, b.sag_metres);
  };
  std::ranges::sort(out, by_face);
  const auto rest =
      std::ranges::unique(out, [](const auto& a, const auto& b) { return a.mesh == b.mesh && a.face == b.face; });
  out.erase(rest.begin(), rest.end());
  return out;
}

/// Texts of the importer's go to terminals and reports as those of a file do.
std::string cleaned(std::string text) {
  (void)clean_name(text);
  return text;
}

void add_problems(const CadModel& model, RawAssembly& raw) {
  for (const CadProblem& problem : model.problems) {
    if (problem.instance != CadProblem::k_none)
      raw.parts[problem.instance].problems.push_back(cleaned(problem.text));
    else
      raw.problems.push_back(cleaned(problem.part.empty() ? problem.text : problem.part + ": " + problem.text));
  }
  for (const CadProblem& loss : model.losses) {
    raw.losses.push_back({loss.part, cleaned(loss.text)});
    if (loss.instance != CadProblem::k_none) raw.losses.back().of_part = loss.instance;
  }
}

Result<RawAssembly, IoError> to_raw(CadModel model, const ByteSource& source) {
  RawAssembly raw;
  raw.units = model.units;
  raw.names_repeat = true;  // instances of one product mostly have its name
  constexpr auto k_unplaced = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> first_of(model.meshes.size(), k_unplaced);
  if (model.instances.size() > k_max_parts)
    return source.fail(Code::too_large, counted(model.instances.size(), "part", "parts") + ", the limit is " +
                                            std::to_string(k_max_parts));
  for (CadFrame& frame : model.frames) {
    const auto pose = Pose::make(frame.rotation, frame.translation);
    if (!pose)
      return source.fail(Code::import_failed,
                         "the importer's answer is not valid: sub-assembly " + quoted(std::string_view(frame.path)));
    raw.frames.push_back({std::move(frame.path), *pose});
  }
  for (const CadInstance& instance : model.instances) {
    const auto pose = Pose::make(instance.rotation, instance.translation);
    if (!pose || instance.mesh >= model.meshes.size())
      return source.fail(Code::import_failed,
                         "the importer's answer is not valid: part " + quoted(std::string_view(instance.path)));
    if (instance.frame != CadInstance::k_top && instance.frame >= raw.frames.size())
      return source.fail(Code::import_failed,
                         "the importer's answer is not valid: part " + quoted(std::string_view(instance.path)));
    std::uint32_t& first = first_of[instance.mesh];
    RawPart part{
        .name = instance.path, .mesh = {}, .pose = *pose, .instance_of = {}, .problems = {}, .color = instance.color};
    if (instance.frame != CadInstance::k_top) part.frame = instance.frame;
    if (first == k_unplaced) {
      first = static_cast<std::uint32_t>(raw.parts.size());
      part.mesh = std::move(model.meshes[instance.mesh]);
    } else {
      part.instance_of = first;
    }
    raw.parts.push_back(std::move(part));
  }
  SNUG_ASSERT(raw.parts.size() == model.instances.size());
  add_problems(model, raw);
  if (const auto unplaced = std::ranges::count(first_of, k_unplaced); unplaced > 0)
    raw.problems.push_back(counted(static_cast<std::uint64_t>(unplaced), "shape is", "shapes are") + " placed nowhere");
  return raw;
}

}  // namespace

Result<RawAssembly, IoError> read_cad(FileFormat format, ByteSource& source, const LoadOptions& options) {
  if (const auto fine = check_options(source, options.cad); !fine) return Failure{fine.error()};
  auto program = find_importer(options.cad.importer);
  if (!program) return source.fail(Code::no_importer, program.error());
  const support::DiskCache cache(options.cad.cache, options.cad.max_cache_bytes);
  auto identity = importer_identity(*program, cache);
  if (!identity) return source.fail(Code::no_importer, identity.error());
  // A kernel that keeps the file and makes more of it has no chance below this.
  if (source.size() > options.cad.max_memory_bytes)
    return source.fail(Code::import_limit, counted(source.size(), "byte", "bytes") +
                                               ", more than the limit of memory (max_memory_bytes, --import-memory)");
  source.set_progress_range(0, k_copied);
  auto input = snapshot_of(format, source, options);
  if (!input) return Failure{std::move(input).error()};

  Import import(std::move(*program), std::move(*identity), std::move(input->snapshot), source, options, cache);
  ImportRequest request{.format = format,
                        .unit = format == FileFormat::brep ? options.units : std::nullopt,
                        .sag_metres = options.cad.sag_metres,
                        .angle_degrees = options.cad.angle_degrees,
                        .bodies = options.cad.bodies,
                        .list_bytes = input->list_bytes};
  const bool refined = !options.cad.refinements.empty();
  const double middle = refined ? (k_copied + k_imported) / 2 : k_imported;
  auto model = import.model(request, k_copied, middle);
  if (model && refined) {
    auto refinements = translated(options.cad.refinements, *model, source);
    if (!refinements) return Failure{std::move(refinements).error()};
    SNUG_ASSERT(request.refinements.empty());
    request.refinements = std::move(*refinements);
    model = import.model(request, middle, k_imported);
  }
  if (!model) return Failure{std::move(model).error()};
  auto raw = to_raw(std::move(*model), source);
  if (raw) raw->referenced = std::move(input->referenced);
  return raw;
}

}  // namespace snug::io
