// Arbitrary bytes as a COLLADA file.
#include "load_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  snug::fuzz::load_bytes(snug::FileFormat::dae, data, size);
  return 0;
}
