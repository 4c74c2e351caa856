#pragma once

#include "device/opencl.hpp"

#include <cstdint>
#include <memory>

namespace snug::test {

/// A device that a test thinks up.
struct FakeDevice {
  unsigned units = 2;
  std::uint64_t memory_bytes = std::uint64_t{1} << 30, largest_buffer_bytes = std::uint64_t{1} << 28;
  bool doubles = true;
  std::uint64_t other_pieces_buffer_bytes = 0;  ///< of all pieces but the first, if not the same
  bool rounds_to_nearest = true;
  std::size_t group_items = 256;
};

/// A runtime with one such device, in this process: kernels are those of the library compiled as C++, items of a group one after the
/// other, so that sanitizers see into them and into all that the host does. Buffers are as large as they were asked for, reading
/// or writing beyond them is an error, and so is asking for more than the memory there is. The device is of the runtime that was
/// made last when devices are opened.
[[nodiscard]] std::shared_ptr<device::OpenCl> fake_opencl(const FakeDevice& device = {});

}  // namespace snug::test
