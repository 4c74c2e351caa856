#include "sandbox.hpp"

#include "system_call_filter.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <new>
#include <string_view>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SNUG_SHADOW_MEMORY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SNUG_SHADOW_MEMORY 1
#endif
#endif

#if defined(SNUG_SHADOW_MEMORY)
// The search for leaks starts a thread that attaches to this process: just what is forbidden here.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
#endif

namespace snug {

namespace {

constexpr int k_open_files = 64;

/// The list of what is in force, as one line.
class Line {
 public:
  void add(std::string_view what, bool in_force) {
    if (!text_.empty()) text_ += ", ";
    text_ += what;
    if (!in_force) text_ += " MISSING";
  }
  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

bool limit(int resource, std::uint64_t soft, std::uint64_t hard) {
  rlimit now = {};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &now) != 0) return false;
  // Never more than the limits this process was given by others.
  const rlimit wanted{std::min<rlim_t>(soft, now.rlim_max), std::min<rlim_t>(hard, now.rlim_max)};
  return ::setrlimit(static_cast<__rlimit_resource_t>(resource), &wanted) == 0;
}

/// True if what is open leads into a file: the answer, when somebody keeps it in one.
bool writes_into_file() {
  for (int descriptor = 1; descriptor < k_open_files; ++descriptor) {
    struct stat status = {};
    const int mode = ::fcntl(descriptor, F_GETFL);
    if (mode >= 0 && (mode & O_ACCMODE) != O_RDONLY && ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
      return true;
  }
  return false;
}

void set_limits(const SandboxLimits& limits, Line& line) {
#if defined(SNUG_SHADOW_MEMORY)
  line.add("memory unlimited (sanitizer)", true);
#else
  line.add("memory " + std::to_string(limits.memory_bytes) + " bytes",
           limit(RLIMIT_AS, limits.memory_bytes, limits.memory_bytes));
#endif
  // Whoever started this process watches the clock on the wall; this one holds when that process is gone.
  const auto seconds = static_cast<std::uint64_t>(std::ceil(std::clamp(limits.seconds, 1.0, 1e9)));
  line.add("processor time " + std::to_string(seconds) + " s", limit(RLIMIT_CPU, seconds, seconds + 1));
  // Where the answer goes into a file, that may grow; where it goes into a pipe, no file may by a single byte.
  const std::uint64_t file_bytes = writes_into_file() ? limits.output_bytes : 0;
  line.add("file size " + std::to_string(file_bytes) + " bytes", limit(RLIMIT_FSIZE, file_bytes, file_bytes));
  line.add("processes 0", limit(RLIMIT_NPROC, 0, 0));
  line.add("open files " + std::to_string(k_open_files), limit(RLIMIT_NOFILE, k_open_files, k_open_files));
  line.add("no core file", limit(RLIMIT_CORE, 0, 0));
}

[[noreturn]] void out_of_memory() {
  constexpr std::string_view k_line = "limit memory\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, k_line.data(), k_line.size());
  ::_exit(3);
}

}  // namespace

std::string enter_sandbox(const SandboxLimits& limits) {
  Line line;
  set_limits(limits, line);
  std::set_new_handler(out_of_memory);
  line.add("not dumpable", ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0);
  line.add("ends with its parent", ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0);
  line.add("no new privileges", ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  const FilterState filter = install_system_call_filter();
  line.add(filter.words, filter.in_force);
  return std::move(line).text();
}

}  // namespace snug
