// SystemC and the Verilated RTL of every configuration, as far as the machine has them.

#include "chip/cosim/units.hpp"

#if SNUG_CHIP_RTL
#include "chip/cosim/rtl_unit.hpp"
#include "chip_rtl_tops.hpp"  // by CMake: includes the tops and lists them
#endif

#include <string_view>

namespace snug::hardware {

namespace {

#if SNUG_CHIP_SYSTEMC
/// The model lives as long as the unit that is handed out.
class SystemcUnit final : public OverlapUnit {
 public:
  explicit SystemcUnit(std::shared_ptr<PipeModel> model) : model_(std::move(model)) {}
  PipeOutputs step(const PipeInputs& inputs) override { return model_->cycle_accurate().step(inputs); }
  [[nodiscard]] const char* name() const override { return model_->cycle_accurate().name(); }

 private:
  std::shared_ptr<PipeModel> model_;
};
#endif

}  // namespace

UnitsUnderTest make_units(const Configuration& configuration) {
  UnitsUnderTest made;
#if SNUG_CHIP_SYSTEMC
  const auto model = std::make_shared<PipeModel>(configuration);
  made.units.push_back(std::make_unique<SystemcUnit>(model));
  made.untimed = [model](const std::vector<AxisTest>& tests) { return model->untimed(tests); };
#endif
#if SNUG_CHIP_RTL
#define SNUG_CHIP_TOP(config)                          \
  if (std::string_view(configuration.name) == #config) \
    made.units.push_back(std::make_unique<RtlUnit<V##config, SumsInside>>(configuration, "RTL"));
  SNUG_CHIP_TOPS
#undef SNUG_CHIP_TOP
#endif
  return made;
}

}  // namespace snug::hardware
