#pragma once

#include <snug/page.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace snug::cli {

/// The file that --html names: itself if it has a suffix, else index.html in the folder of that name, which is made.
/// Ends the program (wrong usage) where no page can be written, or `others` could not be written beside it, before the
/// work is done. Those of `others` that are empty ask for nothing.
[[nodiscard]] std::filesystem::path page_file(const std::string& asked,
                                              const std::vector<std::filesystem::path>& others = {});

/// Writes the page; ends the program where that fails. Shows progress if `words`.
void write_page(const PageInput& input, const std::filesystem::path& path, bool words,
                const CancelToken* cancel = nullptr);

/// A title for what was read from these files.
[[nodiscard]] std::string page_title(const std::vector<InputFile>& files);

}  // namespace snug::cli
