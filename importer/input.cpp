#include "input.hpp"

#include "support/utf8.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <stdexcept>
#include <string_view>

namespace snug::importer {

namespace {

constexpr std::size_t k_chunk = std::size_t{1} << 18;
constexpr std::size_t k_longest_sequence = 4;
constexpr std::uint64_t k_endless = std::uint64_t{1} << 62;

/// As many bytes from there as there are, up to `count`. A pipe has no places: what comes next is read.
std::string read_at(std::uint64_t begin, std::size_t count) {
  std::string out(count, '\0');
  std::size_t have = 0;
  while (have < count) {
    ssize_t got = ::pread(STDIN_FILENO, out.data() + have, count - have, static_cast<off_t>(begin + have));
    if (got < 0 && errno == ESPIPE) got = ::read(STDIN_FILENO, out.data() + have, count - have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += static_cast<std::size_t>(got);
  }
  out.resize(have);
  return out;
}

std::string_view take_until(std::string_view& text, char stop) {
  const std::string_view word = text.substr(0, text.find(stop));
  text.remove_prefix(std::min(text.size(), word.size() + 1));
  return word;
}

}  // namespace

Input::Input(std::uint64_t list_bytes) {
  struct stat status = {};
  if (::fstat(STDIN_FILENO, &status) != 0) throw std::runtime_error("the file cannot be examined");
  const bool is_endless = !S_ISREG(status.st_mode);
  const std::uint64_t bytes = is_endless ? k_endless : static_cast<std::uint64_t>(status.st_size);
  if (list_bytes == 0 || is_endless) {
    file_ = {0, bytes};
    return;
  }
  if (list_bytes > bytes) throw std::runtime_error("the list of files is longer than what there is");
  const std::string list = read_at(bytes - list_bytes, static_cast<std::size_t>(list_bytes));
  if (list.size() != list_bytes) throw std::runtime_error("the list of files cannot be read");
  read_list(list, bytes - list_bytes);
}

void Input::read_list(std::string_view list, std::uint64_t end) {
  std::uint64_t at = 0;
  for (bool first = true; !list.empty(); first = false) {
    std::string_view line = take_until(list, '\n');
    const std::string_view size = take_until(line, '\t');
    const std::string name(take_until(line, '\t'));
    if (size == "-") {
      missing_.emplace(name, line);
      continue;
    }
    Piece piece{at, 0};
    const auto [stop, error] = std::from_chars(size.data(), size.data() + size.size(), piece.bytes);
    if (error != std::errc{} || stop != size.data() + size.size() || piece.bytes > end - at)
      throw std::runtime_error("the list of files does not fit");
    at += piece.bytes;
    if (first)
      file_ = piece;
    else
      others_.emplace(name, piece);
  }
  if (at != end) throw std::runtime_error("the list of files does not fit");
}

const Piece* Input::find(const std::string& name) const {
  const auto found = others_.find(name);
  return found == others_.end() ? nullptr : &found->second;
}

std::string Input::why_missing(const std::string& name) const {
  const auto found = missing_.find(name);
  return found == missing_.end() ? "was not looked for" : found->second;
}

Utf8Text::int_type Utf8Text::underflow() {
  if (gptr() < egptr()) return traits_type::to_int_type(*gptr());
  const std::string chunk = read_at(next_, static_cast<std::size_t>(std::min<std::uint64_t>(k_chunk, end_ - next_)));
  next_ += chunk.size();
  const bool last = chunk.size() < k_chunk;
  raw_ += chunk;
  text_.clear();
  // What may be the beginning of a sequence that goes on in the next chunk is kept for it.
  std::string_view rest = raw_;
  while (!rest.empty() && (last || rest.size() >= k_longest_sequence)) {
    const std::size_t length = support::utf8_length(rest);
    if (length == 0)
      support::append_latin1(text_, rest.front()), ++latin1_bytes_;
    else
      text_ += rest.substr(0, length);
    rest.remove_prefix(std::max<std::size_t>(length, 1));
  }
  raw_ = std::string(rest);
  if (text_.empty()) return traits_type::eof();
  setg(text_.data(), text_.data(), text_.data() + text_.size());
  return traits_type::to_int_type(text_.front());
}

}  // namespace snug::importer
