#pragma once

#include "support/rooms.hpp"

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace snug::io {

/// Finds what may be names of other files in the text of a STEP file: the texts of documents (DOCUMENT_FILE) and of what
/// identifies them. It reads no more of the grammar than strings, comments and keywords; the importer knows what they mean.
class StepReferences {
 public:
  /// The next piece of the file, of any size.
  void take(std::string_view piece);
  /// The next piece is the first of another file, however the last one ended.
  void restart();
  /// In UTF-8, each once, in the order of the file; no more than 10,000.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

 private:
  enum class In { plain, string, string_quote, comment, comment_star, slash };

  void take_plain(char c);
  void end_string();

  In in_ = In::plain;
  std::string word_, text_;
  int wanted_ = 0;  ///< parameters that follow and may be names
  std::vector<std::string> names_;
  std::unordered_set<std::string> known_;
};

/// A string of a STEP file, between its quotes, in UTF-8: \X2\…\X0\ and the like are read, lines that break it are joined.
[[nodiscard]] std::string decoded_step_text(std::string_view text);

}  // namespace snug::io
