#pragma once

#include "unit/io_support.hpp"

#include <dirent.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace snug::test {

/// The program of test/fake_importer.cpp, which is built beside the tests.
inline std::filesystem::path fake_importer() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "fake_importer";
}

/// A STEP file, by its first word, that makes the fake importer behave as told.
inline std::string fake_file(const std::string& mode) { return "ISO-10303-21;\n" + mode + "\nEND-ISO-10303-21;\n"; }

/// Processes, dead or alive, whose parent is this one; leftovers of a child that was not reaped, or was orphaned to init,
/// are found by their name instead.
inline std::set<std::string> left_processes() {
  std::set<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string pid = entry.path().filename().string();
    if (pid.find_first_not_of("0123456789") != pid.npos) continue;
    std::ifstream stat(entry.path() / "stat");
    std::string line;
    std::getline(stat, line);
    const std::size_t name_end = line.rfind(')');
    if (name_end == line.npos) continue;
    std::istringstream rest(line.substr(name_end + 1));
    std::string state;
    long parent = 0;
    rest >> state >> parent;
    if (parent == ::getpid()) out.insert(pid + " " + state);
  }
  return out;
}

}  // namespace snug::test
