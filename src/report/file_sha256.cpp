#include "io/bytes/byte_source.hpp"
#include "support/sha256.hpp"

#include <snug/report.hpp>

#include <span>

namespace snug {

Result<std::string, IoError> file_sha256(const std::filesystem::path& path, const CancelToken* cancel) {
  const LoadOptions options{.max_file_bytes = ~std::uint64_t{0}, .cancel = cancel};
  auto source = io::ByteSource::open(path, options);
  if (!source) return Failure{std::move(source).error()};
  source->restart(options, true);
  return source->finish();
}

std::string sha256_of(std::string_view bytes) {
  support::Sha256 hash;
  hash.update(std::as_bytes(std::span(bytes)));
  return support::to_hex(hash.finish());
}

}  // namespace snug
