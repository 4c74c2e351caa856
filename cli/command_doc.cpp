#include "command_doc.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

namespace snug::cli {

namespace {

constexpr std::size_t k_columns = 100;

std::vector<std::string> choices_of(const std::string& value) {
  std::vector<std::string> out;
  if (value.find('|') == std::string::npos) return out;
  std::istringstream words(value);
  for (std::string word; std::getline(words, word, '|');) out.push_back(word);
  return out;
}

OptionDoc describe_option(const CLI::Option& option) {
  OptionDoc doc;
  doc.text = option.get_description();
  if (option.get_positional()) {
    doc.names = {option.get_type_name()};
    doc.value = option.get_type_name();
  } else {
    for (const std::string& name : option.get_snames()) doc.names.push_back('-' + name);
    for (const std::string& name : option.get_lnames()) doc.names.push_back("--" + name);
    if (option.get_items_expected_max() > 0) doc.value = option.get_type_name();
  }
  doc.choices = choices_of(doc.value);
  return doc;
}

/// Words broken into lines of at most k_columns, each but the first indented.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::string out, word;
  std::size_t column = indent;
  while (words >> word) {
    if (column > indent && column + 1 + word.size() > k_columns) {
      (out += '\n') += std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string entry(const std::string& head, const std::string& text, std::size_t indent) {
  std::string out = "  " + head;
  if (out.size() + 2 > indent)
    (out += '\n') += std::string(indent, ' ');
  else
    out.resize(indent, ' ');
  return (out += wrapped(text, indent)) += '\n';
}

/// The footer with its paragraphs broken anew.
std::string sections(const std::string& footer) {
  std::istringstream lines(footer);
  std::string out, paragraph;
  const auto flush = [&] {
    if (!paragraph.empty()) ((out += "  ") += wrapped(paragraph, 2)) += '\n';
    paragraph.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ") && !line.starts_with("    ")) {
      (paragraph += ' ') += line;
      continue;
    }
    flush();
    (out += line) += '\n';
  }
  flush();
  return out;
}

}  // namespace

CommandDoc describe(const CLI::App& app) {
  CommandDoc doc;
  doc.name = app.get_name();
  doc.summary = app.get_description();
  doc.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? doc.arguments : doc.options).push_back(describe_option(*option));
  // --help is the parser's own and comes first; readers look for it last.
  const auto help = std::ranges::find_if(doc.options, [](const OptionDoc& o) { return o.names.back() == "--help"; });
  if (help != doc.options.end()) std::rotate(help, help + 1, doc.options.end());
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) doc.commands.push_back(describe(*command));
  return doc;
}

std::string usage_line(const CommandDoc& doc) {
  std::string out = doc.commands.empty() ? "snug " + doc.name + " [options]" : "snug <command> [options]";
  for (const OptionDoc& argument : doc.arguments) out += ' ' + argument.value + (argument.value == "FILE" ? "…" : "");
  return out;
}

std::string option_head(const OptionDoc& option) {
  std::string out;
  for (const std::string& name : option.names) (out += out.empty() ? "" : ", ") += name;
  return option.value.empty() || option.value == out ? out : out + ' ' + option.value;
}

std::string help_text(const CommandDoc& doc) {
  constexpr std::size_t k_indent = 24;
  std::string out = doc.summary + (doc.summary.ends_with('?') ? "" : ".") + "\n\nUsage:\n    " + usage_line(doc) + "\n";
  if (!doc.commands.empty()) out += "\nCommands:\n";
  for (const CommandDoc& command : doc.commands) out += entry(command.name, command.summary, k_indent);
  if (!doc.arguments.empty()) out += "\nArguments:\n";
  for (const OptionDoc& argument : doc.arguments) out += entry(option_head(argument), argument.text, k_indent);
  out += "\nOptions:\n";
  for (const OptionDoc& option : doc.options) out += entry(option_head(option), option.text, k_indent);
  if (!doc.footer.empty()) (out += '\n') += sections(doc.footer);
  return out;
}

}  // namespace snug::cli
