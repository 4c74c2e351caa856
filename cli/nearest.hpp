#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace snug::cli {

/// The candidates that look most like `text`, best first, at most three; none when nothing comes close.
[[nodiscard]] std::vector<std::string> nearest(std::string_view text, const std::vector<std::string>& candidates);

/// "; did you mean 'a' or 'b'?", or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view text, const std::vector<std::string>& candidates);

}  // namespace snug::cli
