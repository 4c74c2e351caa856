#include "verdict/durable_id.hpp"

#include "support/sha256.hpp"

#include <snug/mesh.hpp>

#include <algorithm>
#include <span>

namespace snug::detail {

std::string durable_id(const std::string& a, const std::string& b) {
  Sha256 sha;
  for (const std::string* path : {&a, &b}) {
    sha.update_u64(path->size());
    sha.update(std::as_bytes(std::span(path->data(), path->size())));
  }
  ContentHash hash{};
  std::ranges::copy(sha.finish(), hash.begin());
  return to_hex(hash).substr(0, 16);
}

}  // namespace snug::detail
