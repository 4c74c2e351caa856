#include "man_page.hpp"

#include <snug/version.hpp>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace snug::cli {

namespace {

/// Text that roff prints as it stands: hyphens that can be copied, no escapes, no requests at the start of a line.
std::string roff(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\')
      out += "\\e";
    else if (text[i] == '-')
      out += "\\-";
    else if (text.compare(i, 3, "…") == 0)
      out += "...", i += 2;
    else if ((text[i] == '.' || text[i] == '\'') && (i == 0 || text[i - 1] == '\n'))
      (out += "\\&") += text[i];
    else
      out += text[i];
  }
  return out;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string page_name(const CommandDoc& doc) { return doc.commands.empty() ? "snug-" + doc.name : "snug"; }

/// Sections of a footer; see CommandDoc.
std::string man_sections(const std::string& footer) {
  std::istringstream lines(footer);
  std::string out;
  bool example = false, fresh = false;
  for (std::string line; std::getline(lines, line);) {
    const bool is_example = line.starts_with("    ");
    if (example && !is_example) out += ".fi\n.RE\n";
    if (is_example && !example) out += ".RS 4\n.nf\n";
    example = is_example;
    if (line.empty()) {
      fresh = true;
    } else if (is_example) {
      (out += roff(line.substr(4))) += '\n';
    } else if (line.ends_with(':') && !line.starts_with(' ')) {
      out += ".SH " + upper(roff(line.substr(0, line.size() - 1))) + '\n';
      fresh = false;
    } else {
      if (fresh) out += ".PP\n";
      fresh = false;
      (out += roff(line.substr(std::min(line.find_first_not_of(' '), line.size())))) += '\n';
    }
  }
  return example ? out + ".fi\n.RE\n" : out;
}

std::string entries(const std::vector<OptionDoc>& options) {
  std::string out;
  for (const OptionDoc& option : options)
    out += ".TP\n.B " + roff(option_head(option)) + '\n' + roff(option.text) + '\n';
  return out;
}

}  // namespace

std::string man_page(const CommandDoc& doc, const CommandDoc& program) {
  const std::string name = page_name(doc);
  std::string out = ".TH " + upper(roff(name)) + " 1 \"\" \"snug " + std::string(version()) + "\" \"snug\"\n";
  out += ".SH NAME\n" + roff(name) + " \\- " + roff(doc.summary) + "\n.SH SYNOPSIS\n.B " + roff(usage_line(doc)) + '\n';
  if (!doc.commands.empty()) {
    out += ".SH COMMANDS\n";
    for (const CommandDoc& command : doc.commands)
      out += ".TP\n.B " + roff(command.name) + '\n' + roff(command.summary) + ".\n";
  }
  if (!doc.arguments.empty()) out += ".SH ARGUMENTS\n" + entries(doc.arguments);
  out += ".SH OPTIONS\n" + entries(doc.options);
  out += man_sections(doc.footer);
  out += ".SH SEE ALSO\n";
  std::string others;
  for (const CommandDoc& command : program.commands)
    if (page_name(command) != name)
      others += (others.empty() ? "" : ",\n") + (".BR " + roff(page_name(command)) + " (1)");
  if (name != "snug") others = ".BR snug (1),\n" + others;
  return out + others + '\n';
}

}  // namespace snug::cli
