// Work on OpenCL devices: kernel times and transfers on one device and on two, beside the processor.

#include "bench/devices/parts.hpp"
#include "bench/suites.hpp"

#include <charconv>
#include <iostream>
#include <string_view>

namespace snug::bench {

namespace {

constexpr std::string_view k_devices_help = R"(usage: snug-bench devices [options]

Rays of the scenes avalanche and fountain, and walks through DOP-trees of the same pairs, on one OpenCL device and on two: pieces of one
computing unit each. Times of kernels and transfers are those of the device's own clock, the least of several rounds. More devices
are simulated from the recorded work. Needs a build with Bullet and OpenCL, and a runtime.

  --bodies N       how many bodies of a scene fall (default 64, quick 16)
  --steps N        how many of its last steps are looked at (default 60, quick 12)
  --quick          fewer of both
  --json           one document, snug.bench/1
  --csv FILE       the rows of that document
)";

int wrong_argument(const std::string& what) {
  std::cerr << "devices: " << what << "; --help lists the options\n";
  return 2;
}

}  // namespace

int run_devices(int argc, char** argv) {
  devices::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--help" || word == "-h") {
      std::cout << k_devices_help;
      return 0;
    }
    if (word == "--quick" || word == "--json") {
      (word == "--quick" ? options.quick : options.json) = true;
      continue;
    }
    if (i + 1 == argc || (word != "--csv" && word != "--bodies" && word != "--steps"))
      return wrong_argument("unexpected argument '" + std::string(word) + '\'');
    const std::string_view value = argv[++i];
    std::uint32_t& number = word == "--bodies" ? options.bodies : options.steps;
    if (word == "--csv")
      options.csv = value;
    else if (const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
             error != std::errc{} || end != value.data() + value.size() || number == 0)
      return wrong_argument(std::string(word) + " takes a number above zero, not '" + std::string(value) + '\'');
  }
  Results results;
  results.suite = "devices";
#ifdef SNUG_BENCH_OPENCL
  if (!devices::measure(options, results)) return 4;
#else
  std::cerr << "devices: built without Bullet or without OpenCL\n";
  return 4;
#endif
  if (!options.csv.empty() && !write_text(options.csv, csv_text(results))) return 5;
  if (options.json) {
    std::cout << json_text(results);
    return 0;
  }
  std::vector<std::vector<std::string>> table{{"scene", "what", "engine", "mean us", "answers"}};
  for (const Row& row : results.rows)
    table.push_back({row.scene, row.query, row.engine, short_number(row.mean_us), row.answers});
  std::cout << table_text(table) << '\n';
  for (const std::string& remark : results.remarks) std::cout << remark << '\n';
  std::cout << '\n' << bars_text(results.bars);
  return 0;
}

}  // namespace snug::bench
