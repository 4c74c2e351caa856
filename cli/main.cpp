#include "commands.hpp"

#include <snug/snug.hpp>

#include <cstdio>
#include <exception>
#include <span>
#include <string_view>

namespace {

constexpr std::string_view k_usage = R"(usage: snug <command>

  demo        check a small bundled assembly and print what touches what
  --version   print the version
  --help      print this text
)";

int run(std::span<char*> arguments) {
  const std::string_view command = arguments.size() > 1 ? arguments[1] : "";
  if (command.empty()) {
    std::fputs(k_usage.data(), stderr);
    return snug::cli::k_wrong_usage;
  }
  if (arguments.size() > 2) {
    std::fprintf(stderr, "snug: unexpected argument '%s'\n", arguments[2]);
    return snug::cli::k_wrong_usage;
  }
  if (command == "--version") {
    std::printf("snug %s\n", snug::version().data());
    return snug::cli::k_clean;
  }
  if (command == "--help" || command == "-h") {
    std::fputs(k_usage.data(), stdout);
    return snug::cli::k_clean;
  }
  if (command == "demo") return snug::cli::demo();
  std::fprintf(stderr, "snug: unknown command '%s'\n\n%s", arguments[1], k_usage.data());
  return snug::cli::k_wrong_usage;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = run({argv, static_cast<std::size_t>(argc)});
    if (std::fflush(stdout) != 0) {
      std::perror("snug: cannot write");
      return snug::cli::k_internal_error;
    }
    return code;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "snug: internal error: %s\n", e.what());
    return snug::cli::k_internal_error;
  }
}
