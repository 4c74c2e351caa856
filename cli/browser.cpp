#include "browser.hpp"

#include "errors.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace snug::cli {

namespace {

/// A program that was started, if it could be.
class Child {
 public:
  Child(const std::vector<std::string>& arguments, const std::filesystem::path& output, short flags) {
    std::vector<char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawnattr_setflags(&attributes, flags);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    if (::posix_spawn(&id_, pointers[0], &actions, &attributes, pointers.data(), environ) != 0) id_ = -1;
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }

  /// Its exit status; nothing if it runs longer than that, or when it is to be stopped.
  template <class Stop>
  [[nodiscard]] std::optional<int> wait(double seconds, Stop stop) const {
    if (id_ < 0) return 127;
    const auto begin = std::chrono::steady_clock::now();
    for (int status = 0;;) {
      const pid_t done = ::waitpid(id_, &status, WNOHANG);
      if (done == id_) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      if (done < 0 && errno != EINTR) return 127;
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
      if (elapsed.count() > seconds || stop()) return std::nullopt;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  void kill_group() const {
    int status = 0;
    ::kill(-id_, SIGKILL);
    ::waitpid(id_, &status, 0);
  }

 private:
  pid_t id_ = -1;
};

}  // namespace

std::filesystem::path find_in_path(const std::vector<std::string>& names) {
  const char* list = std::getenv("PATH");
  for (const std::string& name : names) {
    std::string_view rest = list != nullptr ? list : "";
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      const auto candidate = std::filesystem::path(rest.substr(0, end)) / name;
      if (end > 0 && ::access(candidate.c_str(), X_OK) == 0) return candidate;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return {};
}

int run_program(const std::vector<std::string>& arguments, const std::filesystem::path& output, double max_seconds,
                const CancelToken* cancel) {
  // A group of its own, so that its children end with it.
  const Child child(arguments, output, POSIX_SPAWN_SETPGROUP);
  const auto status = child.wait(max_seconds, [cancel] { return cancel != nullptr && cancel->cancelled(); });
  if (status) return *status;
  child.kill_group();
  return cancel != nullptr && cancel->cancelled() ? k_was_cancelled : k_took_too_long;
}

std::optional<int> launch_program(const std::vector<std::string>& arguments, double seconds) {
  return Child(arguments, "/dev/null", POSIX_SPAWN_SETSID).wait(seconds, [] { return false; });
}

std::string file_address(const std::filesystem::path& path) {
  constexpr std::string_view k_digits = "0123456789ABCDEF", k_plain = "-._~/";
  std::string out = "file://";
  for (const char c : std::filesystem::absolute(path).lexically_normal().string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || k_plain.find(c) != std::string_view::npos)
      out += c;
    else
      (out += '%') += {k_digits[byte >> 4], k_digits[byte & 15]};
  }
  return out;
}

TemporaryFolder::TemporaryFolder() {
  std::error_code failed;
  const auto base = std::filesystem::temp_directory_path(failed);
  std::string name = ((failed ? std::filesystem::path("/tmp") : base) / "snug-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    fail_output(name + ": cannot be created: " + std::generic_category().message(errno));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!kept_) std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TemporaryFolder::keep() {
  kept_ = true;
  return path_;
}

}  // namespace snug::cli
