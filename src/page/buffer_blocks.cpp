#include "page/buffer_blocks.hpp"

#include "support/assert.hpp"

#include <algorithm>

namespace snug::page {

namespace {

// A multiple of three, so that the texts of the blocks need no padding but at the very end; small enough that neither
// side has to hold the whole twice.
constexpr std::size_t k_block_bytes = 3 << 20;
constexpr std::string_view k_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (k < count ? static_cast<std::uint8_t>(bytes[i + k]) : std::uint32_t{0});
    for (std::size_t k = 0; k < 4; ++k) out += k <= count ? k_digits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

}  // namespace

std::uint64_t BufferBlocks::append(std::string_view bytes) {
  const std::uint64_t begin = size_;
  size_ += bytes.size();
  pending_ += bytes;
  if (pending_.size() < k_block_bytes) return begin;
  const std::size_t whole = pending_.size() / k_block_bytes * k_block_bytes;
  for (std::size_t at = 0; at < whole; at += k_block_bytes)
    write_block(std::string_view(pending_).substr(at, k_block_bytes));
  pending_.erase(0, whole);
  SNUG_ASSERT(pending_.size() < k_block_bytes);
  return begin;
}

void BufferBlocks::finish() {
  if (!pending_.empty()) write_block(pending_);
  pending_.clear();
}

void BufferBlocks::write_block(std::string_view bytes) {
  SNUG_ASSERT(!bytes.empty() && bytes.size() <= k_block_bytes);
  sink_.text("<script type=\"text/plain\" class=\"snug-buffer\">");
  sink_.text(base64(bytes));
  sink_.text("</script>\n");
}

std::string json_for_html(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\' && i + 1 < json.size()) {
      out += c;
      out += json[++i];
      continue;
    }
    if (c == '"') in_string = !in_string;
    if (!in_string && (c == ' ' || c == '\n' || c == '\r' || c == '\t')) continue;
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

std::string text_for_html(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        // Of the control characters HTML allows the blanks.
        out += static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' ? ' ' : c;
    }
  return out;
}

}  // namespace snug::page
