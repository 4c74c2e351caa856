#include "command_doc.hpp"
#include "commands.hpp"
#include "errors.hpp"
#include "nearest.hpp"
#include "options.hpp"
#include "output.hpp"

#include <snug/version.hpp>

#include <algorithm>

namespace snug::cli {

namespace {

int run_help(const CommandDoc& program, const std::string& wanted) {
  if (wanted.empty()) {
    write_stdout(help_text(program));
    return k_clean;
  }
  const auto found = std::ranges::find(program.commands, wanted, &CommandDoc::name);
  if (found == program.commands.end()) {
    std::vector<std::string> names;
    for (const CommandDoc& command : program.commands) names.push_back(command.name);
    fail_usage("there is no command '" + wanted + '\'' + did_you_mean(wanted, names));
  }
  write_stdout(help_text(*found));
  return k_clean;
}

}  // namespace

void add_help(CLI::App& app, Action& action) {
  auto wanted = std::make_shared<std::string>();
  CLI::App& command = *app.add_subcommand("help", "Tell how to use a command");
  command.add_option("COMMAND", *wanted, "the command; without one, all are listed")->type_name("COMMAND");
  command.callback([wanted, &app, &action] { action = [wanted, &app] { return run_help(describe(app), *wanted); }; });
}

void add_version(CLI::App& app, Action& action) {
  CLI::App& command = *app.add_subcommand("version", "Print the version");
  command.callback([&action] {
    action = [] {
      write_stdout("snug " + std::string(version()) + '\n');
      return k_clean;
    };
  });
}

}  // namespace snug::cli
