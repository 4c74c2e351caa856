#include "io/step/bundle.hpp"

#include "io/errors.hpp"
#include "io/part_paths.hpp"
#include "io/step/references.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace snug::io {

namespace {

using Code = IoError::Code;

/// Why a name cannot be that of a file in the folder or below it; empty if it can.
std::string why_refused(const std::string& name) {
  const std::filesystem::path path(name);
  if (path.is_absolute() || name.find('\\') != name.npos || name.find(':') != name.npos ||
      std::ranges::any_of(path, [](const std::filesystem::path& level) { return level == ".."; }))
    return "is not looked for: only files in the same folder are read";
  return {};
}

bool begins_as_step(ByteSource& source) {
  std::array<char, 4096> head;
  const std::size_t length = source.read(head);
  source.seek(0);
  return std::string_view(head.data(), length).find("ISO-10303-21") != std::string_view::npos;
}

class Bundling {
 public:
  Bundling(ByteSource& source, const LoadOptions& options) : source_(source), options_(options) {}

  Result<StepBundle, IoError> run() {
    if (auto done = append(source_, ""); !done) return Failure{std::move(done).error()};
    // The list grows while it is gone through: files that are named may name others.
    for (std::size_t i = 0; i < references_.names().size(); ++i) {
      // "a.step" and "./a.step" are one file.
      const std::string name = std::filesystem::path(references_.names()[i]).lexically_normal().generic_string();
      if (!seen_.insert(name).second) continue;
      if (std::string cleaned = name; clean_name(cleaned)) continue;  // no name of a file, and not fit for the list
      auto reason = add(name);
      if (!reason) return Failure{std::move(reason).error()};
      if (!reason->empty()) list_ += "-\t" + name + '\t' + *reason + '\n';
    }
    StepBundle out;
    if (!references_.names().empty()) {
      out.list_bytes = list_.size();
      if (auto done = writer_.append(list_); !done) return source_.fail(Code::too_large, done.error());
    }
    auto snapshot = writer_.finish();
    if (!snapshot) return source_.fail(Code::too_large, snapshot.error());
    out.snapshot = std::move(*snapshot);
    out.referenced = std::move(referenced_);
    return out;
  }

 private:
  /// Why it cannot be had; empty if it was added. An error is one of the machine's.
  Result<std::string, IoError> add(const std::string& name) {
    if (std::string reason = why_refused(name); !reason.empty()) return reason;
    const std::filesystem::path own(source_.path());
    const std::filesystem::path path(name);
    if (path == own.filename()) return std::string("is this file itself");
    auto file = ByteSource::open_beneath(own.parent_path(), path, (own.parent_path() / path).string(), options_);
    if (!file) {
      const IoError& error = file.error();
      if (error.code == Code::not_found) return std::string("is not in the folder");
      std::string words = "cannot be read: " + error.text;
      (void)clean_name(words);
      return words;
    }
    if (!begins_as_step(*file)) return std::string("is no STEP file");
    if (bytes_ + file->size() > options_.cad.max_memory_bytes)
      return std::string("is too large for the limit of memory (--import-memory)");
    file->restart(options_, options_.hash);
    file->set_progress_range(1, 1);
    if (auto done = append(*file, name); !done) return Failure{std::move(done).error()};
    auto hash = file->finish();
    if (!hash) return Failure{std::move(hash).error()};
    referenced_.push_back({file->path(), std::move(*hash)});
    return std::string();
  }

  Result<void, IoError> append(ByteSource& file, const std::string& name) {
    std::uint64_t bytes = 0;
    auto done = writer_.append(file, [&](std::string_view piece) { references_.take(piece), bytes += piece.size(); });
    if (!done) return Failure{std::move(done).error()};
    references_.restart();
    bytes_ += bytes;
    list_ += std::to_string(bytes) + '\t' + name + '\n';
    return {};
  }

  ByteSource& source_;
  const LoadOptions& options_;
  SnapshotWriter writer_;
  StepReferences references_;
  std::set<std::string> seen_;  ///< names that were looked for
  std::string list_;
  std::vector<ReferencedFile> referenced_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

Result<StepBundle, IoError> bundle_step(ByteSource& source, const LoadOptions& options) {
  return Bundling(source, options).run();
}

}  // namespace snug::io
