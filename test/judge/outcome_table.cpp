#include "outcome_table.hpp"

#include <cstdio>
#include <string>

namespace snug::judge {

void print_row(std::string_view name, const Outcomes& outcomes) {
  static bool has_head = false;
  if (!has_head) std::puts("class                  |   pairs | disjoint | touching | crossing | disagreements");
  has_head = true;
  std::printf("%-22s | %7zu | %8zu | %8zu | %8zu | %zu\n", std::string(name).c_str(), outcomes.total(),
              outcomes.by_relation[0], outcomes.by_relation[1], outcomes.by_relation[2], outcomes.disagreements);
}

}  // namespace snug::judge
