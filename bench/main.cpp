// snug-bench SUITE [arguments]: what is measured, beside whom. A program of its own, so that snug links no peer.

#include "bench/suites.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>

namespace {

using namespace snug::bench;

std::string usage() {
  std::size_t width = 0;
  for (const Suite& suite : suites()) width = std::max(width, suite.name.size());
  std::string text = "usage: snug-bench SUITE [arguments]\n\n";
  for (const Suite& suite : suites())
    text += "  " + std::string(suite.name) + std::string(width + 2 - suite.name.size(), ' ') + std::string(suite.what) +
            '\n';
  return text + "\n'snug-bench SUITE --help' lists the arguments of a suite, 'snug-bench --list' the suites alone.\n";
}

int run(int argc, char** argv) {
  const std::string_view word = argc > 1 ? argv[1] : "";
  if (word == "--help" || word == "-h") {
    std::fputs(usage().c_str(), stdout);
    return 0;
  }
  if (word == "--list") {
    for (const Suite& suite : suites()) std::printf("%s\n", std::string(suite.name).c_str());
    return 0;
  }
  const auto suite = std::ranges::find(suites(), word, &Suite::name);
  if (suite != suites().end()) return suite->run(argc - 1, argv + 1);
  if (!word.empty()) std::fprintf(stderr, "snug-bench: there is no suite '%s'\n\n", std::string(word).c_str());
  std::fputs(usage().c_str(), stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "snug-bench: %s\n", error.what());
  }
  return 5;
}
