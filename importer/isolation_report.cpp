#include "sandbox.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>

namespace snug {

namespace {

/// Prints how an attempt ended. `natural` is the error that it meets when nothing forbids it; 0 when it succeeds then.
class Attempts {
 public:
  void tell(const char* what, bool succeeded, int natural = 0) {
    const int error = succeeded ? 0 : errno;
    const bool refused = error != 0 && error != natural;
    all_refused_ &= refused;
    if (refused)
      std::printf("try %s: refused (%s)\n", what, std::generic_category().message(error).c_str());
    else
      std::printf("try %s: ALLOWED\n", what);
    std::fflush(stdout);
  }
  [[nodiscard]] bool all_refused() const { return all_refused_; }

 private:
  bool all_refused_ = true;
};

constexpr const char* k_no_such_file = "/nonexistent/snug-import-isolation";

void try_reading(Attempts& attempts, const char* what, const std::string& path) {
  const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  attempts.tell(what, opened >= 0);
  if (opened >= 0) ::close(opened);
}

void try_files(Attempts& attempts) {
  try_reading(attempts, "read a file", "/etc/passwd");
  try_reading(attempts, "read the parent's environment", "/proc/" + std::to_string(::getppid()) + "/environ");
  const int opened = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  attempts.tell("open for writing", opened >= 0);
  if (opened >= 0) ::close(opened);
  attempts.tell("create a file", ::open(k_no_such_file, O_RDONLY | O_CREAT | O_CLOEXEC, 0600) >= 0, ENOENT);
  attempts.tell("unlink", ::unlink(k_no_such_file) == 0, ENOENT);
  attempts.tell("rename", ::rename(k_no_such_file, k_no_such_file) == 0, ENOENT);
  attempts.tell("mkdir", ::mkdir(k_no_such_file, 0700) == 0, ENOENT);
  attempts.tell("chmod", ::chmod(k_no_such_file, 0600) == 0, ENOENT);
  attempts.tell("truncate", ::truncate(k_no_such_file, 0) == 0, ENOENT);
}

void try_processes(Attempts& attempts) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  attempts.tell("fork", child > 0);
  if (child > 0) ::waitpid(child, nullptr, 0);
  char* const none[] = {nullptr};
  attempts.tell("exec", ::execve(k_no_such_file, none, none) == 0, ENOENT);
  // Signal 0 asks only whether one may be sent.
  attempts.tell("kill another process", ::kill(::getppid(), 0) == 0);
  // A process that does not hang on this one: the call itself is the attempt.
  attempts.tell("ptrace", ::ptrace(PTRACE_PEEKDATA, ::getpid(), nullptr, nullptr) == 0, ESRCH);
  attempts.tell("raise a limit", ::syscall(SYS_prlimit64, 0, 0, reinterpret_cast<const void*>(8), nullptr) == 0,
                EFAULT);
}

void try_network(Attempts& attempts) {
  for (const auto& [family, what] : {std::pair(AF_INET, "internet socket"), std::pair(AF_UNIX, "local socket")}) {
    const int made = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    attempts.tell(what, made >= 0);
    if (made >= 0) ::close(made);
  }
}

void try_memory(Attempts& attempts, const SandboxLimits& limits) {
  const auto map = [](std::size_t bytes, int protection) {
    void* const at = ::mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    const bool mapped = at != MAP_FAILED;
    if (mapped) ::munmap(at, bytes);
    return mapped;
  };
  attempts.tell("memory beyond the limit", map(limits.memory_bytes, PROT_READ | PROT_WRITE));
  attempts.tell("executable memory", map(4096, PROT_READ | PROT_EXEC));
}

}  // namespace

int report_isolation(const SandboxLimits& limits) {
  std::printf("in force: %s\n", enter_sandbox(limits).c_str());
  std::fflush(stdout);
  Attempts attempts;
  try_files(attempts);
  try_processes(attempts);
  try_network(attempts);
  try_memory(attempts, limits);
  return attempts.all_refused() ? 0 : 1;
}

}  // namespace snug
