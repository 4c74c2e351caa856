#include "physics/headless/run.hpp"
#include "report/json_document.hpp"
#include "report/json_parts.hpp"
#include "report/text.hpp"
#include "support/text.hpp"

#include <snug/device.hpp>

namespace snug::headless {

namespace {

using report::JsonDocument;
using enum JsonDocument::Layout;

/// In milliseconds.
void write_times(JsonDocument& json, const StepTimes& times) {
  json.begin_object(line);
  json.key("mean").value(1e3 * times.mean());
  json.key("p99").value(1e3 * times.p99());
  json.end_object();
}

std::string devices_text(const RunReport& r) {
  std::string names;
  for (const std::string& device : r.devices) names += (names.empty() ? "" : ", ") + report::printable(device);
  const double share = r.device_rays == 0 ? 0 : static_cast<double>(r.redone_rays) / static_cast<double>(r.device_rays);
  return "devices: " + (names.empty() ? "none in use" : names) + "; " + report::grouped(r.device_rays, "ray", "rays") +
         ", of which the processor cast " + report::short_number(100 * share) + " % again\n";
}

}  // namespace

std::string simulate_json(const WorldScene& scene, const RunReport& r, const std::vector<InputFile>& inputs,
                          const RunOptions& options, const RunInfo& info) {
  JsonDocument json;
  json.begin_object();
  json.key("bodies").value(r.bodies);
  json.key("cancelled").value(r.cancelled);
  json.key("contacts_mean").value(r.contacts_mean);
  json.key("contacts_most").value(r.contacts_most);
  json.key("device").begin_object(line);
  json.key("asked").value(to_string(options.contacts.device));
  json.key("rays").value(r.device_rays);
  json.key("redone").value(r.redone_rays);
  json.key("used").begin_array(line);
  for (const std::string& device : r.devices) json.value(device);
  json.end_array();
  json.end_object();
  json.key("duration").value(r.duration);
  json.key("energy").begin_object(line);
  json.key("first").value(r.energy_first);
  json.key("last").value(r.energy_last);
  json.key("most").value(r.energy_most);
  json.end_object();
  json.key("fastest").value(r.fastest);
  json.key("inputs");
  report::write_inputs(json, inputs);
  json.key("interpenetration").begin_object(line);
  json.key("error").value(r.total.error);
  json.key("every").value(options.judge_every);
  json.key("judged").value(r.judged);
  json.key("last").value(r.last.volume);
  json.key("measure").value("common volume");
  json.key("most").value(r.most.volume);
  json.key("pairs_last").value(r.last.pairs);
  json.end_object();
  json.key("interpenetration_total");
  if (r.judged > 0)
    json.value(r.total.volume);
  else
    json.null();
  json.key("narrow_ms");
  write_times(json, r.narrow_times);
  json.key("pairs_mean").value(r.pairs_mean);
  json.key("pairs_most").value(r.pairs_most);
  json.key("rate_hz").value(scene.rate_hz);
  json.key("remarks").begin_array();
  for (const std::string& remark : r.remarks) json.value(remark);
  json.end_array();
  json.key("run");
  report::write_run(json, info);
  json.key("scene").value(scene.name);
  json.key("schema").value("snug.simulate/1");
  json.key("state_hash").value(r.state_hash);
  json.key("step_ms");
  write_times(json, r.step_times);
  json.key("steps").value(r.steps);
  json.key("steps_asked").value(r.steps_asked);
  json.key("units").value(to_string(scene.assembly.units()));
  json.end_object();
  return json.finish();
}

std::string simulate_text(const WorldScene& scene, const RunReport& r, const RunOptions& options) {
  const std::string unit(to_string(scene.assembly.units()));
  const auto number = [](double value) { return report::short_number(value); };
  std::string out =
      report::printable(scene.name) + ": " + support::counted(r.steps, "step", "steps") + ", " + number(r.duration) +
      " s, " + support::counted(r.bodies, "body", "bodies") +
      (r.cancelled ? "; stopped early, " + support::counted(r.steps_asked, "step was", "steps were") + " asked for"
                   : "") +
      '\n';
  out += "contacts: " + number(r.contacts_mean) + " a step, at most " + std::to_string(r.contacts_most) +
         "; pairs of boxes: " + number(r.pairs_mean) + ", at most " + std::to_string(r.pairs_most) + '\n';
  if (r.judged > 0)
    out += "interpenetration: " + number(r.total.volume) + ' ' + unit + "³ over " +
           support::counted(r.judged, "instant", "instants") + ", at most " + number(r.most.volume) + ", at the end " +
           number(r.last.volume) + " in " + support::counted(r.last.pairs, "pair", "pairs") + '\n';
  out += "energy: " + number(r.energy_first) + " J at first, " + number(r.energy_last) +
         " J at the end; the fastest body then goes at " + number(r.fastest) + ' ' + unit + "/s\n";
  if (options.contacts.device == Device::opencl) out += devices_text(r);
  const auto times = [&](const StepTimes& t) {
    return number(1e3 * t.mean()) + " ms, p99 " + number(1e3 * t.p99()) + " ms";
  };
  out += "time of a step: " + times(r.step_times) + "; of it contacts " + times(r.narrow_times) + '\n';
  for (const std::string& remark : r.remarks) out += "remark: " + report::printable(remark) + '\n';
  return out + "state: " + r.state_hash + '\n';
}

}  // namespace snug::headless
