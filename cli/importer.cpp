#include "cad_arguments.hpp"
#include "commands.hpp"
#include "errors.hpp"
#include "options.hpp"
#include "output.hpp"

#include <snug/importer.hpp>

#include <algorithm>
#include <cstdio>

namespace snug::cli {

namespace {

constexpr const char* k_importer_footer = R"(Isolation:
  CAD files are read by a program of its own, snug-import, since the CAD kernel in it crashes and hangs on damaged files.
  It is looked for as the variable SNUG_IMPORT says, else beside snug, in ../libexec/snug and in PATH. Before it looks at a
  file it gives up what reading does not need; here it tries each of these things and tells how that ends.

Examples:
    snug importer
    snug importer --import-memory 1GiB --json

Exit status:
    0  the importer is there, and all it tried was refused
    1  the importer is there, and something was allowed that should not be
    2  wrong usage
    3  the importer is missing or broken
    5  internal error, or output that could not be written
)";

struct ImporterCommand {
  CadArguments cad;
  bool json = false;
};

/// JSON text of a string that is clean UTF-8 but may hold quotes, backslashes and, in paths, anything.
std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += '?';
    else
      out += c;
  }
  return out + '"';
}

std::string as_text(const ImporterInfo& info, const CadOptions& options) {
  std::size_t width = 0;
  for (const auto& attempt : info.attempts) width = std::max(width, attempt.what.size());
  const std::string cache = options.cache.empty() ? "none" : options.cache.string();
  char limits[160];
  std::snprintf(limits, sizeof limits, "%g s, %s of memory, %s of output", options.max_seconds,
                bytes_text(options.max_memory_bytes).c_str(), bytes_text(options.max_output_bytes).c_str());
  std::string out = "program   " + info.program.string() + "\nversion   " + info.version + "\nlimits    " + limits +
                    "\ncache     " + cache + ", up to " + bytes_text(options.max_cache_bytes) + "\nin force  " +
                    info.in_force + "\n\nwhat it tried\n";
  for (const auto& attempt : info.attempts)
    out += "  " + attempt.what + std::string(width - attempt.what.size() + 2, ' ') + attempt.outcome + '\n';
  return out;
}

std::string as_json(const ImporterInfo& info, const CadOptions& options) {
  std::string out = "{\n  \"attempts\": [";
  const char* between = "\n";
  for (const auto& attempt : info.attempts) {
    out += between + ("    {\"outcome\": " + json_text(attempt.outcome)) +
           ", \"refused\": " + (attempt.refused ? "true" : "false") + ", \"what\": " + json_text(attempt.what) + '}';
    between = ",\n";
  }
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.17g", options.max_seconds);
  return out + "\n  ],\n  \"cache\": " + (options.cache.empty() ? "null" : json_text(options.cache.string())) +
         ",\n  \"in_force\": " + json_text(info.in_force) +
         ",\n  \"limits\": {\"cache_bytes\": " + std::to_string(options.max_cache_bytes) +
         ", \"memory_bytes\": " + std::to_string(options.max_memory_bytes) +
         ", \"output_bytes\": " + std::to_string(options.max_output_bytes) + ", \"seconds\": " + seconds +
         "},\n  \"program\": " + json_text(info.program.string()) + ",\n  \"schema\": \"snug.importer/1\"" +
         ",\n  \"version\": " + json_text(info.version) + "\n}\n";
}

int run_importer(const ImporterCommand& options) {
  const CadOptions cad = options.cad.parse();
  const auto info = describe_importer(cad);
  if (!info) fail_input(info.error().message());
  write_stdout(options.json ? as_json(*info, cad) : as_text(*info, cad));
  return std::ranges::all_of(info->attempts, &ImporterInfo::Attempt::refused) ? k_clean : k_findings;
}

}  // namespace

void add_importer(CLI::App& app, Action& action) {
  auto options = std::make_shared<ImporterCommand>();
  CLI::App& command = *app.add_subcommand("importer", "Tell what reads CAD files, and how it is held in bounds");
  add_import_limits(command, options->cad);
  not_empty(
      add_value(command, "--cache", options->cad.cache, "WHERE", "as for check: auto (default), off, or a folder"));
  command.add_flag("--json", options->json, "print one JSON document instead");
  command.footer(k_importer_footer);
  command.callback([options, &action] { action = [options] { return run_importer(*options); }; });
}

}  // namespace snug::cli
