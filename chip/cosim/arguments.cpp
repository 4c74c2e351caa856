#include "chip/cosim/arguments.hpp"

#include "chip_configurations.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace snug::hardware {

bool long_run() { return std::getenv("SNUG_LONG") != nullptr; }

bool read(int argc, char** argv, Arguments& arguments) {
  const auto number = [](const char* text, std::uint64_t& value) {
    const char* const end = text + std::strlen(text);
    return std::from_chars(text, end, value).ptr == end && text != end && value > 0;
  };
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    if (option == "--config") {
      for (const Configuration& c : k_configurations)
        if (std::string_view(c.name) == argv[i + 1]) arguments.configuration = &c;
      if (arguments.configuration == nullptr) return false;
    } else if (option == "--vectors" || option == "--seed") {
      if (!number(argv[i + 1], option == "--seed" ? arguments.seed : arguments.vectors)) return false;
    } else if (option == "--coverage") {
      arguments.coverage = argv[i + 1];
    } else {
      return false;
    }
  }
  return argc % 2 == 1 && arguments.configuration != nullptr;
}

int usage(const char* program) {
  std::fprintf(stderr, "usage: %s --config NAME [--vectors N] [--seed S] [--coverage FILE]\n", program);
  return 2;
}

}  // namespace snug::hardware
