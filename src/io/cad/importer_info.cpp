#include "io/cad/find_importer.hpp"
#include "io/errors.hpp"
#include "io/part_paths.hpp"
#include "support/child_process.hpp"

#include <snug/importer.hpp>

#include <cstdlib>
#include <string_view>

namespace snug {

namespace {

using Code = IoError::Code;

/// "in force: words", "try fork: refused (…)", "try fork: ALLOWED".
void take_line(std::string_view line, ImporterInfo& info) {
  std::string text(line);
  (void)io::clean_name(text);
  const std::size_t colon = text.find(": ");
  if (colon == text.npos) return;
  const std::string what = text.substr(0, colon), outcome = text.substr(colon + 2);
  if (what == "in force") info.in_force = outcome;
  if (constexpr std::string_view k_try = "try "; what.starts_with(k_try))
    info.attempts.push_back({what.substr(k_try.size()), outcome.starts_with("refused"), outcome});
}

}  // namespace

Result<ImporterInfo, IoError> describe_importer(const CadOptions& options) {
  const auto program = io::find_importer(options.importer);
  if (!program) return io::failure(Code::no_importer, "snug-import", program.error());
  const auto version = io::importer_version(*program);
  if (!version) return io::failure(Code::no_importer, "snug-import", version.error());
  ImporterInfo info{.program = *program, .version = *version, .in_force = {}, .attempts = {}};
  const auto end = support::run_child(
      {.arguments = {program->string(), "--isolation", "--limit-memory", std::to_string(options.max_memory_bytes)},
       .max_seconds = 30,
       .max_output_bytes = 1 << 16});
  for (std::string_view rest = end.output; !rest.empty();) {
    const std::size_t stop = std::min(rest.find('\n'), rest.size());
    take_line(rest.substr(0, stop), info);
    rest.remove_prefix(std::min(stop + 1, rest.size()));
  }
  // Status 1 says that something was allowed; that is for the caller to read in the attempts.
  const bool answered = end.how == support::ChildEnd::How::exited && end.status <= 1;
  if (!answered || info.in_force.empty() || info.attempts.empty())
    return io::failure(Code::import_failed, program->string(), "does not tell how it is isolated");
  return info;
}

std::filesystem::path user_cache_folder() {
  const auto variable = [](const char* name) -> std::filesystem::path {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here changes the environment
    return value == nullptr ? "" : value;
  };
  // A relative path is to be ignored, says the XDG Base Directory Specification.
  if (const auto cache = variable("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "snug";
  if (const auto home = variable("HOME"); home.is_absolute()) return home / ".cache" / "snug";
  return {};
}

}  // namespace snug
