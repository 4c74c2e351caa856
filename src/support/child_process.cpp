#include "support/child_process.hpp"

#include "support/assert.hpp"
#include "support/descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <utility>

namespace snug::support {

namespace {

using How = ChildEnd::How;
using Clock = std::chrono::steady_clock;

/// Both ends close in programs that are started, and neither is one of the standard three: a caller may have closed
/// those, and then a pipe would get their numbers.
struct Pipe {
  Descriptor read_end, write_end;

  static std::optional<Pipe> make() {
    std::array<int, 2> ends;
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
    const Descriptor low_read(ends[0]), low_write(ends[1]);
    Pipe pipe{duplicate(low_read.get()), duplicate(low_write.get())};
    if (!pipe.read_end || !pipe.write_end) return std::nullopt;
    return pipe;
  }
};

/// "NAME=value" for what the program is given of the environment.
std::vector<std::string> clean_environment() {
  std::vector<std::string> out{"LANG=C", "LC_ALL=C"};
  for (const char* name : {"PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"}) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here changes the environment
    if (value != nullptr) out.push_back(std::string(name) + '=' + value);
  }
  return out;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

/// What the child needs between fork and exec; all of it is made before, because only async-signal-safe calls are
/// allowed there.
struct Plan {
  char* const* arguments;
  char* const* environment;
  int input, output, words, failure;
  pid_t parent;
};

void mark_descriptors_close_on_exec() {
#if defined(SYS_close_range)
  constexpr unsigned k_cloexec = 1U << 2;
  if (::syscall(SYS_close_range, 3U, ~0U, k_cloexec) == 0) return;
#endif
  rlimit open_files = {};
  ::getrlimit(RLIMIT_NOFILE, &open_files);
  const int last = static_cast<int>(std::min<rlim_t>(open_files.rlim_cur, 65536));
  for (int descriptor = 3; descriptor < last; ++descriptor) ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

[[noreturn]] void become(const Plan& plan) {
  ::setpgid(0, 0);
#if defined(__linux__)
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
#endif
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  for (int signal = 1; signal < 32; ++signal) ::sigaction(signal, &usual, nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);

  const bool ready = ::getppid() == plan.parent && ::dup2(plan.input, STDIN_FILENO) >= 0 &&
                     ::dup2(plan.output, STDOUT_FILENO) >= 0 && ::dup2(plan.words, STDERR_FILENO) >= 0;
  if (ready) {
    mark_descriptors_close_on_exec();
    ::execve(plan.arguments[0], plan.arguments, plan.environment);
  }
  const int error = errno;
  [[maybe_unused]] const auto written = ::write(plan.failure, &error, sizeof error);
  ::_exit(127);
}

/// Forks with all signals blocked, so that no handler of the caller's runs in the child.
pid_t start(const Plan& plan) {
  SNUG_ASSERT(plan.arguments[0] != nullptr);
  // None is one of the standard three, which the others become.
  SNUG_ASSERT(std::min({plan.input, plan.output, plan.words, plan.failure}) > STDERR_FILENO);
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t child = ::fork();
  if (child == 0) become(plan);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  // Done by both, so that the group exists for whoever comes first.
  if (child > 0) ::setpgid(child, child);
  errno = error;
  return child;
}

/// Cuts what arrives on stderr into lines.
class Lines {
 public:
  explicit Lines(const std::function<void(std::string_view)>& hook) : hook_(hook) {}

  void take(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t stop = bytes.find('\n');
      const std::string_view piece = bytes.substr(0, stop);
      line_ += piece.substr(0, k_longest_line - std::min(k_longest_line, line_.size()));
      SNUG_ASSERT(line_.size() <= k_longest_line);
      if (stop == bytes.npos) return;
      finish();
      bytes.remove_prefix(stop + 1);
    }
  }
  void finish() {
    if (!line_.empty() && hook_) hook_(line_);
    line_.clear();
  }

 private:
  const std::function<void(std::string_view)>& hook_;
  std::string line_;
};

/// A child that runs, from after exec until it is reaped.
class Running {
 public:
  Running(pid_t child, Descriptor output, Descriptor words, const ChildOptions& options)
      : child_(child),
        output_(std::move(output)),
        words_(std::move(words)),
        options_(options),
        lines_(options.on_line) {
    SNUG_ASSERT(child > 0);
  }

  ChildEnd finish() {
    const std::optional<How> stopped = watch();
    // Before it is reaped, for only until then do number and group belong to it for certain.
    ::kill(-child_, SIGKILL);
    ::kill(child_, SIGKILL);
    // What the pipes still hold is a bounded amount, even where something outside the group goes on writing.
    for (int i = 0; i < k_most_chunks_left && !stopped && drain(); ++i) {
    }
    lines_.finish();
    ChildEnd end = reap();
    end.output = std::move(bytes_);
    if (stopped)
      end.how = *stopped;
    else if (bytes_over_)
      end.how = How::output_too_large;
    return end;
  }

 private:
  /// Returns when the child has ended by itself, or with the reason to stop it.
  std::optional<How> watch() {
    const auto patience = std::chrono::duration<double>(std::clamp(options_.max_seconds, 0.0, 1e9));
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(patience);
    for (;;) {
      const bool idle = !drain(k_look_up_milliseconds);
      if (bytes_over_) return How::output_too_large;
      if (options_.cancel != nullptr && options_.cancel->cancelled()) return How::cancelled;
      if (Clock::now() >= deadline) return How::timed_out;
      if (idle && has_ended()) return std::nullopt;
    }
  }

  [[nodiscard]] bool has_ended() const {
    siginfo_t info = {};
    return ::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == child_;
  }

  /// Takes what the pipes hold, waiting for it up to `milliseconds`; false if that was nothing. Closed pipes give nothing
  /// and make no haste, except that the wait is short then: the child is about to end.
  bool drain(int milliseconds = 0) {
    const bool both_closed = !output_ && !words_;
    std::array<pollfd, 2> pipes{pollfd{output_.get(), POLLIN, 0}, pollfd{words_.get(), POLLIN, 0}};
    if (::poll(pipes.data(), pipes.size(), both_closed ? std::min(milliseconds, 1) : milliseconds) <= 0) return false;
    std::array<char, 65536> chunk;
    bool moved = false;
    if (pipes[0].revents != 0) {
      const std::size_t got = read_some(output_, chunk);
      bytes_over_ |= bytes_.size() + got > options_.max_output_bytes;
      if (!bytes_over_) bytes_.append(chunk.data(), got);
      moved |= got > 0;
    }
    if (pipes[1].revents != 0) {
      const std::size_t got = read_some(words_, chunk);
      lines_.take({chunk.data(), got});
      moved |= got > 0;
    }
    SNUG_ASSERT(bytes_.size() <= options_.max_output_bytes);
    return moved && !bytes_over_;
  }

  static std::size_t read_some(Descriptor& from, std::array<char, 65536>& chunk) {
    const ssize_t got = ::read(from.get(), chunk.data(), chunk.size());
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) from.reset();
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }

  ChildEnd reap() const {
    ChildEnd end;
    int status = 0;
    rusage usage = {};
    while (::wait4(child_, &status, 0, &usage) < 0) {
      if (errno == EINTR) continue;
      end.status = errno;  // somebody else has reaped it: a caller that ignores SIGCHLD
      return end;
    }
    end.how = WIFSIGNALED(status) ? How::signalled : How::exited;
    end.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    end.peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    return end;
  }

  static constexpr int k_look_up_milliseconds = 20, k_most_chunks_left = 64;
  pid_t child_;
  Descriptor output_, words_;
  const ChildOptions& options_;
  Lines lines_;
  std::string bytes_;
  bool bytes_over_ = false;
};

ChildEnd not_started(int error) { return {How::not_started, error, {}, 0}; }

}  // namespace

ChildEnd run_child(const ChildOptions& options) {
  std::vector<std::string> arguments = options.arguments, environment = clean_environment();
  const auto argument_pointers = pointers_to(arguments), environment_pointers = pointers_to(environment);
  const Descriptor nothing(options.input < 0 ? ::open("/dev/null", O_RDONLY | O_CLOEXEC) : -1);
  const Descriptor input = duplicate(options.input < 0 ? nothing.get() : options.input);
  auto output = Pipe::make(), words = Pipe::make(), failure = Pipe::make();
  if (!input || !output || !words || !failure) return not_started(errno);

  const pid_t child = start({argument_pointers.data(), environment_pointers.data(), input.get(),
                             output->write_end.get(), words->write_end.get(), failure->write_end.get(), ::getpid()});
  if (child < 0) return not_started(errno);
  for (Pipe* pipe : {&*output, &*words, &*failure}) pipe->write_end.reset();

  // The pipe closes by itself when the program starts.
  int error = 0;
  ssize_t got = 0;
  while ((got = ::read(failure->read_end.get(), &error, sizeof error)) < 0 && errno == EINTR) {
  }
  ChildEnd end = Running(child, std::move(output->read_end), std::move(words->read_end), options).finish();
  return got == sizeof error ? not_started(error) : end;
}

}  // namespace snug::support
