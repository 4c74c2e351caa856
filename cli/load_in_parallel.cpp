#include "load_in_parallel.hpp"

#include <snug/progress.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace snug::cli {

using namespace std::chrono_literals;

struct InputFiles::File {
  std::optional<Result<OpenFile, IoError>> open;
  std::optional<Loaded> loaded;  ///< kept for the next time, with these refinements
  std::vector<FaceRefinement> refinements;
};

namespace {

/// Files stay open while a unit is chosen and while faces are refined: as many as the system allows.
void allow_many_open_files() {
  struct rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

/// One pass over all files.
class InputFiles::Loading {
 public:
  Loading(InputFiles& inputs, const FileRefinements& refinements)
      : inputs_(inputs), refinements_(refinements), tasks_(std::make_unique<Task[]>(inputs.names_.size())) {}

  std::vector<Result<Loaded, IoError>> run(const ProgressHook& progress, const CancelToken& cancel) {
    {
      std::vector<std::jthread> team;  // joins when it goes out of scope
      const std::size_t threads = std::min<std::size_t>(count(), hardware_threads());
      for (std::size_t i = 0; i < threads; ++i) team.emplace_back([this] { work(); });
      watch(progress, cancel);
    }
    if (broken_) std::rethrow_exception(broken_);
    std::vector<Result<Loaded, IoError>> results;
    results.reserve(count());
    for (std::size_t i = 0; i < count(); ++i) results.push_back(std::move(*tasks_[i].result));
    return results;
  }

 private:
  struct Task {
    CancelToken cancel;
    std::atomic<double> share{0};
    std::optional<Result<Loaded, IoError>> result;
  };

  [[nodiscard]] std::size_t count() const { return inputs_.names_.size(); }

  Result<Loaded, IoError> load(std::size_t i) {
    File& file = inputs_.files_[i];
    LoadOptions options = inputs_.options_;
    options.cad.refinements = i < refinements_.size() ? refinements_[i] : std::vector<FaceRefinement>();
    if (file.loaded && file.refinements == options.cad.refinements) return *file.loaded;
    Task& task = tasks_[i];
    options.cancel = &task.cancel;
    options.progress = [&task](double share) { task.share.store(share, std::memory_order_relaxed); };
    if (!file.open) file.open.emplace(OpenFile::open(inputs_.names_[i], options));
    if (!*file.open) return Failure{file.open->error()};
    OpenFile& open = **file.open;
    const std::optional<LengthUnit> named = options.units;
    if (has_units(open.format()) && !inputs_.unit_for_all_) options.units.reset();
    auto loaded = open.load(options);
    if (!loaded && loaded.error().code == IoError::Code::units_missing && named && !options.units) {
      options.units = named;  // its format has units, and this one names none
      loaded = open.load(options);
    }
    if (inputs_.again_ && loaded) {
      file.loaded = *loaded;
      file.refinements = std::move(options.cad.refinements);
    }
    if (!inputs_.again_ || !is_cad(open.format())) file.open.reset();
    return loaded;
  }

  void work() {
    for (std::size_t i = next_.fetch_add(1); i < count(); i = next_.fetch_add(1)) {
      try {
        tasks_[i].result.emplace(load(i));
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
    for (std::size_t i = first; i < count(); ++i) tasks_[i].cancel.cancel();
  }

  /// Until all are done: hands the user's wish to stop on to the files, and their progress to the user.
  void watch(const ProgressHook& progress, const CancelToken& cancel) {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, 20ms, [&] { return done_ == count(); })) {
      if (cancel.cancelled()) cancel_from(0);
      if (!progress) continue;
      double sum = 0;
      for (std::size_t i = 0; i < count(); ++i) sum += tasks_[i].share.load(std::memory_order_relaxed);
      progress(sum / static_cast<double>(count()));
    }
  }

  InputFiles& inputs_;
  const FileRefinements& refinements_;
  std::unique_ptr<Task[]> tasks_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t done_ = 0;
  std::exception_ptr broken_;
};

InputFiles::InputFiles(std::vector<std::string> names, LoadOptions options, bool again)
    : names_(std::move(names)),
      options_(std::move(options)),
      again_(again),
      files_(std::make_unique<File[]>(names_.size())) {
  allow_many_open_files();
  if (options_.units) open_to_choose_unit();
}

InputFiles::~InputFiles() = default;

/// The formats tell whether a file needs the unit: the first that does settles it.
void InputFiles::open_to_choose_unit() {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const auto& open = files_[i].open.emplace(OpenFile::open(names_[i], options_));
    if (!open || !has_units(open->format())) return;
  }
  unit_for_all_ = true;
}

std::vector<Result<Loaded, IoError>> InputFiles::load(const FileRefinements& refinements, const ProgressHook& progress,
                                                      const CancelToken& cancel) {
  return Loading(*this, refinements).run(progress, cancel);
}

}  // namespace snug::cli
