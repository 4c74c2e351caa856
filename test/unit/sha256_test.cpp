#include "support/sha256.hpp"
#include "scenes/random.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace snug {
namespace {

using support::Sha256;
using support::Sha256State;

std::string hashed(std::string_view text, std::size_t piece) {
  Sha256 hash;
  const auto bytes = std::as_bytes(std::span(text));
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    hash.update(bytes.subspan(at, std::min(piece, bytes.size() - at)));
  return support::to_hex(hash.finish());
}

// The examples of FIPS 180-4, fed in pieces that begin and end anywhere in a block.
TEST(Sha256, GivesTheStandardsExamples) {
  const std::string million(1000000, 'a');
  for (const std::size_t piece : {1, 3, 55, 63, 64, 65, 128, 1000, 1000000}) {
    SCOPED_TRACE(piece);
    EXPECT_EQ(hashed("", piece), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hashed("abc", piece), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hashed("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", piece),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(hashed(million, piece), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }
}

TEST(Sha256, InstructionsDoNotShow) {
  scenes::Random random(1);
  for (std::size_t count = 0; count < 20; ++count) {
    std::vector<std::uint8_t> blocks(64 * count);
    for (std::uint8_t& byte : blocks) byte = static_cast<std::uint8_t>(random.next());
    Sha256State portable;
    for (std::uint32_t& word : portable) word = static_cast<std::uint32_t>(random.next());
    Sha256State x86 = portable;
    support::sha256_blocks_portable(portable, blocks.data(), count);
    if (!support::sha256_blocks_x86(x86, blocks.data(), count)) GTEST_SKIP() << "this processor has no SHA extensions";
    EXPECT_EQ(portable, x86) << count;
  }
}

}  // namespace
}  // namespace snug
