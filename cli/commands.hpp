#pragma once

#include <functional>
#include <string>

// One file per command. Each adds itself to the program: name, options and help in one place, from which parsing, --help,
// man pages and completion are all made.

namespace CLI {
class App;
}

namespace snug::cli {

inline constexpr int k_clean = 0;
inline constexpr int k_findings = 1;
inline constexpr int k_wrong_usage = 2;
inline constexpr int k_unreadable_input = 3;
inline constexpr int k_incomplete = 4;
inline constexpr int k_internal_error = 5;

/// What the chosen command will do once parsing is over; returns the exit code.
using Action = std::function<int()>;

void add_check(CLI::App& app, Action& action);
void add_move(CLI::App& app, Action& action);
void add_simulate(CLI::App& app, Action& action);
void add_chip(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_convert(CLI::App& app, Action& action);
void add_view(CLI::App& app, Action& action);
void add_demo(CLI::App& app, Action& action);
void add_importer(CLI::App& app, Action& action);
void add_devices(CLI::App& app, Action& action);
void add_scene(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);
void add_help(CLI::App& app, Action& action);
void add_version(CLI::App& app, Action& action);
/// Not shown to users: writes man pages and completion files while the program is built.
void add_manual(CLI::App& app, Action& action);

/// The section on exit codes that several commands share.
inline constexpr const char* k_exit_codes = R"(Exit status:
    0  done, and clean
    1  done, with findings at or above --fail-on (default clash; not-firm: also verdicts that are not firm)
    2  wrong usage
    3  unreadable input
    4  incomplete: undecided pairs, cancelled, or nothing to test
    5  internal error, or output that could not be written
)";

}  // namespace snug::cli
