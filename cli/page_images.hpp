#pragma once

#include <snug/page.hpp>

#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace snug::cli {

/// --html and --images, for commands that have findings to show.
void add_page_outputs(CLI::App& app, std::string& html, std::string& images);

/// Where the page and the pictures go.
class PageOutputs {
 public:
  /// Ends the program (wrong usage) where one of them can not be written, or not beside the document `output`, or no
  /// browser is there to draw pictures; empty names ask for nothing.
  [[nodiscard]] static PageOutputs prepare(const std::string& html, const std::string& images,
                                           const std::filesystem::path& output);

  [[nodiscard]] bool asked() const { return !page_.empty() || !images_.empty(); }
  /// Says on stderr where they are, if `words`.
  void write(const PageInput& input, bool words, std::size_t findings, const CancelToken* cancel = nullptr) const;

 private:
  std::filesystem::path page_, images_, browser_;
};

/// Chromium, or one that understands its options: SNUG_CHROMIUM, or the first in PATH; empty if there is none.
[[nodiscard]] std::filesystem::path find_browser();

/// A picture (PNG) of every finding that the page shows, drawn by the page itself. Ends the program where that fails or
/// is cancelled.
void write_images(const std::filesystem::path& page, const std::filesystem::path& folder,
                  const std::filesystem::path& browser, std::size_t findings, bool words,
                  const CancelToken* cancel = nullptr);

}  // namespace snug::cli
