#include "bench/option_parser.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace snug::bench {

bool wants(const std::vector<std::string>& list, std::string_view name) {
  return list.empty() || std::ranges::find(list, name) != list.end();
}

OptionParser& OptionParser::flag(std::string_view option, bool& to) {
  return flag(option, [&to] { to = true; });
}

OptionParser& OptionParser::flag(std::string_view option, std::function<void()> action) {
  options_.push_back({option, false, [action = std::move(action)](const std::string&) { action(); }});
  return *this;
}

OptionParser& OptionParser::text(std::string_view option, std::string& to) {
  return taking(option, [&to](const std::string& text) { to = text; });
}

OptionParser& OptionParser::output(std::string_view option, std::string& to) {
  return taking(option, [this, option, &to](const std::string& text) {
    const std::filesystem::path file(text), folder = file.has_parent_path() ? file.parent_path() : ".";
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
      refuse(std::string(option) + ": there is no folder '" + folder.string() + '\'');
    if (text.empty() || std::filesystem::is_directory(file, ignored))
      refuse(std::string(option) + ": '" + text + "' is not the name of a file");
    to = text;
  });
}

OptionParser& OptionParser::names(std::string_view option, std::vector<std::string>& to, std::vector<std::string> known,
                                  std::string kind) {
  return taking(option, [this, option, &to, known = std::move(known), kind = std::move(kind)](const std::string& text) {
    to.clear();
    for (std::string_view rest = text; !rest.empty();) {
      const std::string name(rest.substr(0, rest.find(',')));
      rest.remove_prefix(std::min(rest.size(), name.size() + 1));
      if (name.empty()) continue;
      if (!known.empty() && std::ranges::find(known, name) == known.end()) {
        std::string all;
        for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
        refuse("there is no " + kind + " '" + name + "' here; there are " + all);
      }
      to.push_back(name);
    }
    // An empty list would stand for everything, which nobody means who names nothing.
    if (to.empty()) refuse(std::string(option) + ": '" + text + "' names nothing");
  });
}

OptionParser& OptionParser::word(std::string& to) {
  word_ = &to;
  return *this;
}

void OptionParser::parse(int argc, char** argv) const {
  bool has_word = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view given = argv[i];
    if (given == "--help" || given == "-h") {
      std::fputs(help_, stdout);
      std::exit(0);
    }
    const auto option = std::ranges::find(options_, given, &Option::name);
    if (option == options_.end()) {
      if (word_ == nullptr || has_word || given.starts_with('-'))
        refuse("unexpected argument '" + std::string(given) + '\'');
      *word_ = given;
      has_word = true;
    } else if (!option->takes_value) {
      option->take({});
    } else {
      if (i + 1 >= argc) refuse(std::string(given) + " needs a value");
      option->take(argv[++i]);
    }
  }
}

void OptionParser::refuse(const std::string& message) const {
  std::fprintf(stderr, "snug-bench %s: %s\nSee 'snug-bench %s --help'.\n", suite_.c_str(), message.c_str(),
               suite_.c_str());
  std::exit(2);
}

OptionParser& OptionParser::taking(std::string_view option, std::function<void(const std::string&)> take) {
  options_.push_back({option, true, std::move(take)});
  return *this;
}

double OptionParser::checked(std::string_view option, const std::string& text, double least, double most,
                             bool whole) const {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= least && value <= most) || (whole && value != std::floor(value)))
    refuse(std::string(option) + ": '" + text + "' will not do");
  return value;
}

}  // namespace snug::bench
