// The chip beside software on this machine (WSCG Fig. 8).

#include "bench/pairs/answers.hpp"
#include "bench/pairs/clock.hpp"
#include "bench/raabe/run.hpp"
#include "shape/trees.hpp"

#include <snug/chip.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace snug::bench::raabe {

namespace {

/// Clock of this processor by a chain of dependent additions, one a clock; bytes a second by reading what no cache holds.
struct Machine {
  double hz = 0, bytes_per_s = 0;

  Machine() {
    for (int round = 0; round < 5; ++round) {
      std::uint64_t x = 1;
      const double start = pairs::thread_cpu_us();
      constexpr int k_steps = 20'000'000;
      for (int i = 0; i < k_steps; ++i) {
        x += static_cast<std::uint64_t>(i);
        __asm__ volatile("" : "+r"(x));
      }
      hz = std::max(hz, k_steps / (1e-6 * (pairs::thread_cpu_us() - start)));
    }
    std::vector<std::uint64_t> large((std::size_t{256} << 20) / 8, 1);
    for (int round = 0; round < 3; ++round) {
      const double start = pairs::thread_cpu_us();
      volatile std::uint64_t sum = std::accumulate(large.begin(), large.end(), std::uint64_t{0});
      (void)sum;
      bytes_per_s =
          std::max(bytes_per_s, 8.0 * static_cast<double>(large.size()) / (1e-6 * (pairs::thread_cpu_us() - start)));
    }
  }
};

/// An engine at some poses.
struct Measured {
  std::string name;
  double us = 0;  ///< mean
  std::uint64_t pairs = 0;
  pairs::Hash hash;

  void add(double microseconds, const std::vector<TrianglePair>& found) {
    us += microseconds;
    pairs += found.size();
    for (const TrianglePair& pair : found) hash.add(std::uint64_t{pair.a} << 32 | pair.b);
  }
};

Measured on_chip(const std::string& configuration, const Shape& shape, const std::vector<pairs::PosePair>& poses) {
  Measured measured{.name = "chip " + configuration, .hash = {}};
  Scratch scratch;
  for (const pairs::PosePair& pose : poses) {
    const ChipReport report =
        chip_pairs(shape, pose.a, shape, pose.b, scratch, {.configuration = configuration}).value();
    if (!report.fell_back.empty()) std::fprintf(stderr, "the chip could not do it: %s\n", report.fell_back.c_str());
    measured.add(1e6 * report.seconds(), report.pairs);
  }
  measured.us /= static_cast<double>(poses.size());
  return measured;
}

/// Processor time, the least of five rounds.
Measured in_software(const std::string& name, const QueryOptions& options, const Shape& shape,
                     const std::vector<pairs::PosePair>& poses) {
  Measured measured{.name = name, .hash = {}};
  Scratch scratch;
  std::vector<TrianglePair> found;
  for (const pairs::PosePair& pose : poses) {
    double least = 1e30;
    for (int round = 0; round < 5; ++round) {
      const double start = pairs::thread_cpu_us();
      triangle_pairs(shape, pose.a, shape, pose.b, scratch, found, options);
      least = std::min(least, pairs::thread_cpu_us() - start);
    }
    measured.add(least, found);
  }
  measured.us /= static_cast<double>(poses.size());
  return measured;
}

}  // namespace

void chip_software(Run& run) {
  constexpr double k_hz = 1e8, k_bytes_per_s = 16 * k_hz;  // of the chip: a beat in every clock
  const Machine machine;
  const Scene scene = headlight();
  const Shape shape(scene.mesh);
  (void)detail::Access::data(shape).get<bvh::DopTree>();
  QueryOptions narrow{.method = Method::dop_fixed};
  narrow.dop.axes = 24;
  QueryOptions wide = narrow;
  wide.dop.coefficient_bits = wide.dop.mapping_bits = wide.dop.offset_bits = 34;
  std::vector<std::vector<std::string>> rows{{"distance / reach", "chip w18 us", "chip w35", "dop_fixed w18, 24 axes",
                                              "dop_fixed w35", "surface", "chip over dop_fixed, w18", "w35"}};
  double log_sum[2] = {0, 0};
  int counted = 0;
  for (const double distance : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2}) {
    const auto poses = random_poses(scene, distance, run.either(8, 2), 29);
    const Measured all[] = {on_chip("w18", shape, poses), on_chip("w35", shape, poses),
                            in_software("dop_fixed w18", narrow, shape, poses),
                            in_software("dop_fixed w35", wide, shape, poses), in_software("surface", {}, shape, poses)};
    char bucket[32];
    std::snprintf(bucket, sizeof bucket, "d=%.1f", distance);
    // Words of the same width on both sides. Where roots are told apart at once, nothing but the call is measured.
    const double times[2] = {all[2].us / all[0].us, all[3].us / all[1].us};
    if (all[1].us > 10) {
      ++counted;
      for (int i = 0; i < 2; ++i) log_sum[i] += std::log(times[i]);
    }
    rows.push_back({bucket, short_number(all[0].us), short_number(all[1].us), short_number(all[2].us),
                    short_number(all[3].us), short_number(all[4].us), short_number(times[0]), short_number(times[1])});
    for (const Measured& one : all) {
      run.count("chip-fig8", one.name, bucket, one.us);
      char hash[24];
      std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(one.hash.value()));
      run.results.rows.push_back(
          {run.results.suite, scene.name, bucket, "all", one.name, 1, one.us, one.us, std::to_string(one.pairs), hash});
      if (one.hash.value() != all[0].hash.value())
        run.results.remarks.push_back(std::string(bucket) + ": " + one.name + " differs from " + all[0].name);
    }
  }
  run.table("WSCG Fig. 8: chip and software, microseconds; the right columns tell how many times as fast the chip is",
            rows);
  char line[480];
  std::snprintf(
      line, sizeof line,
      "This processor: %.2f GHz, %.1f GB/s read by one core. Chip over software of the same words, where more "
      "than the roots is looked at, geometric means:\n",
      1e-9 * machine.hz, 1e-9 * machine.bytes_per_s);
  run.text += line;
  for (int i = 0; i < 2; ++i) {
    const double mean = std::exp(log_sum[i] / std::max(counted, 1));
    std::snprintf(line, sizeof line, "  W = %d: %.3f; at the same clock %.1f; at the same bandwidth %.2f\n",
                  i == 0 ? 18 : 35, mean, mean * machine.hz / k_hz, mean * machine.bytes_per_s / k_bytes_per_s);
    run.text += line;
  }
  run.text += "The papers: 4, over a 1 GHz Pentium III with memory as fast as the chip's.\n\n";
}

}  // namespace snug::bench::raabe
