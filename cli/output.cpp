#include "output.hpp"

#include "errors.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace snug::cli {

namespace {

std::string reason(int error) { return std::generic_category().message(error); }

/// errno of the first failure, or 0.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(file, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

int write_and_close(int file, std::string_view text) {
  const int error = write_all(file, text);
  const bool closed = ::close(file) == 0;  // some file systems tell only now that they had no room
  return error != 0 ? error : closed ? 0 : errno;
}

bool is_special(const std::filesystem::path& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

[[noreturn]] void fail_writing(const std::string& path, int error) {
  fail_output(path + ": cannot be written: " + reason(error));
}

}  // namespace

void write_stdout(std::string_view text) {
  if (const int error = write_all(STDOUT_FILENO, text); error != 0)
    fail_output("cannot write the output: " + reason(error));
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  const bool special = is_special(path);
  const std::string target = special ? path.string() : path.string() + ".part-" + std::to_string(::getpid());
  const int file = ::open(target.c_str(), O_WRONLY | O_CLOEXEC | (special ? 0 : O_CREAT | O_TRUNC), 0666);
  if (file < 0) fail_writing(path.string(), errno);
  int error = write_and_close(file, text);
  if (special && error == 0) return;
  if (error == 0 && std::rename(target.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  if (!special) ::unlink(target.c_str());
  fail_writing(path.string(), error);
}

void EachOutput::attempt(const std::function<void()>& write) {
  try {
    write();
  } catch (const Failed& failed) {
    (messages_ += messages_.empty() ? "" : "\n") += failed.what();
    code_ = std::max(code_, failed.code());
  }
}

void EachOutput::finish() const {
  if (code_ != 0) throw Failed(code_, messages_);
}

LineFile::LineFile(const std::filesystem::path& path)
    : path_(path), file_(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_TRUNC, 0666)) {
  if (file_ < 0) fail_writing(path_.string(), errno);
}

LineFile::~LineFile() {
  if (file_ >= 0) ::close(file_);
}

void LineFile::append(std::string_view text) {
  if (const int error = write_all(file_, text); error != 0) fail_writing(path_.string(), error);
}

void LineFile::close() {
  if (::close(std::exchange(file_, -1)) != 0) fail_writing(path_.string(), errno);
}

void expect_writable(const std::filesystem::path& path) {
  if (path == "-")
    fail_usage(
        "-: only the lines of 'snug simulate' go to standard output by this name; --json writes a document there, and "
        "./- names a "
        "file");
  std::error_code ignored;
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  if (std::filesystem::is_directory(path, ignored)) fail_usage(path.string() + ": is a folder; name a file");
  if (!std::filesystem::is_directory(folder, ignored))
    fail_usage(path.string() + ": there is no folder " + folder.string());
  if (::access((is_special(path) ? path : folder).c_str(), W_OK) != 0)
    fail_usage(path.string() + ": cannot be written: " + reason(errno));
}

void expect_no_input(const std::filesystem::path& path, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code missing;
    if (std::filesystem::equivalent(input, path, missing))
      fail_usage(path.string() + ": is an input too and would be replaced; name another file");
  }
}

void expect_different(const std::vector<std::filesystem::path>& outputs) {
  // Links are replaced, not followed: what counts is the name, in whatever way its folder is told.
  std::vector<std::filesystem::path> known;
  for (const auto& path : outputs) {
    if (path.empty() || is_special(path)) continue;
    std::error_code missing;
    const auto folder = std::filesystem::weakly_canonical(path.has_parent_path() ? path.parent_path() : ".", missing);
    const auto whole = folder / path.filename();
    if (std::ranges::find(known, whole) != known.end())
      fail_usage(path.string() + ": two outputs would be written there, and one of them lost; name two files");
    known.push_back(whole);
  }
}

void expect_no_model(const std::filesystem::path& path, std::string_view what) {
  std::string suffix = path.extension().string();
  std::ranges::transform(suffix, suffix.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  for (const std::string_view model :
       {".step", ".stp", ".iges", ".igs", ".brep", ".brp", ".stl", ".obj", ".ply", ".off", ".gltf", ".glb"})
    if (suffix == model)
      fail_usage(path.string() + ": what is written is " + std::string(what) + " ('snug convert' writes models)");
}

void say(std::string_view text, std::string_view who) {
  std::string line = std::string(who) + ": " + std::string(text);
  std::ranges::replace_if(line, [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7f; }, '?');
  std::fputs((line += '\n').c_str(), stderr);
}

TextStyle style_of_stdout(std::string_view when) {
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool plain =
      (no_color != nullptr && *no_color != '\0') || (term != nullptr && std::string_view(term) == "dumb");
  // A page of its own width for what is not a terminal: files and pipes have room.
  TextStyle style{
      .color = when == "always" || (when != "never" && terminal && !plain), .width = 160, .whole_problems = !terminal};
  winsize size = {};
  if (terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) style.width = size.ws_col;
  return style;
}

}  // namespace snug::cli
