#include "report/json_document.hpp"
#include "report/words.hpp"
#include "support/text.hpp"

#include <snug/report.hpp>

namespace snug {

namespace {

std::optional<std::string> if_any(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

std::string devices_json(const Devices& devices) {
  report::JsonDocument json;
  json.begin_object();
  json.key("devices").begin_array();
  for (const DeviceInfo& d : devices.list()) {
    json.begin_object();
    json.fields("doubles", d.doubles, "driver", d.driver, "kind", to_string(d.kind), "largest_buffer_bytes",
                d.largest_buffer_bytes, "memory_bytes", d.memory_bytes, "name", d.name, "platform", d.platform,
                "refused", if_any(d.refused), "units", d.units, "vendor", d.vendor, "version", d.version);
    json.end_object();
  }
  json.end_array();
  json.key("schema").value("snug.devices/1");
  json.key("why_none").value(if_any(devices.why_none()));
  json.end_object();
  return json.finish();
}

std::string devices_text(const Devices& devices) {
  const auto all = devices.list();
  if (all.empty()) return "no OpenCL device: " + report::printable(devices.why_none()) + '\n';
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const DeviceInfo& d = all[i];
    const auto line = [&](const char* what, const std::string& text) {
      out += std::string("  ") + what + report::printable(text) + '\n';
    };
    out += std::to_string(i) + "  " + report::printable(d.name) + '\n';
    line("kind      ", std::string(to_string(d.kind)) + ", " + support::counted(d.units, "unit", "units"));
    line("memory    ", mebibytes(d.memory_bytes) + ", " + mebibytes(d.largest_buffer_bytes) + " at once");
    line("doubles   ",
         d.doubles ? "yes" : "no: the processor makes contacts of hits, and DOP-trees are sent with each query");
    line("platform  ", d.platform + ", " + d.vendor);
    line("version   ", d.version + ", driver " + d.driver);
    line("used      ", d.refused.empty() ? "yes" : "no: " + d.refused);
  }
  return out;
}

}  // namespace snug
