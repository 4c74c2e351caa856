#pragma once

#include "device/opencl.hpp"
#include "support/rooms.hpp"

#include <snug/device.hpp>

#include <vector>

namespace snug::device {

struct FoundDevice {
  cl_device_id id = nullptr;
  DeviceInfo info;
};

struct FoundDevices {
  std::vector<FoundDevice> devices;
  std::string why_none;  ///< if so
};

/// All devices of all platforms, those that can not be used with the reason. `pieces` as in DeviceOptions.
[[nodiscard]] FoundDevices discover(const OpenCl& cl, unsigned pieces);

}  // namespace snug::device
