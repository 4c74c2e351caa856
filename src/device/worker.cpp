#include "device/worker.hpp"

#include "support/assert.hpp"

#include <algorithm>
#include <chrono>
#include <locale>
#include <sstream>
#include <thread>
#include <utility>

namespace snug::device {

std::string seconds_text(double seconds) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << seconds << " s";
  return out.str();
}

Worker::Worker(std::shared_ptr<const OpenCl> cl, FoundDevice device, double seconds,
               std::shared_ptr<const ProgramCache> programs)
    : cl_(std::move(cl)),
      device_(std::move(device)),
      seconds_(seconds),
      given_up_("a call of the runtime did not return within " + seconds_text(seconds)),
      compiled_(std::move(programs)) {
  SNUG_ASSERT(cl_ != nullptr && compiled_ != nullptr);
}

Worker::~Worker() {
  const OpenClCalls& calls = cl_->calls;
  for (const Memory& memory : memories_)
    if (memory.buffer != nullptr) (void)(*cl_)(calls.free_buffer, memory.buffer);
  for (const auto& [key, kernel] : kernels_) (void)(*cl_)(calls.free_kernel, kernel);
  for (const auto& [key, program] : programs_) (void)(*cl_)(calls.free_program, program);
  if (queue_ != nullptr) (void)(*cl_)(calls.free_queue, queue_);
  if (context_ != nullptr) (void)(*cl_)(calls.free_context, context_);
}

namespace {

/// The share of a device's memory that is left for buffers that are made larger than they need be, and for others.
constexpr double k_to_grow = 0.25;

std::int64_t now_ns() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Worker::UnderWay::UnderWay(Worker& worker) noexcept : worker_(worker) {
  SNUG_ASSERT(worker_.since_.load() == 0);
  worker_.since_.store(now_ns());
}

Worker::UnderWay::~UnderWay() {
  if (worker_.since_.exchange(0) != -1) return;
  // Whoever waited for this has gone on, and what was to be done with the answer may be gone as well.
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

bool Worker::give_up() noexcept {
  std::int64_t since = since_.load();
  if (since <= 0 || 1e-9 * static_cast<double>(now_ns() - since) <= seconds_) return false;
  if (!since_.compare_exchange_strong(since, -1)) return false;  // it came back just now
  hung_ = true;
  if (failure_.empty()) failure_.swap(given_up_);
  return true;
}

bool Worker::check(cl_int error, const char* call) {
  if (error == CL_SUCCESS) return true;
  if (failure_.empty()) failure_ = std::string(call) + ": " + opencl_error(error);
  return false;
}

void Worker::open() {
  if (queue_ != nullptr || !ok()) return;
  const OpenClCalls& calls = cl_->calls;
  cl_int error = CL_SUCCESS;
  // It may be there from before, if memory ran out in between.
  if (context_ == nullptr) context_ = make(calls.make_context, error, nullptr, 1U, &device_.id, nullptr, nullptr);
  if (!check(error, calls.make_context.name)) return;
  queue_ = make(calls.make_queue, error, context_, device_.id, cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE});
  check(error, calls.make_queue.name);
}

cl_program Worker::compiled(const Digest& key, const std::string& options) {
  const OpenClCalls& calls = cl_->calls;
  const auto bytes = compiled_->files().find(key);
  if (!bytes) return nullptr;
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes->data());
  const std::size_t size = bytes->size();
  cl_int status = CL_SUCCESS, error = CL_SUCCESS;
  const cl_program made = make(calls.make_compiled, error, context_, 1U, &device_.id, &size,
                               const_cast<const unsigned char**>(&data), &status);
  if (made != nullptr && status == CL_SUCCESS &&
      call(calls.build, made, 1U, &device_.id, options.c_str(), nullptr, nullptr) == CL_SUCCESS) {
    ++times_.programs_found;
    return made;
  }
  // Somebody else's, or of another driver that gives the same name: to be compiled anew.
  if (made != nullptr) (void)call(calls.free_program, made);
  compiled_->files().drop(key);
  return nullptr;
}

void Worker::keep_compiled(const Digest& key, cl_program program) {
  const OpenClCalls& calls = cl_->calls;
  std::size_t size = 0;
  constexpr std::size_t k_most = std::size_t{1} << 25;
  if (call(calls.program_info, program, cl_program_info{CL_PROGRAM_BINARY_SIZES}, sizeof size, &size, nullptr) !=
          CL_SUCCESS ||
      size == 0 || size > k_most)
    return;
  std::string bytes(size, '\0');
  char* const data = bytes.data();
  if (call(calls.program_info, program, cl_program_info{CL_PROGRAM_BINARIES}, sizeof data,
           static_cast<void*>(const_cast<char**>(&data)), nullptr) == CL_SUCCESS)
    compiled_->files().store(key, bytes);
}

cl_program Worker::program(const KernelSource& source, const std::string& options) {
  const auto known = programs_.find({&source, options});
  if (known != programs_.end() && !unbuilt_.contains(known->second)) return known->second;
  const OpenClCalls& calls = cl_->calls;
  const std::string all = "-cl-std=CL1.2 -D SNUG_GROUP=" + std::to_string(k_group_items) + ' ' + options;
  const bool keeps = compiled_->usable();
  const Digest key = keeps ? ProgramCache::key(source.text, all, device_.info) : Digest{};
  if (keeps)
    if (const cl_program made = compiled(key, all)) return programs_[{&source, options}] = made;
  const char* const text = source.text.data();
  const std::size_t length = source.text.size();
  cl_int error = CL_SUCCESS;
  // It may be there from before, if memory ran out while it was built.
  cl_program made = known != programs_.end() ? known->second : nullptr;
  if (made == nullptr) {
    made = make(calls.make_program, error, context_, 1U, const_cast<const char**>(&text), &length);
    if (!check(error, calls.make_program.name)) return nullptr;
    unbuilt_.insert(made);
    programs_[{&source, options}] = made;
  }
  error = call(calls.build, made, 1U, &device_.id, all.c_str(), nullptr, nullptr);
  if (error == CL_SUCCESS) {
    ++times_.programs_built;
    unbuilt_.erase(made);
    if (keeps) keep_compiled(key, made);
    return made;
  }
  std::string log(2000, '\0');
  std::size_t bytes = 0;
  if (failure_.empty() && call(calls.build_info, made, device_.id, cl_program_build_info{CL_PROGRAM_BUILD_LOG},
                               log.size(), log.data(), &bytes) == CL_SUCCESS)
    failure_ = "kernel " + std::string(source.name) + " does not build: " + log.substr(0, log.find('\0'));
  check(error, calls.build.name);
  return nullptr;
}

cl_kernel Worker::prepare(const KernelSource& source, const std::string& options, const char* kernel) {
  open();
  if (!ok()) return nullptr;
  const cl_program from = program(source, options);
  if (!ok()) return nullptr;
  const auto known = kernels_.find({from, kernel});
  if (known != kernels_.end()) return known->second;
  cl_int error = CL_SUCCESS;
  const cl_kernel made = make(cl_->calls.make_kernel, error, from, kernel);
  if (!check(error, cl_->calls.make_kernel.name)) return nullptr;
  return kernels_[{from, kernel}] = made;
}

void Worker::argument(cl_kernel kernel, cl_uint at, Slot slot) {
  if (!ok()) return;
  const cl_mem buffer = memories_[slot].buffer;
  // NOLINTNEXTLINE(bugprone-sizeof-expression): the handle itself is the argument
  check(call(cl_->calls.set_argument, kernel, at, sizeof buffer, &buffer), cl_->calls.set_argument.name);
}

void Worker::argument(cl_kernel kernel, cl_uint at, cl_uint number) {
  if (!ok()) return;
  check(call(cl_->calls.set_argument, kernel, at, sizeof number, &number), cl_->calls.set_argument.name);
}

void Worker::launch(cl_kernel kernel, const char* name, std::size_t items) {
  if (!ok() || items == 0) return;
  const std::size_t group = k_group_items, global = (items + group - 1) / group * group;
  SNUG_ASSERT(kernel != nullptr && queue_ != nullptr);
  cl_event event = nullptr;
  if (!check(call(cl_->calls.run, queue_, kernel, 1U, nullptr, &global, &group, 0U, nullptr, &event),
             cl_->calls.run.name))
    return;
  times_.kernels[name] += finish(event);
  ++times_.launches;
}

std::size_t Worker::held() const noexcept {
  std::size_t sum = 0;
  for (unsigned slot = 0; slot < k_slots; ++slot) sum += room(static_cast<Slot>(slot));
  return sum;
}

bool Worker::fits(std::span<const Need> needs) const noexcept {
  std::size_t sum = held();
  for (const Need& need : needs) sum += need.bytes - std::min(need.bytes, room(need.slot));
  return could_fit(needs) &&
         static_cast<double>(sum) <= (1 - k_to_grow) * static_cast<double>(device_.info.memory_bytes);
}

bool Worker::could_fit(std::span<const Need> needs) const noexcept {
  std::size_t sum = 0;
  for (const Need& need : needs) {
    if (need.bytes > device_.info.largest_buffer_bytes) return false;
    sum += need.bytes;
  }
  return static_cast<double>(sum) <= (1 - k_to_grow) * static_cast<double>(device_.info.memory_bytes);
}

bool Worker::grows(std::span<const Need> needs) const noexcept {
  return std::ranges::any_of(needs, [&](const Need& need) { return need.bytes > room(need.slot); });
}

void Worker::release() {
  for (Memory& memory : memories_)
    if (const cl_mem former = std::exchange(memory.buffer, nullptr); former != nullptr && ok())
      check(call(cl_->calls.free_buffer, former), cl_->calls.free_buffer.name);
}

void Worker::reserve(Slot slot, std::size_t bytes) {
  open();
  Memory& memory = memories_[slot];
  if (!ok() || (memory.buffer != nullptr && memory.bytes >= bytes)) return;
  if (memory.buffer != nullptr) {
    const cl_mem former = std::exchange(memory.buffer, nullptr);
    if (!check(call(cl_->calls.free_buffer, former), cl_->calls.free_buffer.name)) return;
  }
  // A little more than asked for, so that it need not grow at every step; not where memory is short.
  const std::size_t more = bytes + bytes / 2 + 256;
  const bool plenty = more <= device_.info.largest_buffer_bytes &&
                      static_cast<double>(held() + more) <= k_to_grow * static_cast<double>(device_.info.memory_bytes);
  memory.bytes = plenty ? more : std::max(bytes, std::size_t{16});
  cl_int error = CL_SUCCESS;
  memory.buffer = make(cl_->calls.make_buffer, error, context_, cl_mem_flags{CL_MEM_READ_WRITE}, memory.bytes, nullptr);
  check(error, cl_->calls.make_buffer.name);
}

void Worker::upload(Slot slot, std::size_t bytes, std::size_t begin) {
  reserve(slot, begin + bytes);
  if (!ok() || bytes == 0) return;
  SNUG_ASSERT(hosts_[slot].size() >= bytes && room(slot) >= begin + bytes);
  cl_event event = nullptr;
  if (!check(call(cl_->calls.write, queue_, memories_[slot].buffer, cl_bool{CL_FALSE}, begin, bytes,
                  hosts_[slot].data(), 0U, nullptr, &event),
             cl_->calls.write.name))
    return;
  times_.to_device += finish(event);
  times_.bytes_to_device += bytes, ++times_.transfers;
}

void Worker::download(Slot slot, std::size_t bytes, std::size_t begin) {
  if (!ok() || bytes == 0) return;
  SNUG_ASSERT(room(slot) >= begin + bytes);
  if (hosts_[slot].size() < begin + bytes) hosts_[slot].resize(begin + bytes);
  cl_event event = nullptr;
  if (!check(call(cl_->calls.read, queue_, memories_[slot].buffer, cl_bool{CL_FALSE}, begin, bytes,
                  hosts_[slot].data() + begin, 0U, nullptr, &event),
             cl_->calls.read.name))
    return;
  times_.to_host += finish(event);
  times_.bytes_to_host += bytes, ++times_.transfers;
}

void Worker::exchange(Slot a, Slot b) noexcept {
  SNUG_ASSERT(a != b && a < k_slots && b < k_slots);
  std::swap(memories_[a], memories_[b]);
  std::swap(hosts_[a], hosts_[b]);
}

double Worker::finish(cl_event event) {
  using Clock = std::chrono::steady_clock;
  const OpenClCalls& calls = cl_->calls;
  const auto start = Clock::now();
  bool done = false;
  if (check(call(calls.flush, queue_), calls.flush.name)) {
    for (unsigned looks = 0;; ++looks) {
      cl_int status = CL_QUEUED;
      // A watcher hears of the first look only: how many there are depends on how busy the machine is.
      constexpr cl_event_info k_what = CL_EVENT_COMMAND_EXECUTION_STATUS;
      const auto look = [&] {
        const UnderWay under_way(*this);
        return looks == 0 ? (*cl_)(calls.event_info, event, k_what, sizeof status, &status, nullptr)
                          : calls.event_info.function(event, k_what, sizeof status, &status, nullptr);
      };
      const cl_int error = look();
      if (!check(error, calls.event_info.name)) break;
      if (cl_->watcher != nullptr && cl_->watcher->stalled()) status = CL_RUNNING;
      if (status < 0) {
        check(status, "a command");
        break;
      }
      done = status == CL_COMPLETE;
      if (done) break;
      if (std::chrono::duration<double>(Clock::now() - start).count() > seconds_) {
        failure_ = "a command did not end within " + seconds_text(seconds_);
        break;
      }
      // Most take less than a sleep would.
      if (looks < 2000)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
  if (!done) {
    hung_ = true;  // it may still be under way
    return 0;
  }
  cl_ulong from = 0, to = 0;
  check(call(calls.event_times, event, cl_profiling_info{CL_PROFILING_COMMAND_START}, sizeof from, &from, nullptr),
        calls.event_times.name);
  check(call(calls.event_times, event, cl_profiling_info{CL_PROFILING_COMMAND_END}, sizeof to, &to, nullptr),
        calls.event_times.name);
  check(call(calls.free_event, event), calls.free_event.name);
  return to > from ? 1e-9 * static_cast<double>(to - from) : 0;
}

}  // namespace snug::device
