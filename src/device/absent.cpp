#include "query/device_set.hpp"

namespace snug {

std::shared_ptr<query::DeviceSet> query::open_device_set(const DeviceOptions& /*options*/) {
  return no_devices("this snug was built without OpenCL (opencl-headers)");
}

}  // namespace snug
