#include "query/device_set.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>

namespace snug {

namespace device {

namespace {

class NoDevices final : public DeviceSet {
 public:
  explicit NoDevices(std::string why) noexcept : why_(std::move(why)) {}
  [[nodiscard]] std::vector<DeviceInfo> list() const override { return {}; }
  [[nodiscard]] std::string why_none() const override { return why_; }
  [[nodiscard]] std::vector<std::string> warnings() const override { return {}; }
  [[nodiscard]] bool walk(std::span<const DopPair>, const DopSearch&, std::vector<DopWalked>&) override {
    return false;
  }
  [[nodiscard]] bool cast(const DeviceRays&, DeviceRaysTold&) override { return false; }
  [[nodiscard]] std::vector<std::uint32_t> in_use() const override { return {}; }
  [[nodiscard]] DeviceWork work() const override { return {}; }

 private:
  std::string why_;
};

}  // namespace

}  // namespace device

std::shared_ptr<query::DeviceSet> query::no_devices(std::string why) {
  return std::make_shared<device::NoDevices>(std::move(why));
}

const char* to_string(Device device) noexcept {
  switch (device) {
    case Device::opencl:
      return "opencl";
    case Device::chip:
      return "chip";
    case Device::cpu:
      break;
  }
  return "cpu";
}

const char* to_string(DeviceInfo::Kind kind) noexcept {
  constexpr std::array<const char*, 4> k_words{"cpu", "gpu", "accelerator", "other"};
  return k_words[std::min<std::size_t>(static_cast<std::size_t>(kind), k_words.size() - 1)];
}

Devices::Devices(std::shared_ptr<detail::DeviceSet> set) noexcept : set_(std::move(set)) {
  SNUG_ASSERT(set_ != nullptr);
}

Devices Devices::open(const DeviceOptions& options) { return Devices(query::open_device_set(options)); }

const Devices& Devices::shared() {
  // Never destroyed: at the end of a program the runtime may be gone before.
  static const Devices& devices = *new Devices(open());
  return devices;
}

std::vector<DeviceInfo> Devices::list() const { return set_->list(); }
std::string Devices::why_none() const { return set_->why_none(); }
std::vector<std::string> Devices::warnings() const { return set_->warnings(); }

DeviceWork work_of(const Devices& devices) { return detail::DeviceAccess::set(devices).work(); }

std::size_t Devices::usable() const {
  const auto all = list();
  return static_cast<std::size_t>(std::ranges::count_if(all, [](const DeviceInfo& d) { return d.refused.empty(); }));
}

}  // namespace snug
