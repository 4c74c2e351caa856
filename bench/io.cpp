// Loading files of 100 MB: load() beside a bare loop that only parses the numbers, and beside assimp where it is
// installed. Each measurement runs in a process of its own, in turns, so that none inherits another's warm heap and the
// peak of memory is its own.
// usage: io [--csv FILE] [--quick]

#include "bench/io_bare.hpp"
#include "bench/io_files.hpp"
#include "bench/measure.hpp"

#include <snug/snug.hpp>

#include <sys/resource.h>
#include <sys/wait.h>

#include <fstream>
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
  std::function<Checksum()> bare;
  bool by_corners;
};

Outcome measure_ours(const File& file) {
  return in_child([&](Outcome& outcome, auto stop) {
    const auto assembly = load(file.path, {.units = LengthUnit::millimetre}).value();
    stop();
    const Mesh& mesh = assembly.parts()[0].mesh;
    // By size, not capacity, so that slack would count against us.
    outcome.mesh_bytes = mesh.vertices().size_bytes() + mesh.triangles().size_bytes();
    outcome.sum = checksum(mesh, file.by_corners);
  });
}

Outcome measure_bare(const File& file) {
  return in_child([&](Outcome& outcome, auto stop) {
    outcome.sum = file.bare();
    stop();
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

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

struct Measured {
  std::vector<double> ours, bare, assimp;
  std::vector<double> ours_cpu, bare_cpu, assimp_cpu;
  Outcome last;
};

Measured measure(const File& file, int rounds) {
  Measured m;
  for (int round = 0; round < rounds; ++round) {
    const Outcome bare = measure_bare(file);
    m.last = measure_ours(file);
    const auto assimp = round < 3 ? measure_assimp(file) : std::nullopt;  // it takes long, and its median settles
    if (m.last.sum != bare.sum || (assimp && assimp->sum.triangles != bare.sum.triangles)) {
      std::fprintf(stderr, "%s: the answers differ: %llu, %llu and %llu triangles\n", file.name.c_str(),
                   static_cast<unsigned long long>(m.last.sum.triangles),
                   static_cast<unsigned long long>(bare.sum.triangles),
                   static_cast<unsigned long long>(assimp ? assimp->sum.triangles : 0));
      std::exit(1);
    }
    m.bare.push_back(bare.seconds);
    m.bare_cpu.push_back(bare.cpu_seconds);
    m.ours.push_back(m.last.seconds);
    m.ours_cpu.push_back(m.last.cpu_seconds);
    if (assimp) m.assimp.push_back(assimp->seconds), m.assimp_cpu.push_back(assimp->cpu_seconds);
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

int main(int argc, char** argv) {
  const bench::Arguments arguments(argc, argv);
  const std::uint32_t part = arguments.quick ? 10 : 1;  // of 100 MB
  const int rounds = arguments.quick ? 5 : 9;
  const Folder folder;

  const Torus stl{1000 / part, 1000}, obj{1100 / part, 1100}, digits{850 / part, 1000}, ply{1625 / part, 1600};
  std::vector<File> files;
  const auto add = [&](std::string name, std::string suffix, bool by_corners) -> const std::filesystem::path& {
    files.push_back({name, folder.path / (name + suffix), {}, by_corners});
    return files.back().path;
  };
  bench::write_stl_file(stl, add("stl", ".stl", true));
  files.back().bare = [path = files.back().path] { return bench::bare_stl(path); };
  bench::write_obj_file(obj, add("obj", ".obj", false), false);
  files.back().bare = [path = files.back().path] { return bench::bare_obj(path); };
  bench::write_obj_file(digits, add("obj_17_digits", ".obj", false), true);
  files.back().bare = [path = files.back().path] { return bench::bare_obj(path); };
  bench::write_ply_file(ply, add("ply", ".ply", false));
  files.back().bare = [path = files.back().path, n = ply.vertices()] { return bench::bare_ply(path, n); };

  bench::Table table({"file", "MB", "triangles", "ours_ms", "bare_ms", "assimp_ms", "ours/bare", "assimp/ours",
                      "cpu_ours/bare", "cpu_assimp/ours", "mesh_bytes/triangle", "peak/mesh", "checksum"});
  for (const File& file : files) {
    const Measured m = measure(file, rounds);
    const double ours = median(m.ours), bare = median(m.bare), assimp = m.assimp.empty() ? 0 : median(m.assimp);
    const auto number = [](double v) { return bench::fixed(v, 2); };
    char hash[24];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(m.last.sum.numbers));
    table.row({file.name, number(static_cast<double>(std::filesystem::file_size(file.path)) / 1e6),
               std::to_string(m.last.sum.triangles), number(1e3 * ours), number(1e3 * bare),
               assimp > 0 ? number(1e3 * assimp) : "-", number(ours / bare), assimp > 0 ? number(assimp / ours) : "-",
               number(median(m.ours_cpu) / median(m.bare_cpu)),
               assimp > 0 ? number(median(m.assimp_cpu) / median(m.ours_cpu)) : "-",
               number(static_cast<double>(m.last.mesh_bytes) / static_cast<double>(m.last.sum.triangles)),
               number(static_cast<double>(m.last.peak_bytes) / static_cast<double>(m.last.mesh_bytes)), hash});
  }
  return table.print("loading a file (median; peak/mesh: growth of resident memory over the bytes of the mesh)",
                     arguments)
             ? 0
             : 1;
}
