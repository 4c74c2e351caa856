#include "io/cad/find_importer.hpp"

#include "io/errors.hpp"
#include "io/part_paths.hpp"
#include "support/child_process.hpp"
#include "support/sha256.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <map>
#include <mutex>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

namespace snug::io {

namespace {

namespace fs = std::filesystem;

constexpr const char* k_program = "snug-import";
constexpr const char* k_packages =
    "the packages libocct-data-exchange-dev, libocct-ocaf-dev, libocct-modeling-algorithms-dev, "
    "libocct-modeling-data-dev and libocct-foundation-dev (OpenCASCADE)";

std::string advice() { return std::string("; it is built along with snug where ") + k_packages + " are installed"; }
std::string library_advice() {
  return std::string("; the libraries it takes come with ") + k_packages + ", in the version it was built with";
}

bool is_program(const fs::path& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown) && ::access(path.c_str(), X_OK) == 0;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here changes the environment
  return value == nullptr ? std::string{} : value;
}

/// The file that holds this very code: the shared library, or the program it is part of.
fs::path this_binary() {
  Dl_info info = {};
  if (::dladdr(reinterpret_cast<const void*>(&find_importer), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code unknown;
  return fs::weakly_canonical(info.dli_fname, unknown);
}

void add_places_near(const fs::path& binary, std::vector<fs::path>& places) {
  if (!binary.has_parent_path()) return;
  const fs::path folder = binary.parent_path();
  places.push_back(folder / k_program);
  // A library may lie one level deeper than a program: lib/x86_64-linux-gnu.
  for (const fs::path& base : {folder.parent_path(), folder.parent_path().parent_path()})
    places.push_back(base / "libexec" / "snug" / k_program);
}

std::vector<fs::path> places() {
  std::vector<fs::path> out;
  std::error_code unknown;
  add_places_near(fs::read_symlink("/proc/self/exe", unknown), out);
  add_places_near(this_binary(), out);
#if defined(SNUG_LIBEXEC_DIR)
  out.push_back(fs::path(SNUG_LIBEXEC_DIR) / k_program);
#endif
  const std::string path = variable("PATH");
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t stop = std::min(path.find(':', at), path.size());
    // An empty or relative entry would mean whatever folder the user happens to be in.
    if (path[at] == '/') out.push_back(fs::path(path.substr(at, stop - at)) / k_program);
    at = stop + 1;
  }
  return out;
}

std::string missing_words(const std::vector<fs::path>& looked_at) {
  std::string out = "reading CAD files takes the program snug-import, which is missing; looked for it as ";
  std::vector<std::string> told;
  for (const fs::path& place : looked_at) {
    std::string text = place.string();
    if (std::find(told.begin(), told.end(), text) != told.end()) continue;
    out += (told.empty() ? "" : ", ") + text;
    told.push_back(std::move(text));
  }
  return out + advice();
}

Result<std::string, std::string> ask_version(const fs::path& program) {
  constexpr std::size_t k_longest_words = 300;
  std::string words;
  const auto end =
      support::run_child({.arguments = {program.string(), "--version"},
                          .max_seconds = 30,
                          .max_output_bytes = 1 << 16,
                          .on_line = [&](std::string_view line) { words = line.substr(0, k_longest_words); }});
  using How = support::ChildEnd::How;
  if (end.how == How::not_started) return Failure{program.string() + " cannot be started: " + start_error(end.status)};
  const std::string line = end.output.substr(0, end.output.find('\n'));
  if (end.how == How::exited && end.status == 0 && !line.empty()) return line;
  (void)clean_name(words);
  const bool not_run = end.how == How::exited && end.status == k_exit_not_run;
  return Failure{program.string() +
                 (not_run ? " cannot run" : " does not tell its version: it is no importer, or broken") +
                 (words.empty() ? "" : "; it says: " + words) + (not_run ? library_advice() : "")};
}

/// Answers, remembered by the program and what identifies its file.
class Versions {
 public:
  Result<std::string, std::string> of(const fs::path& program, const std::string& file) {
    const std::lock_guard lock(mutex_);
    const auto known = versions_.find(program.string() + file);
    if (known != versions_.end()) return known->second;
    auto version = ask_version(program);
    if (version) versions_.emplace(program.string() + file, *version);
    return version;
  }
  void forget(const fs::path& program, const std::string& file) {
    const std::lock_guard lock(mutex_);
    versions_.erase(program.string() + file);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> versions_;
};

std::string time_text(const timespec& time) { return std::to_string(time.tv_sec) + '.' + std::to_string(time.tv_nsec); }

/// What tells the file of a program from others.
struct ProgramFile {
  std::string size_and_time;  ///< the same wherever the file is copied with its times
  std::string all;            ///< of this very file: nobody sets the time of its last change
};
ProgramFile program_file(const fs::path& program) {
  struct stat status = {};
  if (::stat(program.c_str(), &status) != 0) return {};
  ProgramFile out{' ' + std::to_string(status.st_size) + ' ' + time_text(status.st_mtim), {}};
  out.all = out.size_and_time + ' ' + std::to_string(status.st_dev) + ' ' + std::to_string(status.st_ino) + ' ' +
            time_text(status.st_ctim);
  return out;
}

support::Digest key_of_identity(const fs::path& program, const std::string& file) {
  const std::string asked = "snug importer 2 " + program.string() + file;
  support::Sha256 hash;
  hash.update(std::as_bytes(std::span(asked)));
  return hash.finish();
}

Versions& versions() {
  static Versions all;
  return all;
}

}  // namespace

std::string start_error(int error) {
  if (error == ECHILD) return "this process ignores SIGCHLD, so that no program it starts can be waited for";
  return std::generic_category().message(error);
}

Result<fs::path, std::string> find_importer(const fs::path& asked) {
  for (const auto& [path, who] : {std::pair(asked, "the options name "),
                                  std::pair(fs::path(variable("SNUG_IMPORT")), "the variable SNUG_IMPORT names ")}) {
    if (path.empty()) continue;
    std::error_code unknown;
    if (is_program(path)) return fs::absolute(path, unknown);
    return Failure{std::string(who) + path.string() +
                   " as the program that reads CAD files, and there is no such program" + advice()};
  }
  const std::vector<fs::path> candidates = places();
  for (const fs::path& place : candidates)
    if (is_program(place)) return place;
  return Failure{missing_words(candidates)};
}

Result<std::string, std::string> importer_version(const fs::path& program) {
  return versions().of(program, program_file(program).all);
}

Result<ImporterIdentity, std::string> importer_identity(const fs::path& program, const support::DiskCache& cache) {
  const ProgramFile file = program_file(program);
  if (auto kept = cache.find(key_of_identity(program, file.all)))
    return ImporterIdentity{.text = std::move(*kept), .file = file.all, .kept = true};
  auto version = versions().of(program, file.all);
  if (!version) return Failure{std::move(version).error()};
  return ImporterIdentity{.text = *version + file.size_and_time, .file = file.all};
}

void keep_importer_identity(const fs::path& program, ImporterIdentity& identity, const support::DiskCache& cache) {
  if (std::exchange(identity.kept, true)) return;
  // Unless it was replaced meanwhile.
  if (const std::string file = program_file(program).all; !file.empty() && identity.file == file)
    cache.store(key_of_identity(program, file), identity.text);
}

std::optional<std::string> why_it_cannot_run(const fs::path& program, const ImporterIdentity& identity,
                                             const support::DiskCache& cache) {
  cache.drop(key_of_identity(program, identity.file));
  versions().forget(program, identity.file);
  auto version = importer_version(program);
  if (version) return std::nullopt;
  return std::move(version).error();
}

}  // namespace snug::io
