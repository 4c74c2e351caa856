#include <snug/budget.hpp>

namespace snug {

std::string_view to_string(Undecided why) noexcept {
  switch (why) {
    case Undecided::steps:
      return "steps";
    case Undecided::deadline:
      return "deadline";
    case Undecided::cancelled:
      return "cancelled";
    case Undecided::tolerance:
      return "tolerance";
    case Undecided::invalid_input:
      return "invalid input";
    case Undecided::not_asked:
      return "not asked";
  }
  return "unknown";
}

}  // namespace snug
