#include "device/discover.hpp"

#include "device/kernel_source.hpp"

#include <algorithm>
#include <charconv>

namespace snug::device {

namespace {

/// Asks a device for what it is; the first call that fails is kept.
class DeviceAsker {
 public:
  DeviceAsker(const OpenCl& cl, cl_device_id device) noexcept : cl_(cl), device_(device) {}

  std::string text(cl_device_info what) {
    std::size_t bytes = 0;
    if (!ask(what, 0, nullptr, &bytes)) return {};
    std::string out(bytes, '\0');
    if (!ask(what, bytes, out.data(), nullptr)) return {};
    out.resize(std::min(out.find('\0'), out.size()));
    return out;
  }
  template <class T>
  T number(cl_device_info what) {
    T out{};
    return ask(what, sizeof out, &out, nullptr) ? out : T{};
  }
  [[nodiscard]] cl_int error() const noexcept { return error_; }

 private:
  bool ask(cl_device_info what, std::size_t room, void* out, std::size_t* bytes) {
    const cl_int now = cl_(cl_.calls.device_info, device_, what, room, out, bytes);
    if (now != CL_SUCCESS && error_ == CL_SUCCESS) error_ = now;
    return now == CL_SUCCESS;
  }

  const OpenCl& cl_;
  cl_device_id device_;
  cl_int error_ = CL_SUCCESS;
};

DeviceInfo::Kind kind_of(cl_device_type type) noexcept {
  if ((type & CL_DEVICE_TYPE_GPU) != 0) return DeviceInfo::Kind::gpu;
  if ((type & CL_DEVICE_TYPE_ACCELERATOR) != 0) return DeviceInfo::Kind::accelerator;
  return (type & CL_DEVICE_TYPE_CPU) != 0 ? DeviceInfo::Kind::cpu : DeviceInfo::Kind::other;
}

/// Of "OpenCL 1.2 …", 1.2 in tenths; 0 if it says something else.
int version_of(const std::string& text) {
  int major = 0, minor = 0;
  const auto words = std::string_view(text).substr(std::min<std::size_t>(7, text.size()));
  const char* const end = words.data() + words.size();
  const auto dot = std::from_chars(words.data(), end, major);
  if (dot.ec != std::errc() || dot.ptr == end || *dot.ptr != '.') return 0;
  return std::from_chars(dot.ptr + 1, end, minor).ec == std::errc() ? 10 * major + minor : 0;
}

FoundDevice describe_device(const OpenCl& cl, cl_device_id id, const std::string& platform) {
  DeviceAsker ask(cl, id);
  DeviceInfo info;
  info.kind = kind_of(ask.number<cl_device_type>(CL_DEVICE_TYPE));
  info.name = ask.text(CL_DEVICE_NAME);
  info.platform = platform;
  info.vendor = ask.text(CL_DEVICE_VENDOR);
  info.version = ask.text(CL_DEVICE_VERSION);
  info.driver = ask.text(CL_DRIVER_VERSION);
  info.units = ask.number<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS);
  info.memory_bytes = ask.number<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  info.largest_buffer_bytes = ask.number<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  const auto doubles = ask.number<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG);
  constexpr cl_device_fp_config k_ieee = CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM;
  info.doubles = (doubles & k_ieee) == k_ieee;
  const auto floats = ask.number<cl_device_fp_config>(CL_DEVICE_SINGLE_FP_CONFIG);
  const std::string profile = ask.text(CL_DEVICE_PROFILE);
  const auto group = ask.number<std::size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE);
  const bool available = ask.number<cl_bool>(CL_DEVICE_AVAILABLE) == CL_TRUE;
  const bool compiler = ask.number<cl_bool>(CL_DEVICE_COMPILER_AVAILABLE) == CL_TRUE;
  const bool little = ask.number<cl_bool>(CL_DEVICE_ENDIAN_LITTLE) == CL_TRUE;
  if (ask.error() != CL_SUCCESS)
    info.refused = "it does not tell what it is: " + opencl_error(ask.error());
  else if (version_of(info.version) < 12)
    info.refused = "OpenCL 1.2 is needed";
  else if (!available)
    info.refused = "it is not available";
  else if (!compiler)
    info.refused = "it has no compiler";
  else if (!little)
    info.refused = "its bytes are in another order";
  else if (profile != "FULL_PROFILE" || (floats & CL_FP_ROUND_TO_NEAREST) == 0)
    info.refused = "its floats need not be rounded to nearest";
  else if (group < k_group_items)
    info.refused = "its groups have fewer than " + std::to_string(k_group_items) + " items";
  return {id, info};
}

/// The device in pieces, or as it is if it can not be divided into as many.
void add_divided(const OpenCl& cl, FoundDevice whole, unsigned pieces, std::vector<FoundDevice>& out) {
  const unsigned units = whole.info.units / std::max(pieces, 1U);
  if (pieces <= 1 || !whole.info.refused.empty() || units == 0) {
    out.push_back(std::move(whole));
    return;
  }
  const cl_device_partition_property how[] = {CL_DEVICE_PARTITION_EQUALLY,
                                              static_cast<cl_device_partition_property>(units), 0};
  cl_uint count = 0;
  std::vector<cl_device_id> ids;
  cl_int error = cl(cl.calls.divide, whole.id, how, 0U, nullptr, &count);
  if (error == CL_SUCCESS && count > 0) {
    ids.resize(count);
    error = cl(cl.calls.divide, whole.id, how, count, ids.data(), nullptr);
  }
  if (error != CL_SUCCESS || count == 0) {
    out.push_back(std::move(whole));
    return;
  }
  ids.resize(std::min<std::size_t>(ids.size(), pieces));
  for (const cl_device_id id : ids) out.push_back(describe_device(cl, id, whole.info.platform));
}

std::string platform_name(const OpenCl& cl, cl_platform_id platform) {
  std::size_t bytes = 0;
  if (cl(cl.calls.platform_info, platform, CL_PLATFORM_NAME, std::size_t{0}, nullptr, &bytes) != CL_SUCCESS) return {};
  std::string name(bytes, '\0');
  if (cl(cl.calls.platform_info, platform, CL_PLATFORM_NAME, bytes, name.data(), nullptr) != CL_SUCCESS) return {};
  name.resize(std::min(name.find('\0'), name.size()));
  return name;
}

}  // namespace

FoundDevices discover(const OpenCl& cl, unsigned pieces) {
  FoundDevices found;
  constexpr cl_int k_no_platform = -1001;  // CL_PLATFORM_NOT_FOUND_KHR
  cl_uint count = 0;
  cl_int error = cl(cl.calls.platforms, 0U, nullptr, &count);
  std::vector<cl_platform_id> platforms(error == CL_SUCCESS ? count : 0);
  if (!platforms.empty()) error = cl(cl.calls.platforms, count, platforms.data(), nullptr);
  if (error != CL_SUCCESS || platforms.empty()) {
    found.why_none = "the OpenCL runtime has no platform";
    if (error != CL_SUCCESS && error != k_no_platform) found.why_none += ": " + opencl_error(error);
    return found;
  }
  std::vector<FoundDevice> silent;
  for (const cl_platform_id platform : platforms) {
    const std::string name = platform_name(cl, platform);
    cl_uint devices = 0;
    error = cl(cl.calls.devices, platform, cl_device_type{CL_DEVICE_TYPE_ALL}, 0U, nullptr, &devices);
    std::vector<cl_device_id> ids(error == CL_SUCCESS ? devices : 0);
    if (!ids.empty())
      error = cl(cl.calls.devices, platform, cl_device_type{CL_DEVICE_TYPE_ALL}, devices, ids.data(), nullptr);
    if (error != CL_SUCCESS) {
      const std::string why = "platform " + name + " has no device: " + opencl_error(error);
      if (found.why_none.empty()) found.why_none = why;
      DeviceInfo& info = silent.emplace_back().info;
      info.name = "none", info.platform = name, info.refused = why;
      continue;
    }
    for (const cl_device_id id : ids) add_divided(cl, describe_device(cl, id, name), pieces, found.devices);
  }
  // A platform that fails is told of where others have devices, too.
  if (!found.devices.empty()) {
    found.why_none.clear();
    found.devices.insert(found.devices.end(), silent.begin(), silent.end());
  } else if (found.why_none.empty()) {
    found.why_none = "the OpenCL runtime has no device";
  }
  return found;
}

}  // namespace snug::device
