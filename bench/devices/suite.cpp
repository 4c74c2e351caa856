// Work on OpenCL devices: kernel times and transfers on one device and on two, beside the processor.

#include "bench/devices/parts.hpp"
#include "bench/option_parser.hpp"
#include "bench/suites.hpp"

#include <fstream>
#include <iostream>

namespace snug::bench {

namespace {

constexpr const char* k_devices_help = R"(usage: snug-bench devices [options]

Rays of the scenes avalanche and fountain, and walks through DOP-trees of the same pairs, on one OpenCL device and on two: pieces of one
computing unit each. Times of kernels and transfers are those of the device's own clock, the least of several rounds. More devices
are simulated from the recorded work. Needs a build with Bullet and OpenCL, and a runtime.

  --bodies N       how many bodies of a scene fall (default 64, quick 16)
  --steps N        how many of its last steps are looked at (default 60, quick 12)
  --quick          fewer of both
  --json           one document, snug.bench/1
  --csv FILE       the rows of that document
  --curves FILE    times of each step, as CSV: processor, one device, two
)";

}  // namespace

int run_devices(int argc, char** argv) {
  devices::Options options;
  constexpr double k_most = 1e6;
  OptionParser parser("devices", k_devices_help);
  parser.flag("--quick", options.quick).flag("--json", options.json);
  parser.output("--csv", options.csv).output("--curves", options.curves);
  parser.number("--bodies", options.bodies, 1, k_most).number("--steps", options.steps, 1, k_most);
  parser.parse(argc, argv);
  for (const std::string* const file : {&options.csv, &options.curves})
    if (!file->empty() && !std::ofstream(*file, std::ios::app)) parser.refuse("cannot write " + *file);
  Results results;
  results.suite = "devices";
  std::vector<devices::Curve> curves;
#ifdef SNUG_BENCH_OPENCL
  if (!devices::measure(options, results, curves)) return 4;
#else
  std::cerr << "devices: built without Bullet or without OpenCL\n";
  return 4;
#endif
  if (!options.csv.empty() && !write_text(options.csv, csv_text(results))) return 5;
  if (!options.curves.empty() && !write_text(options.curves, curves_csv(curves))) return 5;
  if (options.json) {
    std::cout << json_text(results);
    return 0;
  }
  std::vector<std::vector<std::string>> table{{"scene", "what", "engine", "mean us", "answers"}};
  for (const Row& row : results.rows)
    table.push_back({row.scene, row.query, row.engine, short_number(row.mean_us), row.answers});
  std::cout << table_text(table) << '\n';
  for (const std::string& remark : results.remarks) std::cout << remark << '\n';
  for (const devices::Curve& curve : curves) std::cout << '\n' << curve_text(curve);
  std::cout << '\n' << bars_text(results.bars);
  return 0;
}

}  // namespace snug::bench
