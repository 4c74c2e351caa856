#pragma once

#include <snug/io.hpp>

#include <memory>
#include <string>
#include <vector>

namespace snug::cli {

/// Faces to mesh more finely, file by file.
using FileRefinements = std::vector<std::vector<FaceRefinement>>;

/// The files of a command. Each is opened once, however often it is loaded.
///
/// A unit among the options is for the files that have none of their own. Where none of them needs it, it must not
/// contradict any, but for glTF that is in metres by its format alone: for these it is a declaration.
class InputFiles {
 public:
  /// Hook and token of `options` are not used. Files that are loaded again with other refinements stay open only if `again`.
  InputFiles(std::vector<std::string> names, LoadOptions options, bool again);
  ~InputFiles();
  InputFiles(const InputFiles&) = delete;
  InputFiles& operator=(const InputFiles&) = delete;

  /// Loads files at the same time, as many as the machine has threads. The results are in the order of the files; behind the
  /// first that fails they say "cancelled", since nobody will look at them. `progress` is called from this thread with the
  /// share of all. `refinements` are by file, or empty.
  [[nodiscard]] std::vector<Result<Loaded, IoError>> load(const FileRefinements& refinements,
                                                          const ProgressHook& progress, const CancelToken& cancel);

 private:
  struct File;
  class Loading;
  void open_to_choose_unit();

  std::vector<std::string> names_;
  LoadOptions options_;
  bool again_;
  bool unit_for_all_ = false;  ///< the unit named is to be that of every file: none lacks one
  std::unique_ptr<File[]> files_;
};

}  // namespace snug::cli
