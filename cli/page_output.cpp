#include "page_output.hpp"

#include "errors.hpp"
#include "output.hpp"
#include "progress_bar.hpp"

#include <system_error>

namespace snug::cli {

namespace {

void expect_room_beside(const std::filesystem::path& page, std::vector<std::filesystem::path> others) {
  for (const auto& other : others)
    if (!other.empty()) expect_writable(other);  // its name may be that of the folder that was made for the page
  others.push_back(page);
  expect_different(others);
}

}  // namespace

std::filesystem::path page_file(const std::string& asked, const std::vector<std::filesystem::path>& others) {
  const std::filesystem::path path(asked);
  std::error_code failed;
  if (path.has_filename() && path.has_extension() && !std::filesystem::is_directory(path, failed)) {
    if (const auto suffix = path.extension(); suffix != ".html" && suffix != ".htm")
      fail_usage(asked + ": a page ends in .html; a name without a suffix is a folder for index.html");
    expect_writable(path);
    expect_room_beside(path, others);
    return path;
  }
  std::filesystem::create_directories(path, failed);
  if (failed) fail_usage(asked + ": cannot be created: " + failed.message());
  expect_writable(path / "index.html");
  expect_room_beside(path / "index.html", others);
  return path / "index.html";
}

void write_page(const PageInput& input, const std::filesystem::path& path, bool words, const CancelToken* cancel) {
  ProgressBar bar("writing the page", words);
  const auto saved = save_page(input, path, {.progress = bar.hook(), .cancel = cancel});
  if (!saved) fail_output(saved.error().message());
}

std::string page_title(const std::vector<InputFile>& files) {
  if (files.empty()) return "assembly";
  const std::string first = std::filesystem::path(files.front().path).filename().string();
  return files.size() == 1 ? first : first + " and " + std::to_string(files.size() - 1) + " more";
}

}  // namespace snug::cli
