#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace snug::cli {

struct OptionDoc {
  std::vector<std::string> names;    ///< "-o", "--output"; of an argument: its name
  std::string value;                 ///< "FILE", "near|touch"; empty for flags
  std::vector<std::string> choices;  ///< the words it takes, if they are known
  std::string text;
};

/// What the parser knows of a command, from which --help, man pages and completion are all written.
struct CommandDoc {
  std::string name;     ///< "check"
  std::string summary;  ///< one line
  std::vector<OptionDoc> arguments, options;
  std::vector<CommandDoc> commands;
  /// Sections: a heading that ends in ':', then paragraphs indented by two and examples indented by four blanks.
  std::string footer;
};
[[nodiscard]] CommandDoc describe(const CLI::App& app);

/// "snug check [options] FILE…".
[[nodiscard]] std::string usage_line(const CommandDoc& doc);
/// "-o, --output FILE".
[[nodiscard]] std::string option_head(const OptionDoc& option);
[[nodiscard]] std::string help_text(const CommandDoc& doc);

}  // namespace snug::cli
