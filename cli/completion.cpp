#include "commands.hpp"
#include "completion_text.hpp"
#include "options.hpp"
#include "output.hpp"

namespace snug::cli {

namespace {

constexpr const char* k_completion_footer = R"(Examples:
    source <(snug completion bash)                                   # this session
    snug completion bash > ~/.local/share/bash-completion/completions/snug
    snug completion zsh > "${fpath[1]}/_snug"
    snug completion fish > ~/.config/fish/completions/snug.fish
)";

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  auto shell = std::make_shared<std::string>();
  CLI::App& command =
      *app.add_subcommand("completion", "Print a script that completes commands and options in a shell");
  one_of(command.add_option("SHELL", *shell, "the shell")->required(), {"bash", "zsh", "fish"});
  command.footer(k_completion_footer);
  command.callback([shell, &app, &action] {
    action = [shell, &app] {
      const CommandDoc program = describe(app);
      write_stdout(*shell == "bash"  ? bash_completion(program)
                   : *shell == "zsh" ? zsh_completion(program)
                                     : fish_completion(program));
      return k_clean;
    };
  });
}

}  // namespace snug::cli
