// How long search structures take to build, and how many bytes they hold.

#include "bench/pairs/context.hpp"

#include "scenes/solids.hpp"

#include <ctime>

#include <malloc.h>

namespace snug::bench::pairs {

namespace {

/// Of all threads of the process: an engine that secretly uses two pays for both.
double process_cpu_us() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

std::size_t heap_bytes() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

struct Size {
  const char* name;
  std::uint32_t along, around;
};
constexpr Size k_sizes[] = {{"knot6k", 165, 18}, {"knot60k", 526, 57}, {"knot600k", 1667, 180}};

void run_size(Context& context, const Size& size, std::size_t rounds) {
  const Mesh mesh = scenes::bumpy_knot(size.along, size.around);
  const auto triangles = static_cast<double>(mesh.triangles().size());
  const std::vector<const Engine*> engines = context.options.all_engines();
  std::vector<Trial> trials(engines.size());
  std::vector<double> bytes(engines.size());
  for (std::size_t round = 0; round < rounds + 1; ++round)
    for (std::size_t k = 0; k < engines.size(); ++k) {
      const std::size_t which = (k + round) % engines.size();
      const std::size_t heap = heap_bytes();
      const double start = process_cpu_us();
      const std::unique_ptr<Body> body = engines[which]->build(mesh);
      const double us = process_cpu_us() - start;
      if (round == 0) {  // only to warm up
        const std::size_t told = body->bytes(), grown = heap_bytes() - heap;
        bytes[which] = static_cast<double>(told != 0 ? told : grown);
      } else {
        trials[which].us.push_back(us);
      }
    }
  for (std::size_t k = 0; k < engines.size(); ++k) {
    const std::string name(engines[k]->name());
    const double each = bytes[k] / triangles;
    context.add_row({.suite = "",
                     .scene = size.name,
                     .bucket = "build",
                     .query = "build",
                     .engine = name,
                     .mean_us = trials[k].mean_us(),
                     .p99_us = trials[k].p99_us(),
                     .answers = short_number(each) + " B/triangle",
                     .hash = "-"});
    if (size.along == 526) context.figures["bytes/triangle " + name] = each;
  }
}

}  // namespace

void run_build(Context& context) {
  const Options& options = context.options;
  if (!options.wants_query("build") || !options.wants_bucket("build")) return;
  for (const Size& size : k_sizes) {
    if (!options.wants_scene(size.name)) continue;
    if (options.scenes.empty() && size.along != 526) continue;  // the others when asked for
    if (context.out_of_time(std::string(size.name) + " build")) continue;
    std::fprintf(stderr, "%s build\n", size.name);
    run_size(context, size, options.quick ? 2 : size.along > 1000 ? 5 : 21);
  }
}

}  // namespace snug::bench::pairs
