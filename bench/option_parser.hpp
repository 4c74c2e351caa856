#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// How all suites read their arguments: each names its options once, with where they go and what they may be.

namespace snug::bench {

/// An empty list stands for everything.
[[nodiscard]] bool wants(const std::vector<std::string>& list, std::string_view name);

/// The names of things that have one, for OptionParser::names().
template <class Things>
[[nodiscard]] std::vector<std::string> names_of(const Things& things) {
  std::vector<std::string> names;
  for (const auto& thing : things) {
    if constexpr (requires { std::string(thing); })
      names.emplace_back(thing);
    else
      names.emplace_back(thing.name);
  }
  return names;
}

class OptionParser {
 public:
  /// `help` is what --help prints; it outlives the parser.
  OptionParser(std::string suite, const char* help) : suite_(std::move(suite)), help_(help) {}

  OptionParser& flag(std::string_view option, bool& to);
  /// Done where the option stands, so that what comes after it on the command line wins.
  OptionParser& flag(std::string_view option, std::function<void()> action);
  OptionParser& text(std::string_view option, std::string& to);
  /// A list with commas; every name must be among `known`, or any will do if there are none.
  OptionParser& names(std::string_view option, std::vector<std::string>& to, std::vector<std::string> known = {},
                      std::string kind = {});
  /// What stands alone, without an option; at most once.
  OptionParser& word(std::string& to);

  /// From `least` to `most`, whole if it goes into an integer; into a number or an optional one.
  template <class To>
  OptionParser& number(std::string_view option, To& to, double least, double most) {
    using Number = typename decltype(std::optional(to))::value_type;
    return taking(option, [this, option, &to, least, most](const std::string& text) {
      to = static_cast<Number>(checked(option, text, least, most, std::integral<Number>));
    });
  }

  /// Exits with 0 after --help, with 2 and words on stderr after a mistake.
  void parse(int argc, char** argv) const;
  [[noreturn]] void refuse(const std::string& message) const;

 private:
  struct Option {
    std::string_view name;
    bool takes_value;
    std::function<void(const std::string&)> take;
  };

  OptionParser& taking(std::string_view option, std::function<void(const std::string&)> take);
  [[nodiscard]] double checked(std::string_view option, const std::string& text, double least, double most,
                               bool whole) const;

  std::string suite_;
  const char* help_;
  std::vector<Option> options_;
  std::string* word_ = nullptr;
};

}  // namespace snug::bench
