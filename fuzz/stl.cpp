// Any bytes as STL, text or binary.
#include "load_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  snug::fuzz::load_bytes(snug::FileFormat::stl, data, size);
  return 0;
}
