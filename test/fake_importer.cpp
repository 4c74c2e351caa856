// Stands in for snug-import and misbehaves on demand. The file it is given tells how: "ISO-10303-21;fake MODE [NUMBER]".
#include "importer/sandbox.hpp"
#include "io/cad/wire.hpp"

#include <dirent.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

extern char** environ;

namespace {

using snug::io::CadModel;

snug::MeshInput box(double size) {
  snug::MeshInput mesh;
  for (const double z : {0.0, size})
    for (const double y : {0.0, size})
      for (const double x : {0.0, size}) mesh.vertices.push_back({x, y, z});
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  for (std::uint32_t side = 0; side < 6; ++side) {
    mesh.surfaces.emplace_back().name = "face " + std::to_string(side);
    mesh.surface_of_triangle.insert(mesh.surface_of_triangle.end(), 2, side);
  }
  return mesh;
}

/// Two shapes; the first in three places, two of which have one name.
CadModel model(double size, const std::vector<std::string>& refinements) {
  CadModel out{.kernel = "fake",
               .units = snug::LengthUnit::millimetre,
               .meshes = {},
               .instances = {},
               .losses = {},
               .problems = {}};
  out.meshes = {box(size), box(2 * size)};
  const auto place = [&](const char* path, std::uint32_t mesh, double x) {
    out.instances.push_back(
        {.path = path, .mesh = mesh, .rotation = {}, .translation = {x, 0, 0}, .color = std::nullopt});
  };
  place("frame/bolt", 0, 0);
  place("frame/plate", 1, 10 * size);
  place("frame/bolt", 0, 20 * size);
  place("", 0, 30 * size);
  out.instances[0].color = snug::Rgba{255, 0, 0, 255};
  out.losses = {{"frame/nut", "a face\x1b could not be meshed"}};
  out.problems = {{"frame/plate", "odd", 1}, {"", "of the file"}};
  for (const std::string& text : refinements) out.problems.push_back({"", "refined " + text});
  return out;
}

void answer(const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t done = ::write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
    if (done <= 0) std::_Exit(9);
    at += static_cast<std::size_t>(done);
  }
}

[[noreturn]] void hang() {
  for (;;) ::pause();
}

int refuse(const std::string& words) {
  std::fprintf(stderr, "error: %s\n", words.c_str());
  return 3;
}

std::string open_descriptors() {
  std::string out;
  DIR* const folder = ::opendir("/proc/self/fd");
  while (const dirent* entry = ::readdir(folder))
    if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != ::dirfd(folder)) (out += entry->d_name) += ' ';
  ::closedir(folder);
  return out;
}

int misbehave(const std::string& mode, double number, const std::vector<std::string>& refinements) {
  const CadModel with_loss = model(number > 0 ? number : 1, refinements);
  CadModel whole = with_loss;
  whole.losses.clear();
  const std::string good = snug::io::encode(with_loss);
  if (mode == "answer") return answer(good), 0;
  if (mode == "whole") return answer(snug::io::encode(whole)), 0;
  if (mode == "two") {  // parts, and what was lost
    CadModel two = with_loss;
    two.instances.resize(2);
    return answer(snug::io::encode(two)), 0;
  }
  if (mode == "slow") {
    for (int i = 0; i < 10; ++i) {
      std::fprintf(stderr, "progress 0.%d\n", i);
      ::usleep(static_cast<useconds_t>(1e5 * number));
    }
    return answer(snug::io::encode(whole)), 0;
  }
  if (mode == "large") {  // as large as asked, in bytes, and valid
    CadModel big = whole;
    big.problems.resize(static_cast<std::size_t>(number) / 1000, {"", std::string(990, 'x')});
    return answer(snug::io::encode(big)), 0;
  }
  if (mode == "crash") {  // as itself, also where a sanitizer would catch it
    std::signal(static_cast<int>(number), SIG_DFL);
    ::raise(static_cast<int>(number));
  }
  if (mode == "hang") hang();
  if (mode == "deaf") {  // to polite signals, and silent
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) std::signal(signal, SIG_IGN);
    ::close(STDOUT_FILENO), ::close(STDERR_FILENO);
    hang();
  }
  if (mode == "flood")
    for (const std::string chunk(1 << 16, 'x');;) answer(chunk);
  if (mode == "talk")
    for (;;) std::fputs("progress nonsense nonsense nonsense", stderr);
  if (mode == "offspring") {  // which outlives it, and keeps its pipes open
    if (::fork() == 0) hang();
    return answer(good), 0;
  }
  if (mode == "allocate")
    for (std::vector<char*> kept;;) std::memset(kept.emplace_back(new char[1 << 24]), 1, 1 << 24);
  if (mode == "starve") {  // memory that malloc() does not give, and nobody looks at the answer
    for (;;) std::memset(std::malloc(1 << 24), 1, 1 << 24);
  }
  if (mode == "spin")
    for (volatile bool on = true; on;) {
    }
  if (mode == "garbage") return answer("this is not a model"), 0;
  if (mode == "cut") return answer(good.substr(0, good.size() / 2)), 0;
  if (mode == "flip") {
    std::string bad = good;
    bad[static_cast<std::size_t>(number) % bad.size()] ^= 0x40;
    return answer(bad), 0;
  }
  if (mode == "nothing") return 0;
  if (mode == "words") return refuse("no shapes in it \x1b[31m and more");
  if (mode == "exit") return static_cast<int>(number);
  if (mode == "descriptors") return refuse(open_descriptors());
  if (mode == "environment") {
    std::string all;
    for (char** entry = environ; *entry != nullptr; ++entry)
      all += std::string(*entry).substr(0, std::strcspn(*entry, "=")) + ' ';
    return refuse(all);
  }
  if (mode == "write") {  // to the file it was given
    return refuse(::write(STDIN_FILENO, "x", 1) == 1 ? "written" : "not written");
  }
  return refuse("no such mode: " + mode);
}

}  // namespace

int main(int argc, char** argv) {
  snug::SandboxLimits limits;
  std::vector<std::string> refinements;
  bool isolation = false;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (option == "--version") return std::puts("fake importer 1") < 0;
    if (option == "--isolation") isolation = true;
    if (option == "--refine") refinements.push_back(value);
    if (option == "--limit-seconds") limits.seconds = std::strtod(value.c_str(), nullptr);
    if (option == "--limit-memory") limits.memory_bytes = std::strtoull(value.c_str(), nullptr, 10);
    if (option == "--limit-output") limits.output_bytes = std::strtoull(value.c_str(), nullptr, 10);
  }
  if (isolation) return snug::report_isolation(limits);

  std::array<char, 256> head{};
  [[maybe_unused]] const ssize_t got = ::pread(STDIN_FILENO, head.data(), head.size() - 1, 0);
  std::istringstream text(head.data());
  std::string magic, mode;
  double number = 0;
  text >> magic >> mode >> number;
  if (const bool boxed = mode.starts_with("boxed_"); boxed) {
    mode.erase(0, 6);
    (void)snug::enter_sandbox(limits);
  }
  return misbehave(mode, number, refinements);
}
