#include "fake_opencl.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "kernel/kernels_as_cpp.hpp"  // behind all others: it names things as OpenCL does

namespace {

#include "kernel/dop_kernels.inc"
#include "kernel/ray_kernels.inc"

}  // namespace

namespace snug::test {
namespace {

/// Known while they live: one whose release was made to fail is no leak of the library's.
struct Objects {
  std::mutex mutex;
  std::set<const void*> all;
};
Objects& objects() {
  static Objects& known = *new Objects;
  return known;
}
struct Counted {
  Counted() {
    const std::lock_guard lock(objects().mutex);
    objects().all.insert(this);
  }
  ~Counted() {
    const std::lock_guard lock(objects().mutex);
    objects().all.erase(this);
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
};

struct Runtime {
  FakeDevice device;
  std::deque<FakeDevice> pieces;  ///< by which devices are known; never freed
  std::mutex mutex;
};
std::atomic<Runtime*> current = nullptr;

struct Context : Counted {
  const FakeDevice* device;
  std::atomic<std::uint64_t> used = 0;
};
struct Queue : Counted {};
struct Event : Counted {};
struct Buffer : Counted {
  // Not set to anything: memory that nobody touches costs nothing.
  Buffer(Context& c, std::size_t n) : context(c), size(n), bytes(new std::byte[n]) { context.used += size; }
  ~Buffer() { context.used -= size; }
  Context& context;
  std::size_t size;
  std::unique_ptr<std::byte[]> bytes;
};
struct Program : Counted {
  std::string options;
};
struct Kernel : Counted {
  std::function<void(const Kernel&)> item;
  std::vector<std::vector<std::byte>> arguments;
};

template <class T>
T read_argument(const Kernel& kernel, std::size_t at) {
  T value;
  EXPECT_LT(at, kernel.arguments.size());
  EXPECT_EQ(kernel.arguments[at].size(), sizeof value);
  std::memcpy(&value, kernel.arguments[at].data(), sizeof value);
  return value;
}
template <class T>
struct Argument {
  static T get(const Kernel& kernel, std::size_t at) { return read_argument<T>(kernel, at); }
};
template <class T>
struct Argument<T*> {
  static T* get(const Kernel& kernel, std::size_t at) {
    return reinterpret_cast<T*>(read_argument<Buffer*>(kernel, at)->bytes.get());
  }
};
template <class... Arguments, std::size_t... At>
std::function<void(const Kernel&)> called(void (*kernel)(Arguments...), std::index_sequence<At...>) {
  return [kernel](const Kernel& with) { kernel(Argument<Arguments>::get(with, At)...); };
}
template <class... Arguments>
std::function<void(const Kernel&)> called(void (*kernel)(Arguments...)) {
  return called(kernel, std::index_sequence_for<Arguments...>());
}

template <class Handle, class T>
Handle handle(T* object) {
  return reinterpret_cast<Handle>(object);
}
template <class T, class Handle>
T& object(Handle handle) {
  return *reinterpret_cast<T*>(handle);
}
template <class T, class Handle>
cl_int CL_API_CALL release(Handle handle) {
  delete reinterpret_cast<T*>(handle);
  return CL_SUCCESS;
}

cl_int give(const void* value, std::size_t size, std::size_t room, void* out, std::size_t* needed) {
  if (needed != nullptr) *needed = size;
  if (out != nullptr && room < size) return CL_INVALID_VALUE;
  if (out != nullptr) std::memcpy(out, value, size);
  return CL_SUCCESS;
}
template <class T>
cl_int give(T value, std::size_t room, void* out, std::size_t* needed) {
  return give(&value, sizeof value, room, out, needed);
}
cl_int give(const char* text, std::size_t room, void* out, std::size_t* needed) {
  return give(static_cast<const void*>(text), std::strlen(text) + 1, room, out, needed);
}

cl_int CL_API_CALL platforms(cl_uint room, cl_platform_id* out, cl_uint* count) {
  if (count != nullptr) *count = 1;
  if (out != nullptr && room > 0) *out = handle<cl_platform_id>(current.load());
  return CL_SUCCESS;
}
cl_int CL_API_CALL platform_info(cl_platform_id, cl_platform_info, std::size_t room, void* out, std::size_t* needed) {
  return give("fake", room, out, needed);
}
cl_int CL_API_CALL devices(cl_platform_id platform, cl_device_type, cl_uint room, cl_device_id* out, cl_uint* count) {
  if (count != nullptr) *count = 1;
  if (out != nullptr && room > 0) *out = handle<cl_device_id>(&object<Runtime>(platform).device);
  return CL_SUCCESS;
}
cl_int CL_API_CALL device_info(cl_device_id id, cl_device_info what, std::size_t room, void* out, std::size_t* needed) {
  const auto& device = object<const FakeDevice>(id);
  switch (what) {
    case CL_DEVICE_TYPE:
      return give(cl_device_type{CL_DEVICE_TYPE_ACCELERATOR}, room, out, needed);
    case CL_DEVICE_NAME:
    case CL_DEVICE_VENDOR:
    case CL_DRIVER_VERSION:
      return give("fake", room, out, needed);
    case CL_DEVICE_VERSION:
      return give("OpenCL 1.2 fake", room, out, needed);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
      return give(cl_uint{device.units}, room, out, needed);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
      return give(cl_ulong{device.memory_bytes}, room, out, needed);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
      return give(cl_ulong{device.largest_buffer_bytes}, room, out, needed);
    case CL_DEVICE_DOUBLE_FP_CONFIG:
      return give(cl_device_fp_config{device.doubles ? ~cl_device_fp_config{0} : 0}, room, out, needed);
    case CL_DEVICE_SINGLE_FP_CONFIG:
      return give(
          static_cast<cl_device_fp_config>(device.rounds_to_nearest ? CL_FP_ROUND_TO_NEAREST : CL_FP_ROUND_TO_ZERO),
          room, out, needed);
    case CL_DEVICE_PROFILE:
      return give("FULL_PROFILE", room, out, needed);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return give(device.group_items, room, out, needed);
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_ENDIAN_LITTLE:
      return give(cl_bool{CL_TRUE}, room, out, needed);
    default:
      return CL_INVALID_VALUE;
  }
}
cl_int CL_API_CALL divide(cl_device_id id, const cl_device_partition_property* how, cl_uint room, cl_device_id* out,
                          cl_uint* count) {
  const auto& device = object<const FakeDevice>(id);
  const auto units = static_cast<unsigned>(how[1]);
  const cl_uint pieces = device.units / units;
  if (count != nullptr) *count = pieces;
  Runtime& runtime = *current.load();
  const std::lock_guard lock(runtime.mutex);
  for (cl_uint i = 0; out != nullptr && i < pieces && i < room; ++i) {
    FakeDevice& piece = runtime.pieces.emplace_back(device);
    piece.units = units;
    if (i > 0 && device.other_pieces_buffer_bytes > 0) piece.largest_buffer_bytes = device.other_pieces_buffer_bytes;
    out[i] = handle<cl_device_id>(&piece);
  }
  return CL_SUCCESS;
}

cl_context CL_API_CALL make_context(const cl_context_properties*, cl_uint, const cl_device_id* id,
                                    void(CL_CALLBACK*)(const char*, const void*, std::size_t, void*), void*, cl_int*) {
  auto* const context = new Context;
  context->device = &object<const FakeDevice>(*id);
  return handle<cl_context>(context);
}
cl_command_queue CL_API_CALL make_queue(cl_context, cl_device_id, cl_command_queue_properties, cl_int*) {
  return handle<cl_command_queue>(new Queue);
}
cl_program CL_API_CALL make_program(cl_context, cl_uint, const char**, const std::size_t*, cl_int*) {
  return handle<cl_program>(new Program);
}
cl_program CL_API_CALL make_compiled(cl_context, cl_uint, const cl_device_id*, const std::size_t*,
                                     const unsigned char**, cl_int* status, cl_int*) {
  *status = CL_SUCCESS;
  return handle<cl_program>(new Program);
}
cl_int CL_API_CALL program_info(cl_program, cl_program_info what, std::size_t room, void* out, std::size_t* needed) {
  constexpr std::size_t k_size = 256;
  if (what == CL_PROGRAM_BINARY_SIZES) return give(k_size, room, out, needed);
  std::memset(*static_cast<char**>(out), 'b', k_size);
  return CL_SUCCESS;
}
cl_int CL_API_CALL build(cl_program program, cl_uint, const cl_device_id*, const char* options,
                         void(CL_CALLBACK*)(cl_program, void*), void*) {
  object<Program>(program).options = options;
  return CL_SUCCESS;
}
cl_int CL_API_CALL build_info(cl_program, cl_device_id, cl_program_build_info, std::size_t room, void* out,
                              std::size_t* needed) {
  return give("no log", room, out, needed);
}
cl_kernel CL_API_CALL make_kernel(cl_program program, const char* text, cl_int* error) {
  const std::string name = text, &options = object<Program>(program).options;
  const auto has = [&](const char* option) { return options.find(option) != std::string::npos; };
  auto* const kernel = new Kernel;
  const bool roots = name == "snug_dop_roots";
  if (name == "snug_rays")
    kernel->item = called(has("SNUG_BASIC") ? basic::snug_rays : stackless::snug_rays);
  else if (name == "snug_follow")
    kernel->item = called(walking::snug_follow);
  else if (name == "snug_project")
    kernel->item = called(projecting::snug_project);
  else if (!has("SNUG_KEPT_TREES") && !has("SNUG_WIDE"))
    kernel->item = roots ? called(narrow::snug_dop_roots) : called(narrow::snug_dop_open);
  else if (!has("SNUG_KEPT_TREES"))
    kernel->item = roots ? called(wide::snug_dop_roots) : called(wide::snug_dop_open);
  else if (!has("SNUG_WIDE"))
    kernel->item = roots ? called(kept::snug_dop_roots) : called(kept::snug_dop_open);
  else
    kernel->item = roots ? called(kept_wide::snug_dop_roots) : called(kept_wide::snug_dop_open);
  *error = CL_SUCCESS;
  return handle<cl_kernel>(kernel);
}
cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint at, std::size_t size, const void* value) {
  auto& arguments = object<Kernel>(kernel).arguments;
  if (arguments.size() <= at) arguments.resize(at + 1);
  const auto* const bytes = static_cast<const std::byte*>(value);
  arguments[at].assign(bytes, bytes + size);
  return CL_SUCCESS;
}
cl_mem CL_API_CALL make_buffer(cl_context handle_of, cl_mem_flags, std::size_t size, void*, cl_int* error) {
  auto& context = object<Context>(handle_of);
  *error = size == 0 || size > context.device->largest_buffer_bytes ? CL_INVALID_BUFFER_SIZE
           : context.used + size > context.device->memory_bytes     ? CL_MEM_OBJECT_ALLOCATION_FAILURE
                                                                    : CL_SUCCESS;
  return *error == CL_SUCCESS ? handle<cl_mem>(new Buffer(context, size)) : nullptr;
}
cl_int CL_API_CALL write(cl_command_queue, cl_mem to, cl_bool, std::size_t begin, std::size_t size, const void* from,
                         cl_uint, const cl_event*, cl_event* event) {
  const auto& buffer = object<Buffer>(to);
  if (size == 0 || begin + size > buffer.size) return CL_INVALID_VALUE;
  std::memcpy(buffer.bytes.get() + begin, from, size);
  *event = handle<cl_event>(new Event);
  return CL_SUCCESS;
}
cl_int CL_API_CALL read(cl_command_queue, cl_mem from, cl_bool, std::size_t begin, std::size_t size, void* to, cl_uint,
                        const cl_event*, cl_event* event) {
  const auto& buffer = object<Buffer>(from);
  if (size == 0 || begin + size > buffer.size) return CL_INVALID_VALUE;
  std::memcpy(to, buffer.bytes.get() + begin, size);
  *event = handle<cl_event>(new Event);
  return CL_SUCCESS;
}
cl_int CL_API_CALL run(cl_command_queue, cl_kernel kernel, cl_uint, const std::size_t*, const std::size_t* items,
                       const std::size_t* group, cl_uint, const cl_event*, cl_event* event) {
  group_items = *group;
  for (current_item = 0; current_item < *items; ++current_item) object<Kernel>(kernel).item(object<Kernel>(kernel));
  group_items = 1;
  *event = handle<cl_event>(new Event);
  return CL_SUCCESS;
}
cl_int CL_API_CALL flush(cl_command_queue) { return CL_SUCCESS; }
cl_int CL_API_CALL event_info(cl_event, cl_event_info, std::size_t room, void* out, std::size_t* needed) {
  return give(cl_int{CL_COMPLETE}, room, out, needed);
}
cl_int CL_API_CALL event_times(cl_event, cl_profiling_info what, std::size_t room, void* out, std::size_t* needed) {
  return give(cl_ulong{what == CL_PROFILING_COMMAND_END ? 2000U : 1000U}, room, out, needed);
}

}  // namespace

std::shared_ptr<device::OpenCl> fake_opencl(const FakeDevice& device) {
  static std::deque<Runtime>& all = *new std::deque<Runtime>;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  Runtime& runtime = all.emplace_back();
  runtime.device = device;
  current = &runtime;
  auto cl = std::make_shared<device::OpenCl>();
  device::OpenClCalls& c = cl->calls;
  c.platforms.function = platforms, c.platform_info.function = platform_info, c.devices.function = devices;
  c.device_info.function = device_info, c.divide.function = divide;
  c.make_context.function = make_context, c.free_context.function = release<Context>;
  c.make_queue.function = make_queue, c.free_queue.function = release<Queue>;
  c.make_program.function = make_program, c.make_compiled.function = make_compiled;
  c.program_info.function = program_info, c.build.function = build, c.build_info.function = build_info;
  c.free_program.function = release<Program>, c.make_kernel.function = make_kernel;
  c.set_argument.function = set_argument, c.free_kernel.function = release<Kernel>;
  c.make_buffer.function = make_buffer, c.free_buffer.function = release<Buffer>;
  c.write.function = write, c.read.function = read, c.run.function = run, c.flush.function = flush;
  c.event_info.function = event_info, c.event_times.function = event_times, c.free_event.function = release<Event>;
  return cl;
}

}  // namespace snug::test
