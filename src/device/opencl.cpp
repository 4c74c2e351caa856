#include "device/opencl.hpp"

#include <array>
#include <cstdlib>
#include <utility>

#include <dlfcn.h>

namespace snug::device {

namespace {

template <class F>
bool find_call(void* library, OpenClCall<F>& call) {
  call.function = reinterpret_cast<F*>(::dlsym(library, call.name));
  return call.function != nullptr;
}

/// The first that the library lacks, or null.
template <class... Calls>
const char* missing_call(void* library, Calls&... calls) {
  const char* missing = nullptr;
  ((find_call(library, calls) || missing != nullptr || (missing = calls.name) != nullptr), ...);
  return missing;
}

}  // namespace

Result<std::shared_ptr<OpenCl>, std::string> OpenCl::load(const std::string& name) {
  void* const library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = ::dlerror();  // NOLINT(concurrency-mt-unsafe): of this thread, in this C library
    return Failure{"no OpenCL runtime: " + std::string(why != nullptr ? why : name)};
  }
  auto cl = std::make_shared<OpenCl>();
  OpenClCalls& c = cl->calls;
  if (const char* const missing = missing_call(
          library, c.platforms, c.platform_info, c.devices, c.device_info, c.divide, c.make_context, c.free_context,
          c.make_queue, c.free_queue, c.make_program, c.make_compiled, c.program_info, c.build, c.build_info,
          c.free_program, c.make_kernel, c.set_argument, c.free_kernel, c.make_buffer, c.free_buffer, c.write, c.read,
          c.run, c.flush, c.event_info, c.event_times, c.free_event))
    return Failure{name + " is no OpenCL 1.2 runtime: it has no " + missing};
  return cl;
}

std::string opencl_library() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here changes the environment
  const char* const named = std::getenv("SNUG_OPENCL_LIBRARY");
#ifdef SNUG_OPENCL_ONLY_IF_NAMED
  const char* const usual = "libOpenCL-not-under-sanitizers.so";
#else
  const char* const usual = "libOpenCL.so.1";
#endif
  return named != nullptr && *named != 0 ? named : usual;
}

std::string opencl_error(cl_int error) {
  constexpr std::array<std::pair<cl_int, const char*>, 14> k_names{{
      {CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
      {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
      {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
      {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
      {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
      {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
      {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
      {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
      {CL_DEVICE_PARTITION_FAILED, "CL_DEVICE_PARTITION_FAILED"},
      {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
      {CL_INVALID_DEVICE, "CL_INVALID_DEVICE"},
      {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
      {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
      {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
  }};
  for (const auto& [code, name] : k_names)
    if (code == error) return name;
  return "OpenCL error " + std::to_string(error);
}

}  // namespace snug::device
