#pragma once

#include "io/reader.hpp"
#include "support.hpp"

#include <snug/io.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

namespace snug::test {

/// A folder of its own, removed with everything in it.
class TempDir {
 public:
  TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "snug-io-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(std::string_view name, std::string_view content) const {
    const std::filesystem::path file = path_ / name;
    std::ofstream(file, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
    return file;
  }
  [[nodiscard]] std::size_t file_count() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string slurp(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline LoadOptions in_mm() { return {.units = LengthUnit::millimetre}; }

/// Loads from memory under the name "part.<suffix>", so that recognition is tested along.
inline Result<Assembly, IoError> load_text(std::string_view content, std::string name = "part.obj",
                                           const LoadOptions& options = in_mm()) {
  auto source = io::ByteSource::from_memory(std::as_bytes(std::span(content)), std::move(name), options);
  auto loaded = io::load_source(source, options);
  if (!loaded) return Failure{std::move(loaded).error()};
  return std::move(loaded->assembly);
}

/// What load() makes of a file, without what else it says of it.
inline Result<Assembly, IoError> load_assembly(const std::filesystem::path& path, const LoadOptions& options = {}) {
  auto loaded = load(path, options);
  if (!loaded) return Failure{std::move(loaded).error()};
  return std::move(loaded->assembly);
}

/// The message of the error that the content must lead to.
inline std::string error_of(std::string_view content, std::string name = "part.obj") {
  const auto loaded = load_text(content, std::move(name));
  return loaded ? "no error" : loaded.error().message();
}

inline std::vector<std::string> problem_texts(const Assembly& assembly) {
  std::vector<std::string> texts;
  for (const Problem& problem : assembly.problems())
    texts.push_back(problem.part.empty() ? problem.text : problem.part + ": " + problem.text);
  return texts;
}

}  // namespace snug::test
