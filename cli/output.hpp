#pragma once

#include <snug/report.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace snug::cli {

/// Data goes to stdout through here. What can not be written ends the program with an error, never in silence.
void write_stdout(std::string_view text);

/// Puts a file in place in one step; devices and pipes are written to as they are.
void write_file(const std::filesystem::path& path, std::string_view text);
/// A file that is written line by line while the work goes on, so that what was done is there if the program is killed. What
/// the file held before is gone. Ends the program where it can not be written.
class LineFile {
 public:
  explicit LineFile(const std::filesystem::path& path);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  void append(std::string_view text);
  /// Some file systems tell only here that they had no room.
  void close();

 private:
  std::filesystem::path path_;
  int file_ = -1;
};

/// Several outputs of one run, each worth having without the others: one that can not be written (full disk, closed pipe)
/// does not keep the rest from being written.
class EachOutput {
 public:
  /// Calls write(), which may end in Failed.
  void attempt(const std::function<void()>& write);
  /// Ends the program with what went wrong, if anything did.
  void finish() const;

 private:
  std::string messages_;
  int code_ = 0;
};

/// Ends the program (wrong usage) where write_file() is bound to fail, before the work is done.
void expect_writable(const std::filesystem::path& path);
/// Ends the program (wrong usage) if the file is one of the inputs, by whatever name.
void expect_no_input(const std::filesystem::path& path, const std::vector<std::string>& inputs);

/// Ends the program (wrong usage) if two of the outputs are one file, of which the last would remain; empty names ask for
/// nothing. Their folders have to be there.
void expect_different(const std::vector<std::filesystem::path>& outputs);

/// Ends the program (wrong usage) if a document would get the suffix of a format that is read, and pass for a model.
void expect_no_model(const std::filesystem::path& path, std::string_view what = "a JSON document; name it .json");

/// Words for the user on stderr, with the name of the program or command before them. Names of files can not drive the
/// terminal: control characters become '?'.
void say(std::string_view text, std::string_view who = "snug");

/// `when` is auto, always or never; auto heeds NO_COLOR, TERM=dumb and whether stdout is a terminal.
[[nodiscard]] TextStyle style_of_stdout(std::string_view when);

}  // namespace snug::cli
