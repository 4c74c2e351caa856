#pragma once

#include <span>
#include <string_view>

// The suites of snug-bench, each of them a subcommand. A new one is a function here and a line in suites.cpp.

namespace snug::bench {

int run_broad(int argc, char** argv);
int run_ccd(int argc, char** argv);
int run_contact_regions(int argc, char** argv);
int run_continuity(int argc, char** argv);
int run_deform(int argc, char** argv);
int run_depth(int argc, char** argv);
int run_devices(int argc, char** argv);
int run_figueiredo(int argc, char** argv);
int run_hard(int argc, char** argv);
int run_haptic(int argc, char** argv);
int run_haptic_paths(int argc, char** argv);
int run_io(int argc, char** argv);
int run_kitamura(int argc, char** argv);
int run_lehericey(int argc, char** argv);
int run_manifolds(int argc, char** argv);
int run_pairs(int argc, char** argv);
int run_paths(int argc, char** argv);
int run_physics(int argc, char** argv);
int run_raabe(int argc, char** argv);
int run_rays(int argc, char** argv);
int run_self(int argc, char** argv);
int run_track(int argc, char** argv);
int run_tritri(int argc, char** argv);

struct Suite {
  std::string_view name;
  std::string_view what;
  /// Gets its own name as argv[0] and returns the exit code.
  int (*run)(int argc, char** argv);
};

[[nodiscard]] std::span<const Suite> suites() noexcept;

}  // namespace snug::bench
