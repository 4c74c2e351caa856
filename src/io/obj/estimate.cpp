#include "io/obj/obj.hpp"
#include "io/text/number.hpp"

#include <algorithm>

namespace snug::io {

namespace {

struct Sampled {
  std::uint64_t bytes = 0, vertices = 0, triangles = 0;

  void add_line(const char* at, const char* end) {
    bytes += static_cast<std::uint64_t>(end - at) + 1;
    if (end - at < 2 || !is_blank(at[1])) return;
    if (*at == 'v') ++vertices;
    if (*at != 'f') return;
    std::uint64_t corners = 0;
    for (at = skip_blanks(at + 1, end); at != end; at = skip_blanks(at, end)) {
      at = skip_word(at, end);
      ++corners;
    }
    triangles += corners > 2 ? corners - 2 : 0;
  }
  /// The whole lines of a piece cut out of a file anywhere.
  void add_piece(std::string_view piece) {
    std::size_t start = piece.find('\n');
    while (start != std::string_view::npos) {
      ++start;
      const std::size_t stop = piece.find('\n', start);
      if (stop != std::string_view::npos) add_line(piece.data() + start, piece.data() + stop);
      start = stop;
    }
  }
};

}  // namespace

ObjCounts estimate_obj_counts(ByteSource& source) {
  constexpr std::uint64_t k_pieces = 64, k_piece = 4096, k_worth_it = 8 * k_pieces * k_piece;
  constexpr std::uint64_t k_most_bytes = std::uint64_t{1} << 30;  // beyond, an array may as well grow
  if (source.size() < k_worth_it) return {};
  source.set_progress_range(0, 0);
  Sampled sampled;
  std::string piece(k_piece, '\0');
  for (std::uint64_t i = 0; i < k_pieces; ++i) {
    source.seek((source.size() - k_piece) / (k_pieces - 1) * i);
    sampled.add_piece({piece.data(), source.read(piece)});
  }
  source.seek(0);
  source.set_progress_range(0, 0.9);
  if (sampled.bytes == 0) return {};
  const auto scaled = [&](std::uint64_t count, std::uint64_t size_of_one) {
    const double all = 1.04 * static_cast<double>(count) * static_cast<double>(source.size());
    const double estimate = all / static_cast<double>(sampled.bytes);
    return static_cast<std::size_t>(
        std::min(estimate, static_cast<double>(k_most_bytes) / static_cast<double>(size_of_one)));
  };
  return {scaled(sampled.vertices, sizeof(Point3)), scaled(sampled.triangles, sizeof(Index3))};
}

}  // namespace snug::io
