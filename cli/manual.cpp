#include "commands.hpp"
#include "completion_text.hpp"
#include "errors.hpp"
#include "man_page.hpp"
#include "options.hpp"
#include "output.hpp"

#include <filesystem>

namespace snug::cli {

namespace {

int run_manual(const std::filesystem::path& folder, const CommandDoc& program) {
  std::error_code failed;
  const auto pages = folder / "man" / "man1", scripts = folder / "completion";
  for (const auto& each : {pages, scripts}) {
    std::filesystem::create_directories(each, failed);
    if (failed) fail_output(each.string() + ": cannot be created: " + failed.message());
  }
  write_file(pages / "snug.1", man_page(program, program));
  for (const CommandDoc& command : program.commands)
    write_file(pages / ("snug-" + command.name + ".1"), man_page(command, program));
  write_file(scripts / "snug.bash", bash_completion(program));
  write_file(scripts / "_snug", zsh_completion(program));
  write_file(scripts / "snug.fish", fish_completion(program));
  return k_clean;
}

}  // namespace

void add_manual(CLI::App& app, Action& action) {
  auto folder = std::make_shared<std::string>();
  CLI::App& command = *app.add_subcommand("manual", "Write man pages and completion files into a folder")->group("");
  command.add_option("DIR", *folder, "the folder")->type_name("DIR")->required();
  command.callback([folder, &app, &action] { action = [folder, &app] { return run_manual(*folder, describe(app)); }; });
}

}  // namespace snug::cli
