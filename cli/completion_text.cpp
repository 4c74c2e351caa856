#include "completion_text.hpp"

#include <algorithm>

namespace snug::cli {

namespace {

enum class Kind { flag, word, file, folder, free };

Kind kind_of(const OptionDoc& option) {
  if (option.value.empty()) return Kind::flag;
  if (!option.choices.empty()) return Kind::word;
  if (option.value == "FILE") return Kind::file;
  return option.value == "DIR" ? Kind::folder : Kind::free;
}

template <class Range>
std::string joined(const Range& words, const char* between = " ") {
  std::string out;
  for (const std::string& word : words) (out += out.empty() ? "" : between) += word;
  return out;
}

std::vector<std::string> command_names(const CommandDoc& program) {
  std::vector<std::string> out;
  for (const CommandDoc& command : program.commands) out.push_back(command.name);
  return out;
}

std::vector<std::string> option_names(const CommandDoc& command) {
  std::vector<std::string> out;
  for (const OptionDoc& option : command.options) out.insert(out.end(), option.names.begin(), option.names.end());
  return out;
}

/// For use between single quotes in any of the three shells.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) (c == '\'') ? out += "'\\''" : out += c;
  return out + '\'';
}

/// The same for fish, which knows the backslash within single quotes.
std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + '\'';
}

/// What stands between brackets and colons in a zsh specification.
std::string zsh_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string bash_reply(const OptionDoc& option) {
  switch (kind_of(option)) {
    case Kind::word:
      return "COMPREPLY=($(compgen -W " + quoted(joined(option.choices)) + " -- \"$current\"))";
    case Kind::file:
      return "COMPREPLY=($(compgen -f -- \"$current\"))";
    case Kind::folder:
      return "COMPREPLY=($(compgen -d -- \"$current\"))";
    default:
      return "COMPREPLY=()";
  }
}

std::string bash_command(const CommandDoc& command) {
  std::string out = "    " + command.name + ")\n      case $previous in\n";
  for (const OptionDoc& option : command.options)
    if (kind_of(option) != Kind::flag)
      out +=
          "        " + joined(option.names, " | ") + ")\n          " + bash_reply(option) + "\n          return ;;\n";
  out += "      esac\n      if [[ $current == -* ]]; then\n        COMPREPLY=($(compgen -W " +
         quoted(joined(option_names(command))) + " -- \"$current\"))\n";
  if (!command.arguments.empty()) out += "      else\n        " + bash_reply(command.arguments.front()) + "\n";
  return out + "      fi ;;\n";
}

std::string zsh_value(const OptionDoc& option) {
  switch (kind_of(option)) {
    case Kind::flag:
      return {};
    case Kind::word:
      return ":value:(" + joined(option.choices) + ')';
    case Kind::file:
      return ":file:_files";
    case Kind::folder:
      return ":folder:_files -/";
    case Kind::free:
      return ':' + zsh_escaped(option.value) + ": ";
  }
  return {};
}

}  // namespace

std::string bash_completion(const CommandDoc& program) {
  std::string out =
      "# bash completion for snug\n"
      "_snug() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W " +
      quoted(joined(command_names(program)) + ' ' + joined(option_names(program))) +
      " -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${COMP_WORDS[1]} in\n";
  for (const CommandDoc& command : program.commands) out += bash_command(command);
  return out + "  esac\n}\ncomplete -o filenames -F _snug snug\n";
}

std::string zsh_completion(const CommandDoc& program) {
  std::string out = "#compdef snug\n_snug() {\n  if ((CURRENT == 2)); then\n    local -a commands=(\n";
  for (const CommandDoc& command : program.commands)
    out += "      " + quoted(command.name + ':' + command.summary) + '\n';
  out +=
      "    )\n    _describe command commands\n    return\n  fi\n  local command=$words[2]\n  shift words\n"
      "  ((CURRENT--))\n  case $command in\n";
  for (const CommandDoc& command : program.commands) {
    out += "    " + command.name + ")\n      _arguments -s";
    for (const OptionDoc& option : command.options)
      for (const std::string& name : option.names) {
        const bool repeatable = option.value == "POSE";
        out += " \\\n        " +
               quoted((repeatable ? "*" : "") + name + '[' + zsh_escaped(option.text) + ']' + zsh_value(option));
      }
    for (const OptionDoc& argument : command.arguments)
      out += " \\\n        " + quoted((argument.value == "FILE" ? "*" : "1") + zsh_value(argument));
    out += " ;;\n";
  }
  return out + "  esac\n}\n_snug \"$@\"\n";
}

std::string fish_completion(const CommandDoc& program) {
  std::string out = "# fish completion for snug\n";
  for (const CommandDoc& command : program.commands)
    out += "complete -c snug -n __fish_use_subcommand -f -a " + command.name + " -d " + fish_quoted(command.summary) +
           '\n';
  for (const CommandDoc& command : program.commands) {
    const std::string within = "complete -c snug -n '__fish_seen_subcommand_from " + command.name + '\'';
    for (const OptionDoc& option : command.options) {
      out += within;
      for (const std::string& name : option.names)
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (kind_of(option) == Kind::word) out += " -x -a " + fish_quoted(joined(option.choices));
      if (kind_of(option) == Kind::file) out += " -r -F";
      if (kind_of(option) == Kind::folder) out += " -x -a '(__fish_complete_directories)'";
      if (kind_of(option) == Kind::free) out += " -x";
      out += " -d " + fish_quoted(option.text) + '\n';
    }
    for (const OptionDoc& argument : command.arguments)
      if (kind_of(argument) == Kind::word) out += within + " -f -a " + fish_quoted(joined(argument.choices)) + '\n';
  }
  return out;
}

}  // namespace snug::cli
