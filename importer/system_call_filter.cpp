#include "system_call_filter.hpp"

#if defined(SNUG_HAS_SECCOMP)

#include <fcntl.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>
#include <memory>
#include <system_error>

namespace snug {

namespace {

// By name, since not every architecture has every call: those it lacks are passed over.
constexpr std::initializer_list<const char*> k_allowed{
    // memory; what could make pages executable is looked at below
    "brk", "madvise", "mincore", "mremap", "munmap", "membarrier",
    // descriptors that are open: none but the answer and the words can be written to
    "close", "close_range", "dup", "dup2", "dup3", "fadvise64", "fstat", "fstat64", "lseek", "_llseek", "poll", "ppoll",
    "pread64", "preadv", "read", "readv", "write", "writev",
    // asking about files
    "access", "faccessat", "faccessat2", "fstatat64", "fstatfs", "getcwd", "lstat", "newfstatat", "readlink",
    "readlinkat", "stat", "statfs", "statx",
    // time and chance
    "clock_getres", "clock_gettime", "clock_nanosleep", "getrandom", "gettimeofday", "nanosleep", "time", "times",
    // this process
    "exit", "exit_group", "futex", "get_robust_list", "getcpu", "getegid", "geteuid", "getgid", "getpgrp", "getpid",
    "getppid", "getrlimit", "getrusage", "gettid", "getuid", "restart_syscall", "rseq", "sched_getaffinity",
    "sched_yield", "set_robust_list", "sysinfo", "ugetrlimit", "uname",
    // signals to itself
    "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "rt_sigreturn", "rt_sigtimedwait", "sigaltstack", "sigreturn"};

/// Adds rules until one fails, and remembers with what.
class Rules {
 public:
  explicit Rules(scmp_filter_ctx context) : context_(context) {}

  void allow(const char* name, std::initializer_list<scmp_arg_cmp> conditions = {}) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call < 0 || error_ != 0) return;  // negative: not a call of this architecture
    error_ = seccomp_rule_add_array(context_, SCMP_ACT_ALLOW, call, static_cast<unsigned>(conditions.size()),
                                    conditions.begin());
    ++count_;
  }
  void answer(const char* name, int error) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call >= 0 && error_ == 0)
      error_ = seccomp_rule_add_array(context_, SCMP_ACT_ERRNO(static_cast<unsigned>(error)), call, 0, nullptr);
  }

  [[nodiscard]] int error() const { return -error_; }
  [[nodiscard]] int count() const { return count_; }

 private:
  scmp_filter_ctx context_;
  int error_ = 0, count_ = 0;
};

scmp_arg_cmp equals(unsigned argument, std::uint64_t value) { return {argument, SCMP_CMP_EQ, value, 0}; }
scmp_arg_cmp has_none_of(unsigned argument, std::uint64_t bits) { return {argument, SCMP_CMP_MASKED_EQ, bits, 0}; }

void add_rules(Rules& rules) {
  for (const char* name : k_allowed) rules.allow(name);

  // Nothing can be opened, not for reading either: files may name others, and those are none of their business.

  // Code can be neither made nor loaded any more.
  for (const char* name : {"mmap", "mmap2", "mprotect"}) rules.allow(name, {has_none_of(2, PROT_EXEC)});

  for (const int command : {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC})
    for (const char* name : {"fcntl", "fcntl64"}) rules.allow(name, {equals(1, static_cast<std::uint64_t>(command))});

  // Its own limits can be read; those of others, and setting any, are out.
  for (const std::uint64_t process : {std::uint64_t{0}, static_cast<std::uint64_t>(::getpid())})
    rules.allow("prlimit64", {equals(0, process), equals(2, 0)});

  // abort() and the like; the identity of the process can not change any more.
  for (const char* name : {"kill", "tgkill"}) rules.allow(name, {equals(0, static_cast<std::uint64_t>(::getpid()))});

  // The library of C asks for these first and is content with the older call when there seems to be none.
  for (const char* name : {"clone3"}) rules.answer(name, ENOSYS);
}

}  // namespace

FilterState install_system_call_filter() {
  const std::unique_ptr<void, void (*)(scmp_filter_ctx)> context(seccomp_init(SCMP_ACT_ERRNO(EPERM)), seccomp_release);
  const auto missing = [](int error) {
    return FilterState{false, "system call filter (" + std::generic_category().message(error) + ')'};
  };
  if (!context) return missing(ENOMEM);
  Rules rules(context.get());
  add_rules(rules);
  if (rules.error() != 0) return missing(rules.error());
  if (const int error = seccomp_load(context.get()); error != 0) return missing(-error);
  return {true, "system calls filtered (" + std::to_string(rules.count()) + " allowed)"};
}

}  // namespace snug

#else

namespace snug {

FilterState install_system_call_filter() { return {false, "system call filter (built without libseccomp)"}; }

}  // namespace snug

#endif
