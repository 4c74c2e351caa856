#pragma once

#include "support/disk_cache.hpp"
#include "support/rooms.hpp"

#include <snug/io.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace snug::io {

/// The program `snug-import`. `asked` wins, then the variable SNUG_IMPORT; both must name it or fail. Else it is looked for
/// beside the running program and this library, in libexec/snug next to their folders, where it was installed, and in
/// PATH. The error, in words, names every place and the packages it is built with.
[[nodiscard]] Result<std::filesystem::path, std::string> find_importer(const std::filesystem::path& asked);

/// What its --version says, with what identifies the very program: a rebuilt one differs. Asked once per program, and not at all if
/// the cache has kept it: the loader takes longer to find the kernel's libraries than a small file takes to be checked.
struct ImporterIdentity {
  std::string text;
  std::string file;   ///< what was asked; another file in its place differs, be it as large and as old
  bool kept = false;  ///< the cache had it
};
[[nodiscard]] Result<ImporterIdentity, std::string> importer_identity(const std::filesystem::path& program,
                                                                      const support::DiskCache& cache);

/// For later processes; to be called for a program that has read a file.
void keep_importer_identity(const std::filesystem::path& program, ImporterIdentity& identity,
                            const support::DiskCache& cache);

/// Of a program that was not asked, because its identity was kept, and then could not run: what keeps it from doing so now, if anything.
/// The cache forgets it.
[[nodiscard]] std::optional<std::string> why_it_cannot_run(const std::filesystem::path& program,
                                                           const ImporterIdentity& identity,
                                                           const support::DiskCache& cache);

/// The first line of its --version. The error says what the program said, and names packages where a library is missing.
[[nodiscard]] Result<std::string, std::string> importer_version(const std::filesystem::path& program);

/// Why a program could not be started (ChildEnd::How::not_started), in words.
[[nodiscard]] std::string start_error(int error);
/// The exit status of the loader, when it misses a library.
inline constexpr int k_exit_not_run = 127;

}  // namespace snug::io
