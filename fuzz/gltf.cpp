// Arbitrary bytes as a glTF file, text or binary.
#include "load_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  snug::fuzz::load_bytes(snug::FileFormat::gltf, data, size);
  return 0;
}
