#include "command_doc.hpp"
#include "commands.hpp"
#include "errors.hpp"
#include "nearest.hpp"
#include "options.hpp"
#include "output.hpp"

#include <snug/diagnostics.hpp>
#include <snug/version.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <span>

#include <unistd.h>

namespace snug::cli {

namespace {

constexpr const char* k_main_footer = R"(Output:
  Data goes to stdout: a table, or one JSON document with --json. Words and progress go to stderr.

Examples:
    snug demo
    snug check case.stl lid.stl --units mm --clearance 0.5mm
    snug help check

)";

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CommandDoc& command : describe(app).commands) names.push_back(command.name);
  return names;
}

/// The command the arguments name, or the program itself.
const CLI::App& chosen(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : *parsed.front();
}

/// "snug check", for messages and hints.
std::string called(const CLI::App& app) {
  const CLI::App& command = chosen(app);
  return &command == &app ? "snug" : "snug " + command.get_name();
}

/// In place of the parser's words for arguments it does not know.
std::string unexpected(const CLI::App& app) {
  const auto rest = app.remaining(true);
  if (rest.empty()) return "unexpected argument";
  std::vector<std::string> names;
  for (const OptionDoc& option : describe(chosen(app)).options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  const auto found = std::ranges::find_if(rest, [](const std::string& word) { return word.starts_with('-'); });
  if (found == rest.end()) return "unexpected argument '" + rest.front() + '\'';
  const std::string name = found->substr(0, found->find('='));
  return "there is no option '" + name + '\'' + did_you_mean(name, names);
}

int refuse_arguments(const CLI::App& app, const std::string& message) {
  say(message + "\nSee '" + called(app) + " --help'.", called(app));
  return k_wrong_usage;
}

int run_main(int argc, char** argv) {
  CLI::App app("Exact collision detection: do parts touch, where and how deep?", "snug");
  Action action;
  app.set_help_flag("-h,--help", "print this text");
  app.set_version_flag("--version", "snug " + std::string(version()), "print the version");
  app.require_subcommand(1);
  add_check(app, action);
  add_move(app, action);
  add_simulate(app, action);
  add_chip(app, action);
  add_info(app, action);
  add_convert(app, action);
  add_view(app, action);
  add_demo(app, action);
  add_importer(app, action);
  add_devices(app, action);
  add_scene(app, action);
  add_bench(app, action);
  add_completion(app, action);
  add_help(app, action);
  add_version(app, action);
  add_manual(app, action);
  app.footer(std::string(k_main_footer) + k_exit_codes);

  if (argc < 2) {
    std::fputs(help_text(describe(app)).c_str(), stderr);
    return k_wrong_usage;
  }
  const std::string first = argv[1];
  const auto all = app.get_subcommands([](const CLI::App*) { return true; });
  if (!first.starts_with('-') && std::ranges::find(all, first, &CLI::App::get_name) == all.end())
    return refuse_arguments(app, "there is no command '" + first + '\'' + did_you_mean(first, command_names(app)));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    write_stdout(help_text(describe(chosen(app))));
    return k_clean;
  } catch (const CLI::CallForVersion& text) {
    write_stdout(std::string(text.what()) + '\n');
    return k_clean;
  } catch (const CLI::ExtrasError&) {
    return refuse_arguments(app, unexpected(app));
  } catch (const CLI::ParseError& error) {
    // Without a command, what stands in its place is to blame.
    return refuse_arguments(app, app.get_subcommands().empty() ? unexpected(app) : error.what());
  }
  try {
    return action();
  } catch (const Failed& failed) {
    if (failed.code() == k_wrong_usage) return refuse_arguments(app, failed.what());
    say(failed.what(), called(app));
    return failed.code();
  }
}

}  // namespace
}  // namespace snug::cli

int main(int argc, char** argv) {
  // Some programs start others with SIGCHLD ignored, and then nobody could tell how the importer ended.
  std::signal(SIGCHLD, SIG_DFL);
  // Writing to a pipe nobody reads is an error like any other; a broken contract has an exit code too.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // likewise a file that may grow no further (ulimit -f)
  std::signal(SIGABRT, [](int) { ::_exit(snug::cli::k_internal_error); });
  try {
    return snug::cli::run_main(argc, argv);
  } catch (const snug::cli::Failed& failed) {
    snug::cli::say(failed.what());
    return failed.code();
  } catch (const std::bad_alloc&) {
    std::fputs("snug: out of memory\n", stderr);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "snug: internal error: %s\n", e.what());
  }
  return snug::cli::k_internal_error;
}
