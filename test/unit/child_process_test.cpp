#include "support/child_process.hpp"
#include "support/descriptor.hpp"
#include "unit/fake_importer.hpp"

#include <chrono>
#include <csignal>
#include <thread>

namespace snug {
namespace {

using support::ChildEnd;
using support::ChildOptions;
using support::run_child;
using How = ChildEnd::How;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

ChildOptions shell(const std::string& script) { return {.arguments = {"/bin/sh", "-c", script}, .max_seconds = 60}; }

TEST(ChildProcess, HandsOverInputOutputWordsAndStatus) {
  const test::TempDir folder;
  const support::Descriptor input(::open(folder.write("in", "from the file").c_str(), O_RDONLY | O_CLOEXEC));
  ChildOptions options = shell("cat; echo first >&2; printf second >&2; exit 7");
  std::vector<std::string> lines;
  options.input = input.get();
  options.on_line = [&](std::string_view line) { lines.emplace_back(line); };
  const ChildEnd end = run_child(options);
  EXPECT_EQ(end.how, How::exited);
  EXPECT_EQ(end.status, 7);
  EXPECT_EQ(end.output, "from the file");
  EXPECT_EQ(lines, (std::vector<std::string>{"first", "second"}));
  EXPECT_GT(end.peak_memory_bytes, 0U);
}

TEST(ChildProcess, TellsSignalsAndProgramsThatAreNotThere) {
  ChildEnd end = run_child(shell("kill -SEGV $$"));
  EXPECT_EQ(end.how, How::signalled);
  EXPECT_EQ(end.status, SIGSEGV);
  end = run_child({.arguments = {"/nonexistent/program"}});
  EXPECT_EQ(end.how, How::not_started);
  EXPECT_EQ(end.status, ENOENT);
  EXPECT_TRUE(test::left_processes().empty());
}

TEST(ChildProcess, LongOutputComesWholeUpToItsBound) {
  ChildOptions options = shell("head -c 1000000 /dev/zero");
  options.max_output_bytes = 1000000;
  EXPECT_EQ(run_child(options).output, std::string(1000000, '\0'));
  options.max_output_bytes = 999999;
  EXPECT_EQ(run_child(options).how, How::output_too_large);
}

TEST(ChildProcess, StopsAFloodOfWordsAndCutsLongLines) {
  ChildOptions options = shell("yes xxxxxxxxxxxxxxxxxxxxxxxxxxxx | tr -d '\\n' >&2");
  std::size_t longest = 0;
  options.max_seconds = 0.3;
  options.on_line = [&](std::string_view line) { longest = std::max(longest, line.size()); };
  EXPECT_EQ(run_child(options).how, How::timed_out);
  EXPECT_EQ(longest, support::k_longest_line);
}

TEST(ChildProcess, StopsWhatHangsWithAllItStarted) {
  for (const char* script : {"sleep 1000", "trap '' TERM INT HUP; sleep 1000 & sleep 1000 & wait; sleep 1000",
                             "exec >&- 2>&-; sleep 1000"}) {
    SCOPED_TRACE(script);
    const auto start = Clock::now();
    ChildOptions options = shell(script);
    options.max_seconds = 0.2;
    EXPECT_EQ(run_child(options).how, How::timed_out);
    EXPECT_LT(seconds_since(start), 10);
    EXPECT_TRUE(test::left_processes().empty());
  }
}

TEST(ChildProcess, DoesNotWaitForWhatTheProgramLeavesBehind) {
  const test::TempDir folder;
  const auto start = Clock::now();
  const ChildEnd end = run_child(shell("sleep 1000 & echo $! > " + (folder.path() / "pid").string() + "; echo done"));
  EXPECT_EQ(end.how, How::exited);
  EXPECT_EQ(end.output, "done\n");
  EXPECT_LT(seconds_since(start), 10);
  // Killed with its group; gone, or a zombie until init looks at it.
  const pid_t left = std::stoi(test::slurp(folder.path() / "pid"));
  for (int i = 0; i < 500 && ::kill(left, 0) == 0; ++i) {
    std::ifstream stat("/proc/" + std::to_string(left) + "/stat");
    std::string text;
    std::getline(stat, text);
    if (text.find(") Z") != text.npos || text.empty()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_NE(::kill(left, 0), 0);
}

TEST(ChildProcess, StopsWhenCancelled) {
  CancelToken cancel;
  ChildOptions options = shell("sleep 1000");
  options.cancel = &cancel;
  const auto start = Clock::now();
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    cancel.cancel();
  });
  EXPECT_EQ(run_child(options).how, How::cancelled);
  EXPECT_LT(seconds_since(start), 10);
  EXPECT_TRUE(test::left_processes().empty());
}

TEST(ChildProcess, GivesNoDescriptorAndLittleEnvironment) {
  const test::TempDir folder;
  // Not closed on exec, as somebody else's library may have it.
  const support::Descriptor leaky(::open(folder.write("secret", "x").c_str(), O_RDONLY));
  ::setenv("SNUG_TEST_SECRET", "1", 1);
  const ChildEnd end = run_child(shell("ls /proc/$$/fd; env"));
  ::unsetenv("SNUG_TEST_SECRET");
  EXPECT_TRUE(end.output.starts_with("0\n1\n2\n")) << end.output;
  EXPECT_EQ(end.output.find("SECRET"), std::string::npos) << end.output;
  EXPECT_NE(end.output.find("LC_ALL=C\n"), std::string::npos) << end.output;
}

TEST(ChildProcess, ResetsSignalHandling) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  const ChildEnd end = run_child(shell("kill -PIPE $$; echo alive"));
  std::signal(SIGPIPE, before);
  EXPECT_EQ(end.how, How::signalled);
  EXPECT_EQ(end.status, SIGPIPE);
}

TEST(ChildProcess, ManyThreadsAtOnce) {
  std::vector<std::jthread> team;
  std::atomic<int> right{0};
  for (int i = 0; i < 8; ++i)
    team.emplace_back([&right, i] {
      for (int k = 0; k < 10; ++k) {
        const std::string text = std::to_string(100 * i + k);
        const ChildEnd end = run_child(shell("echo " + text));
        right += end.how == How::exited && end.status == 0 && end.output == text + '\n' ? 1 : 0;
      }
    });
  team.clear();
  EXPECT_EQ(right, 80);
  EXPECT_TRUE(test::left_processes().empty());
}

}  // namespace
}  // namespace snug
