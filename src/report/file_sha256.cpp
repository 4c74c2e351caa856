#include "io/byte_source.hpp"
#include "support/sha256.hpp"

#include <snug/report.hpp>

#include <array>

namespace snug {

Result<std::string, IoError> file_sha256(const std::filesystem::path& path, const CancelToken* cancel) {
  const LoadOptions options{.max_file_bytes = ~std::uint64_t{0}, .cancel = cancel};
  auto source = io::ByteSource::open(path, options);
  if (!source) return Failure{std::move(source).error()};
  detail::Sha256 hash;
  std::vector<char> chunk(std::size_t{1} << 16);
  while (const std::size_t count = source->read(chunk)) hash.update(std::as_bytes(std::span(chunk.data(), count)));
  if (const auto& failed = source->failure()) return Failure{*failed};
  return to_hex(hash.finish());
}

}  // namespace snug
