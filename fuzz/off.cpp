// Arbitrary bytes as a OFF file.
#include "load_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  snug::fuzz::load_bytes(snug::FileFormat::off, data, size);
  return 0;
}
