#pragma once

#include <snug/file_format.hpp>
#include <snug/io.hpp>

#include <string>
#include <vector>

namespace snug::cli {

/// Faces to mesh more finely, file by file.
using FileRefinements = std::vector<std::vector<FaceRefinement>>;

struct LoadedFile {
  Assembly assembly;
  std::string sha256;
  FileFormat format;
  std::vector<ReferencedFile> referenced;  ///< other files that were read with it
  LengthUnit units = assembly.units();     ///< of the file; the assembly is in another if that was insisted on
};

/// Loads files at the same time, as many as the machine has threads. The results are in the order of the files; behind the
/// first that fails they say "cancelled", since nobody will look at them. `progress` is called from this thread with the
/// share of all; hook and token of `options` are not used. `refinements` are by file, or empty.
///
/// A unit among the options is for the files that have none of their own. Where none of them needs it, it must not
/// contradict any, but for glTF that is in metres by its format alone: for these it is a declaration.
[[nodiscard]] std::vector<Result<LoadedFile, IoError>> load_in_parallel(const std::vector<std::string>& files,
                                                                        const LoadOptions& options,
                                                                        const FileRefinements& refinements,
                                                                        const ProgressHook& progress,
                                                                        const CancelToken& cancel);

}  // namespace snug::cli
