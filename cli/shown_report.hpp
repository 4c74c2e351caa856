#pragma once

#include "cad_arguments.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace snug::cli {

/// Writes the page of a report, with the assembly if the files it was made from can be found, as they are named or beside
/// the report, and are the same. Where they are not, the page lists the findings and says what is missing, and so do we.
/// Ends the program where the report can not be read.
void show_report(const std::string& path, std::string_view text, const CadArguments& cad,
                 const std::filesystem::path& page, bool words);

}  // namespace snug::cli
