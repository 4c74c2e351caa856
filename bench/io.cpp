// Loading files of 100 MB: load() beside bare loops that only parse the numbers, adding them up or keeping them, and beside
// assimp where it is installed. Each measurement runs in a process of its own, in turns, so that none inherits another's warm heap and the
// peak of memory is its own.
// usage: snug-bench io [--csv FILE] [--quick]

#include "bench/io_bare.hpp"
#include "bench/io_files.hpp"
#include "bench/measure.hpp"
#include "bench/suites.hpp"

#include <snug/snug.hpp>

#include <sys/resource.h>
#include <sys/wait.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <optional>

#ifdef SNUG_BENCH_ASSIMP
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#endif

namespace {

using namespace snug;
using bench::Checksum;
using bench::Torus;

struct Outcome {
  double seconds = 0;
  double cpu_seconds = 0;        ///< of all threads, in user and kernel: steady on a busy machine
  std::uint64_t peak_bytes = 0;  ///< growth of the resident set over what the process started with
  std::uint64_t mesh_bytes = 0;  ///< of the mesh that resulted
  Checksum sum;
};

std::uint64_t status_bytes(std::string_view key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key)) return 1024 * std::strtoull(line.c_str() + key.size(), nullptr, 10);
  return 0;
}

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// Runs `work(outcome)` in a child. The checksum is filled in after the clock has stopped.
template <class Work>
Outcome in_child(Work&& work) {
  int ends[2];
  if (::pipe(ends) != 0) std::perror("pipe"), std::exit(1);
  const pid_t child = ::fork();
  if (child < 0) std::perror("fork"), std::exit(1);
  if (child == 0) {
    Outcome outcome;
    std::ofstream("/proc/self/clear_refs") << "5";  // the peak starts anew
    const std::uint64_t before = status_bytes("VmRSS:");
    work(outcome, [&, start = std::chrono::steady_clock::now()] {
      outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      outcome.cpu_seconds = cpu_seconds();
      outcome.peak_bytes = status_bytes("VmHWM:") - before;
    });
    const bool whole = ::write(ends[1], &outcome, sizeof outcome) == sizeof outcome;
    ::_exit(whole ? 0 : 1);
  }
  ::close(ends[1]);
  Outcome outcome;
  const bool whole = ::read(ends[0], &outcome, sizeof outcome) == sizeof outcome;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!whole || status != 0) std::fprintf(stderr, "a measurement failed\n"), std::exit(1);
  return outcome;
}

/// By corners for STL, which has no vertices of its own; by vertices and indices otherwise.
Checksum checksum(const Mesh& mesh, bool by_corners) {
  Checksum sum;
  const auto add = [&](const Point3& p) { sum.number(p.x), sum.number(p.y), sum.number(p.z); };
  if (!by_corners)
    for (const Point3& p : mesh.vertices()) add(p);
  for (const Index3& t : mesh.triangles()) {
    for (const std::uint32_t v : t) {
      if (by_corners)
        add(mesh.vertices()[v]);
      else
        sum.numbers += v;
    }
    ++sum.triangles;
  }
  return sum;
}

struct File {
  std::string name;
  std::filesystem::path path;
  std::function<void(bench::AddUp&)> add_up;
  std::function<void(bench::Keep<float>&)> keep;  ///< or the next, by the type of the numbers
  std::function<void(bench::Keep<double>&)> keep_doubles;
  bool by_corners;
};

Outcome measure_ours(const File& file) {
  return in_child([&](Outcome& outcome, auto stop) {
    const Assembly assembly = load(file.path, {.units = LengthUnit::millimetre}).value().assembly;
    stop();
    const Mesh& mesh = assembly.parts()[0].mesh;
    // By size, not capacity, so that slack would count against us.
    outcome.mesh_bytes = mesh.vertices().size_bytes() + mesh.triangles().size_bytes();
    outcome.sum = checksum(mesh, file.by_corners);
  });
}

template <class Use>
Outcome measure_bare(const std::function<void(Use&)>& loop) {
  return in_child([&](Outcome& outcome, auto stop) {
    Use use;
    loop(use);
    stop();
    outcome.sum = use.total();
  });
}

#ifdef SNUG_BENCH_ASSIMP
std::optional<Outcome> measure_assimp(const File& file) {
  return in_child([&](Outcome& outcome, auto stop) {
    Assimp::Importer importer;
    // No post-processing: the least it can do, and less than we do (it does not weld).
    const aiScene* scene = importer.ReadFile(file.path.c_str(), 0);
    stop();
    for (unsigned i = 0; scene != nullptr && i < scene->mNumMeshes; ++i)
      outcome.sum.triangles += scene->mMeshes[i]->mNumFaces;
  });
}
#else
std::optional<Outcome> measure_assimp(const File&) { return std::nullopt; }
#endif

/// Of all rounds the best: what else the machine does only ever adds.
struct Best {
  double seconds = std::numeric_limits<double>::infinity();
  double cpu_seconds = std::numeric_limits<double>::infinity();
  void take(const Outcome& outcome) {
    seconds = std::min(seconds, outcome.seconds);
    cpu_seconds = std::min(cpu_seconds, outcome.cpu_seconds);
  }
};

struct Measured {
  Best ours, added, kept, assimp;
  Outcome last;
};

Measured measure(const File& file, int rounds) {
  Measured m;
  for (int round = 0; round < rounds; ++round) {
    const Outcome bare = measure_bare(file.add_up);
    const Outcome kept = file.keep ? measure_bare(file.keep) : measure_bare(file.keep_doubles);
    m.last = measure_ours(file);
    const auto assimp = round < 3 ? measure_assimp(file) : std::nullopt;  // it takes long, and varies little
    if (m.last.sum != bare.sum || kept.sum != bare.sum || (assimp && assimp->sum.triangles != bare.sum.triangles)) {
      std::fprintf(stderr, "%s: the answers differ: %llu, %llu and %llu triangles\n", file.name.c_str(),
                   static_cast<unsigned long long>(m.last.sum.triangles),
                   static_cast<unsigned long long>(bare.sum.triangles),
                   static_cast<unsigned long long>(assimp ? assimp->sum.triangles : 0));
      std::exit(1);
    }
    m.added.take(bare);
    m.kept.take(kept);
    m.ours.take(m.last);
    if (assimp) m.assimp.take(*assimp);
  }
  return m;
}

/// Removed at the end, also when that comes early.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "snug-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::perror("mkdtemp"), std::exit(1);
    path = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
};

}  // namespace

int snug::bench::run_io(int argc, char** argv) {
  const bench::Arguments arguments(argc, argv);
  const std::uint32_t part = arguments.quick ? 10 : 1;  // of 100 MB
  const int rounds = arguments.quick ? 5 : 15;
  const Folder folder;

  const Torus stl{1000 / part, 1000}, obj{1100 / part, 1100}, digits{850 / part, 1000}, ply{1625 / part, 1600};
  std::vector<File> files;
  const auto add = [&](std::string name, std::string suffix, bool by_corners) -> const std::filesystem::path& {
    files.push_back({name, folder.path / (name + suffix), {}, {}, {}, by_corners});
    return files.back().path;
  };
  bench::write_stl_file(stl, add("stl", ".stl", true));
  const auto stl_loop = [path = files.back().path](auto& use) { bench::bare_stl(path, use); };
  files.back().add_up = stl_loop, files.back().keep = stl_loop;
  for (const bool all_digits : {false, true}) {
    bench::write_obj_file(all_digits ? digits : obj, add(all_digits ? "obj_17_digits" : "obj", ".obj", false),
                          all_digits);
    const auto loop = [path = files.back().path](auto& use) { bench::bare_obj(path, use); };
    files.back().add_up = loop, files.back().keep_doubles = loop;
  }
  bench::write_ply_file(ply, add("ply", ".ply", false));
  const auto ply_loop = [path = files.back().path, ply](auto& use) {
    bench::bare_ply(path, ply.vertices(), ply.triangles(), use);
  };
  files.back().add_up = ply_loop, files.back().keep = ply_loop;

  bench::Table table({"file", "MB", "triangles", "ours_ms", "added_ms", "kept_ms", "assimp_ms", "ours/added",
                      "ours/kept", "assimp/ours", "cpu_ours/added", "cpu_ours/kept", "cpu_assimp/ours",
                      "mesh_bytes/triangle", "peak/mesh", "checksum"});
  for (const File& file : files) {
    const Measured m = measure(file, rounds);
    const bool has_assimp = std::isfinite(m.assimp.seconds);
    const auto number = [](double v) { return bench::fixed(v, 2); };
    const auto ms = [&](const Best& best) { return std::isfinite(best.seconds) ? number(1e3 * best.seconds) : "-"; };
    char hash[24];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(m.last.sum.numbers));
    table.row({file.name, number(static_cast<double>(std::filesystem::file_size(file.path)) / 1e6),
               std::to_string(m.last.sum.triangles), ms(m.ours), ms(m.added), ms(m.kept), ms(m.assimp),
               number(m.ours.seconds / m.added.seconds), number(m.ours.seconds / m.kept.seconds),
               has_assimp ? number(m.assimp.seconds / m.ours.seconds) : "-",
               number(m.ours.cpu_seconds / m.added.cpu_seconds), number(m.ours.cpu_seconds / m.kept.cpu_seconds),
               has_assimp ? number(m.assimp.cpu_seconds / m.ours.cpu_seconds) : "-",
               number(static_cast<double>(m.last.mesh_bytes) / static_cast<double>(m.last.sum.triangles)),
               number(static_cast<double>(m.last.peak_bytes) / static_cast<double>(m.last.mesh_bytes)), hash});
  }
  return table.print(
             "loading a file (best of the rounds; added, kept: bare loops that add the numbers up or keep them; "
             "peak/mesh: growth of resident memory over the bytes of the mesh)",
             arguments)
             ? 0
             : 1;
}
