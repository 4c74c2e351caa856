#include "commands.hpp"
#include "errors.hpp"
#include "options.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <unistd.h>

namespace snug::cli {

namespace {

constexpr const char* k_bench_footer = R"(Suites:
  They live in a program of its own, snug-bench, which lies beside snug: it links the engines ours is measured against, and
  snug links none of them. All that follows the suite is handed on; 'snug bench SUITE --help' tells what a suite takes.

Examples:
    snug bench pairs --quick
    snug bench pairs --csv pairs.csv --svg pairs.svg
    snug bench pairs --scene knot60k --query all --bucket d=0.2 --engine snug,fcl

Exit status:
    0  done
    2  wrong usage
    3  snug-bench is not there
    5  internal error, or output that could not be written
)";

/// Beside the program that runs.
std::filesystem::path bench_program() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path("snug-bench") : self.parent_path() / "snug-bench";
}

[[noreturn]] void hand_over(const CLI::App& command) {
  const std::filesystem::path program = bench_program();
  std::vector<std::string> words = command.remaining();
  words.insert(words.begin(), program.string());
  if (words.size() == 1) words.emplace_back("--help");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(program.c_str(), arguments.data());
  if (errno == ENOENT)
    fail_input("the benchmarks are not installed: there is no " + program.string() +
               "\nThey are built with the option SNUG_BUILD_BENCH, by './run bench'.");
  fail_input(program.string() + " can not be started: " + std::strerror(errno));
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  CLI::App& command = *app.add_subcommand("bench", "Run a suite of benchmarks, beside other engines where installed");
  command.prefix_command();
  command.footer(k_bench_footer);
  command.callback([&command, &action] { action = [&command]() -> int { hand_over(command); }; });
}

}  // namespace snug::cli
