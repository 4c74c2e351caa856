#pragma once

#include "support/assert.hpp"
#include "support/rooms.hpp"

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <snug/result.hpp>

#include <memory>
#include <string>
#include <type_traits>

namespace snug::device {

/// One function of the runtime.
template <class F>
struct OpenClCall {
  const char* name;
  F* function = nullptr;
};

/// All that are used. There is no other way to the runtime, so that tests can have any call fail.
struct OpenClCalls {
  OpenClCall<decltype(clGetPlatformIDs)> platforms{"clGetPlatformIDs"};
  OpenClCall<decltype(clGetPlatformInfo)> platform_info{"clGetPlatformInfo"};
  OpenClCall<decltype(clGetDeviceIDs)> devices{"clGetDeviceIDs"};
  OpenClCall<decltype(clGetDeviceInfo)> device_info{"clGetDeviceInfo"};
  OpenClCall<decltype(clCreateSubDevices)> divide{"clCreateSubDevices"};
  OpenClCall<decltype(clCreateContext)> make_context{"clCreateContext"};
  OpenClCall<decltype(clReleaseContext)> free_context{"clReleaseContext"};
  OpenClCall<decltype(clCreateCommandQueue)> make_queue{"clCreateCommandQueue"};
  OpenClCall<decltype(clReleaseCommandQueue)> free_queue{"clReleaseCommandQueue"};
  OpenClCall<decltype(clCreateProgramWithSource)> make_program{"clCreateProgramWithSource"};
  OpenClCall<decltype(clCreateProgramWithBinary)> make_compiled{"clCreateProgramWithBinary"};
  OpenClCall<decltype(clGetProgramInfo)> program_info{"clGetProgramInfo"};
  OpenClCall<decltype(clBuildProgram)> build{"clBuildProgram"};
  OpenClCall<decltype(clGetProgramBuildInfo)> build_info{"clGetProgramBuildInfo"};
  OpenClCall<decltype(clReleaseProgram)> free_program{"clReleaseProgram"};
  OpenClCall<decltype(clCreateKernel)> make_kernel{"clCreateKernel"};
  OpenClCall<decltype(clSetKernelArg)> set_argument{"clSetKernelArg"};
  OpenClCall<decltype(clReleaseKernel)> free_kernel{"clReleaseKernel"};
  OpenClCall<decltype(clCreateBuffer)> make_buffer{"clCreateBuffer"};
  OpenClCall<decltype(clReleaseMemObject)> free_buffer{"clReleaseMemObject"};
  OpenClCall<decltype(clEnqueueWriteBuffer)> write{"clEnqueueWriteBuffer"};
  OpenClCall<decltype(clEnqueueReadBuffer)> read{"clEnqueueReadBuffer"};
  OpenClCall<decltype(clEnqueueNDRangeKernel)> run{"clEnqueueNDRangeKernel"};
  OpenClCall<decltype(clFlush)> flush{"clFlush"};
  OpenClCall<decltype(clGetEventInfo)> event_info{"clGetEventInfo"};
  OpenClCall<decltype(clGetEventProfilingInfo)> event_times{"clGetEventProfilingInfo"};
  OpenClCall<decltype(clReleaseEvent)> free_event{"clReleaseEvent"};
};

/// Stands between snug and the runtime, for tests.
class OpenClWatcher {
 public:
  virtual ~OpenClWatcher() = default;
  /// Asked before each call; what it returns, other than CL_SUCCESS, is returned in place of making the call.
  virtual cl_int before(const char* call) = 0;
  /// Asked whenever a command is looked at: true, and it seems to be still under way.
  virtual bool stalled() { return false; }
};

/// A loaded runtime. Never unloaded: runtimes leave threads behind.
class OpenCl {
 public:
  /// Why not: the library is missing, or lacks a function.
  [[nodiscard]] static Result<std::shared_ptr<OpenCl>, std::string> load(const std::string& name);

  OpenClCalls calls;
  OpenClWatcher* watcher = nullptr;

  template <class F, class... Arguments>
  cl_int operator()(const OpenClCall<F>& call, Arguments... arguments) const {
    if (watcher != nullptr)
      if (const cl_int refused = watcher->before(call.name); refused != CL_SUCCESS) return refused;
    SNUG_ASSERT(call.function != nullptr);
    return call.function(arguments...);
  }
  /// For those that make something, whose last argument is where the error goes.
  template <class F, class... Arguments>
  auto make(const OpenClCall<F>& call, cl_int& error, Arguments... arguments) const {
    using Made = decltype(call.function(arguments..., &error));
    if (watcher != nullptr)
      if (error = watcher->before(call.name); error != CL_SUCCESS) return Made{};
    error = CL_SUCCESS;
    const Made made = call.function(arguments..., &error);
    return error == CL_SUCCESS ? made : Made{};
  }
};

/// What the variable SNUG_OPENCL_LIBRARY names, else libOpenCL.so.1.
[[nodiscard]] std::string opencl_library();

/// "CL_OUT_OF_RESOURCES", or the number of one that has no name here.
[[nodiscard]] std::string opencl_error(cl_int error);

}  // namespace snug::device
