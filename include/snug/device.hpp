#pragma once

#include <snug/export.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace snug {

namespace detail {
class DeviceSet;
struct DeviceAccess;
}  // namespace detail

/// Where a query runs. Answers do not depend on it, to the last bit: questions that end at the first pair, and visitors, who see
/// an order, are always answered by the processor.
enum class Device : std::uint8_t {
  cpu,
  opencl,  ///< method `dop_fixed`, and rays of contacts; all else, and whatever devices fail to do, is done by the processor
  chip,  ///< method `dop_fixed` in the cycle model of the chip (docs/chip-system.md); all else is done by the processor
};

/// "cpu", "opencl", "chip".
[[nodiscard]] SNUG_API const char* to_string(Device device) noexcept;

/// An OpenCL device, or a piece of one.
struct DeviceInfo {
  enum class Kind : std::uint8_t { cpu, gpu, accelerator, other } kind = Kind::other;
  std::string name, platform, vendor;
  std::string version;  ///< of OpenCL, as the device tells it
  std::string driver;
  std::uint32_t units = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t largest_buffer_bytes = 0;
  /// It knows doubles as IEEE 754 has them: contacts are made of hits there, and DOP-trees stay there. Otherwise the processor makes
  /// them, and each query sends its trees.
  bool doubles = false;
  std::string refused;  ///< why it is not used, or was taken out; empty if it is in use
};
/// "cpu", "gpu", "accelerator", "other".
[[nodiscard]] SNUG_API const char* to_string(DeviceInfo::Kind kind) noexcept;

struct DeviceOptions {
  /// The OpenCL runtime; empty: what the variable SNUG_OPENCL_LIBRARY names, else libOpenCL.so.1.
  std::string library = {};
  /// Each device that can be is divided into so many, one or more computing units each. 1: as it is.
  unsigned pieces = 1;
  /// A command, or a call of the runtime, that is not done by then counts as hung, and its device is taken out. As if not
  /// given unless it is positive.
  double seconds = 30;
  /// Those to be used, by their places in list(); the others are listed, and refused. Empty: all.
  std::vector<std::size_t> only = {};
};

/// The OpenCL devices of the machine. The runtime is loaded when they are opened; without one there are none, and queries run
/// on the processor. A device that fails is taken out, and its work is done elsewhere. Cheap to copy; may be shared among
/// threads.
class SNUG_API Devices {
 public:
  [[nodiscard]] static Devices open(const DeviceOptions& options = {});
  /// Those of the process, opened when first asked for.
  [[nodiscard]] static const Devices& shared();

  /// All that were found, refused ones too.
  [[nodiscard]] std::vector<DeviceInfo> list() const;
  /// In use.
  [[nodiscard]] std::size_t usable() const;
  /// Why there are none, if so: no runtime, no platform, or built without.
  [[nodiscard]] std::string why_none() const;
  /// One line for each device that was taken out since it was opened, and one if some work fitted into none.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  friend struct detail::DeviceAccess;
  explicit Devices(std::shared_ptr<detail::DeviceSet> set) noexcept;
  std::shared_ptr<detail::DeviceSet> set_;
};

}  // namespace snug
