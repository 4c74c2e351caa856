#include "load_in_parallel.hpp"

#include <snug/query.hpp>
#include <snug/report.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace snug::cli {

namespace {

using namespace std::chrono_literals;
using Loaded = Result<LoadedFile, IoError>;

/// One file on its way.
struct Task {
  CancelToken cancel;
  std::atomic<double> share{0};
  std::optional<Loaded> result;
  bool insist_on_units = false;  ///< the unit named must be the file's
  bool units_needed = false;     ///< the file has none of its own
};

/// What changes when a file is written to or another takes its place, here or where a link leads; its system keeps the
/// time of change, which nobody can set back. Empty if there is none.
std::vector<std::int64_t> state_of(const std::string& file) {
  std::vector<std::int64_t> out;
  for (const auto& look : {::lstat, ::stat}) {
    struct stat status = {};
    if (look(file.c_str(), &status) != 0) return {};
    for (const auto value : {static_cast<std::int64_t>(status.st_dev), static_cast<std::int64_t>(status.st_ino),
                             static_cast<std::int64_t>(status.st_size), std::int64_t{status.st_mtim.tv_sec},
                             std::int64_t{status.st_mtim.tv_nsec}, std::int64_t{status.st_ctim.tv_sec},
                             std::int64_t{status.st_ctim.tv_nsec}})
      out.push_back(value);
  }
  return out;
}

/// The hash is of what was loaded: both are read from the file, one after the other, and it must not have changed.
Loaded load_one(const std::string& file, LoadOptions options, Task& task) {
  options.cancel = &task.cancel;
  options.progress = [&task](double share) { task.share.store(share, std::memory_order_relaxed); };
  const auto before = state_of(file);
  const std::optional<LengthUnit> named = options.units;
  if (!task.insist_on_units) options.units.reset();
  std::vector<ReferencedFile> referenced;
  options.referenced = &referenced;
  auto assembly = load(file, options);
  if (!assembly && assembly.error().code == IoError::Code::units_missing && named) {
    task.units_needed = true;
    options.units = named;
    referenced.clear();
    assembly = load(file, options);
  }
  if (!assembly) return Failure{std::move(assembly).error()};
  const auto format = file_format(file);
  if (!format) return Failure{format.error()};
  auto hash = file_sha256(file, &task.cancel);
  if (!hash) return Failure{std::move(hash).error()};
  if (state_of(file) != before)
    return Failure{IoError{.code = IoError::Code::unreadable,
                           .path = file,
                           .line = {},
                           .byte = {},
                           .text = "the file changed while it was read"}};
  return LoadedFile{std::move(*assembly), std::move(*hash), *format, std::move(referenced)};
}

class Loading {
 public:
  Loading(const std::vector<std::string>& files, const LoadOptions& options, const FileRefinements& refinements)
      : files_(files), options_(options), refinements_(refinements), tasks_(std::make_unique<Task[]>(files.size())) {}

  std::vector<Loaded> run(const ProgressHook& progress, const CancelToken& cancel) {
    read_all(progress, cancel);
    if (options_.units && insist()) read_all(progress, cancel);
    std::vector<Loaded> results;
    results.reserve(files_.size());
    for (std::size_t i = 0; i < files_.size(); ++i) {
      results.push_back(std::move(*tasks_[i].result));
      // A glTF's unit may be declared: that is the file's, then.
      const bool is_declared = results.back() && results.back()->format == FileFormat::gltf && !own_units_.empty() &&
                               own_units_[i] == LengthUnit::metre;
      if (results.back() && !own_units_.empty() && !is_declared) results.back()->units = own_units_[i];
    }
    return results;
  }

 private:
  void read_all(const ProgressHook& progress, const CancelToken& cancel) {
    next_ = done_ = 0;
    {
      std::vector<std::jthread> team;  // joins when it goes out of scope
      const std::size_t threads = std::min<std::size_t>(files_.size(), hardware_threads());
      for (std::size_t i = 0; i < threads; ++i) team.emplace_back([this] { work(); });
      watch(progress, cancel);
    }
    if (broken_) std::rethrow_exception(broken_);
  }

  /// A unit that no file needed was named for those that have their own. True if there are files that have another, and
  /// that are to be read again: the library knows whether that is a contradiction.
  bool insist() {
    bool any = false;
    for (std::size_t i = 0; i < files_.size(); ++i)
      if (!*tasks_[i].result || tasks_[i].units_needed) return false;
    for (std::size_t i = 0; i < files_.size(); ++i)
      any |= tasks_[i].insist_on_units = (*tasks_[i].result)->assembly.units() != *options_.units;
    for (std::size_t i = 0; i < files_.size(); ++i) own_units_.push_back((*tasks_[i].result)->assembly.units());
    return any;
  }

  void work() {
    for (std::size_t i = next_.fetch_add(1); i < files_.size(); i = next_.fetch_add(1)) {
      if (tasks_[i].result && !tasks_[i].insist_on_units) {
        const std::lock_guard lock(mutex_);
        ++done_;
        changed_.notify_one();
        continue;
      }
      try {
        LoadOptions options = options_;
        if (i < refinements_.size()) options.cad.refinements = refinements_[i];
        tasks_[i].result = load_one(files_[i], std::move(options), tasks_[i]);
        if (!*tasks_[i].result) cancel_from(i + 1);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!broken_) broken_ = std::current_exception();
        cancel_from(0);
      }
      tasks_[i].share = 1;
      const std::lock_guard lock(mutex_);
      ++done_;
      changed_.notify_one();
    }
  }

  void cancel_from(std::size_t first) {
    for (std::size_t i = first; i < files_.size(); ++i) tasks_[i].cancel.cancel();
  }

  /// Until all are done: hands the user's wish to stop on to the files, and their progress to the user.
  void watch(const ProgressHook& progress, const CancelToken& cancel) {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, 20ms, [&] { return done_ == files_.size(); })) {
      if (cancel.cancelled()) cancel_from(0);
      if (!progress) continue;
      double sum = 0;
      for (std::size_t i = 0; i < files_.size(); ++i) sum += tasks_[i].share.load(std::memory_order_relaxed);
      progress(sum / static_cast<double>(files_.size()));
    }
  }

  const std::vector<std::string>& files_;
  const LoadOptions& options_;
  const FileRefinements& refinements_;
  std::unique_ptr<Task[]> tasks_;
  std::vector<LengthUnit> own_units_;  ///< per file, if a unit was insisted on
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t done_ = 0;
  std::exception_ptr broken_;
};

}  // namespace

std::vector<Result<LoadedFile, IoError>> load_in_parallel(const std::vector<std::string>& files,
                                                          const LoadOptions& options,
                                                          const FileRefinements& refinements,
                                                          const ProgressHook& progress, const CancelToken& cancel) {
  return Loading(files, options, refinements).run(progress, cancel);
}

}  // namespace snug::cli
