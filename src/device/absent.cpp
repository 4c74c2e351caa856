#include "query/device_set.hpp"

namespace snug::device {

std::shared_ptr<DeviceSet> open_device_set(const DeviceOptions& /*options*/) {
  return no_devices("this snug was built without OpenCL (opencl-headers)");
}

}  // namespace snug::device
