#include "commands.hpp"
#include "errors.hpp"
#include "options.hpp"
#include "output.hpp"
#include "quantity.hpp"

#include <snug/device_work.hpp>
#include <snug/report.hpp>
#include <snug/snug.hpp>

#include <algorithm>

namespace snug::cli {

namespace {

constexpr const char* k_devices_footer = R"(Devices:
  OpenCL devices of this machine, and why one can not be used. The runtime is loaded when it is asked for: libOpenCL.so.1, or
  what the variable SNUG_OPENCL_LIBRARY names. Everything works without; results are the same.

Examples:
    snug devices
    snug devices --json
    snug check gearbox.glb --device opencl --devices 0,2
    snug simulate avalanche --device opencl

Exit status:
    0  there is a device that can be used
    1  there is none
    2  wrong usage
    5  internal error, or output that could not be written
)";

struct DevicesCommand {
  bool json = false;
  unsigned pieces = 1;
};

int run_devices(const DevicesCommand& options) {
  const Devices devices = Devices::open({.pieces = options.pieces});
  write_stdout(options.json ? devices_json(devices) : devices_text(devices));
  if (options.pieces > 1 && devices.usable() > 0 && devices.list().size() == Devices::open().list().size())
    say("--pieces: no device can be divided into " + std::to_string(options.pieces) +
        "; each piece takes a unit of its own, and a runtime that divides");
  return devices.usable() > 0 ? k_clean : k_findings;
}

}  // namespace

void add_chosen_devices(CLI::App& app, std::string& list) {
  not_empty(
      add_value(app, "--devices", list, "LIST",
                "with --device opencl: which of them, by the numbers of 'snug devices', with commas (default all)"));
}

const Devices* open_devices(bool for_devices, const std::string& list) {
  if (!for_devices) {
    if (!list.empty()) fail_usage("--devices is about --device opencl");
    return nullptr;
  }
  DeviceOptions options;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    options.only.push_back(parse_count(std::string_view(list).substr(begin, end - begin), "--devices", 0, 1'000'000));
    begin = end + 1;
    if (end + 1 == list.size()) fail_usage("--devices " + list + ": a number is missing behind the last comma");
  }
  // Never closed: at the end of a program the runtime may be gone before.
  const Devices& devices = list.empty() ? Devices::shared() : *new Devices(Devices::open(options));
  const auto all = devices.list();
  for (const std::size_t chosen : options.only) {
    if (all.empty()) break;
    const std::string what = "--devices " + list + ": ";
    if (chosen >= all.size())
      fail_usage(what + "there is no device " + std::to_string(chosen) + "; 'snug devices' lists those there are");
    if (!all[chosen].refused.empty())
      fail_usage(what + "device " + std::to_string(chosen) + ", " + all[chosen].name +
                 ", can not be used: " + all[chosen].refused);
  }
  if (devices.usable() > 0) return &devices;
  std::string why = devices.why_none();
  for (const DeviceInfo& info : all) why += (why.empty() ? "" : "; ") + info.name + ": " + info.refused;
  fail_usage("--device opencl: no device can be used: " + why + "; --device cpu gives the same result");
}

void tell_of_devices(const Devices& devices) {
  for (const std::string& warning : devices.warnings()) say(warning);
  const DeviceWork work = work_of(devices);
  std::string did;
  if (work.rays > 0)
    did = counted(work.rays, "ray") + ", of which the processor cast " + std::to_string(work.redone) + " again";
  if (work.tree_pairs > 0) did += (did.empty() ? "" : "; ") + counted(work.tree_pairs, "pair") + " of DOP-trees";
  say("OpenCL: " + counted(devices.usable(), "device") + ", " + (did.empty() ? "unused" : did));
}

void add_devices(CLI::App& app, Action& action) {
  auto options = std::make_shared<DevicesCommand>();
  CLI::App& command = *app.add_subcommand("devices", "List OpenCL devices, and why one can not be used");
  command.add_flag("--json", options->json, "print one JSON document instead of a table");
  command.add_option("--pieces", options->pieces, "divide each device that can be into so many (default 1)")
      ->type_name("N")
      ->check(CLI::Range(1U, 1024U).description(""));
  command.footer(k_devices_footer);
  command.callback([options, &action] { action = [options] { return run_devices(*options); }; });
}

}  // namespace snug::cli
