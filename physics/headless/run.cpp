#include "physics/headless/run.hpp"

#include "physics/headless/remarks.hpp"
#include "physics/headless/step_lines.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace snug::headless {

namespace {

constexpr std::uint64_t k_most_frames = 600;             // of a page: ten seconds at 60 Hz
constexpr std::uint64_t k_most_page_contacts = 200'000;  // 40 bytes each

/// Keeps what a page or an animation shows.
class Recorder {
 public:
  Recorder(const WorldScene& scene, std::uint64_t steps, RunReport& report)
      : scene_(scene), report_(report), every_((steps + k_most_frames - 1) / k_most_frames) {
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i)
      if (!scene.bodies[i].fixed) report.playback.parts.push_back(i);
    const std::uint64_t frames = steps / std::max<std::uint64_t>(1, every_) + 2;
    report.between_frames = static_cast<double>(std::max<std::uint64_t>(1, every_)) / scene.rate_hz;
    contacts_per_frame_ = std::max<std::uint64_t>(16, k_most_page_contacts / frames);
  }

  void at(const Instant& instant, std::vector<WorldContact> contacts, bool last) {
    if (instant.step % std::max<std::uint64_t>(1, every_) != 0 && !last) return;
    PagePlayback& playback = report_.playback;
    const auto frame = static_cast<std::uint32_t>(playback.times.size());
    playback.times.push_back(instant.time);
    note_meetings(instant.time, contacts);
    // Bodies that are not there yet wait where the assembly has them.
    for (const std::uint32_t part : playback.parts)
      playback.poses.push_back(instant.present[part] ? instant.poses[part] : scene_.assembly.parts()[part].pose);
    if (contacts.size() > contacts_per_frame_) {
      std::ranges::stable_sort(contacts, std::ranges::greater{}, &WorldContact::depth);
      report_.contacts_left_out += contacts.size() - contacts_per_frame_;
      contacts.resize(contacts_per_frame_);
    }
    for (const WorldContact& c : contacts) playback.contacts.push_back({frame, c.a, c.b, c.point, -c.normal, c.depth});
  }

  /// Of all contacts, those that no page has room for included.
  void note_meetings(double time, std::span<const WorldContact> contacts) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> now;
    for (const WorldContact& c : contacts) {
      if (c.depth < 0) continue;  // only predicted
      const std::pair pair(c.a, c.b);
      const auto before = meeting_.find(pair);
      const std::size_t at =
          now.try_emplace(pair, before == meeting_.end() ? report_.meetings.size() : before->second).first->second;
      if (at == report_.meetings.size())
        report_.meetings.push_back({c.a, c.b, Verdict::touch, time, time, {}, true, 0.0});
      PageInterval& meeting = report_.meetings[at];
      meeting.end = time;
      meeting.depth = std::max(*meeting.depth, c.depth);
      if (c.depth > 0) meeting.verdict = Verdict::clash;
    }
    meeting_ = std::move(now);
  }

 private:
  const WorldScene& scene_;
  RunReport& report_;
  std::uint64_t every_, contacts_per_frame_ = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> meeting_;  ///< at the last frame; into meetings
};

/// Which devices cast rays, and which were taken out.
void tell_devices(const RayContactOptions& contacts, RunReport& report) {
  if (contacts.device != Device::opencl) return;
  const Devices& devices = contacts.devices != nullptr ? *contacts.devices : Devices::shared();
  for (const DeviceInfo& device : devices.list())
    if (device.refused.empty()) report.devices.push_back(device.name);
  for (std::string& warning : devices.warnings()) report.remarks.push_back(std::move(warning));
}

void add(RunReport& report, const Interpenetration& now) {
  ++report.judged;
  report.total.volume += now.volume;
  report.total.error += now.error;
  report.total.pairs += now.pairs;
  if (now.volume >= report.most.volume) report.most = now;
  report.last = now;
}

}  // namespace

RunReport run(const WorldScene& scene, const RunOptions& options) {
  RunReport report;
  report.steps_asked =
      options.steps > 0
          ? options.steps
          : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(scene.duration * scene.rate_hz)));
  for (const BodySpec& body : scene.bodies) report.bodies += body.fixed ? 0 : 1;

  World world(scene, {.contacts = options.contacts, .threads = options.threads});
  const SceneShapes shapes(scene);
  Judge judge(shapes);
  Recorder recorder(scene, report.steps_asked, report);
  if (options.line) options.line(lines_head(scene));
  std::vector<WorldContact> contacts;
  Instant instant;  // of the last step; what is told of it waits for the contacts that the next one finds
  const auto look = [&] {
    instant = {.step = world.steps(), .time = world.time(), .energy = world.energy()};
    world.poses(instant.poses);
    // Before the first step nobody is in the world yet.
    for (std::uint32_t i = 0; i < scene.bodies.size(); ++i)
      instant.present.push_back(world.present(i) || (instant.step == 0 && scene.bodies[i].release <= 0));
  };
  const auto tell = [&](bool last) {
    if (!options.line && !options.playback) return;
    world.contacts(contacts);
    // Those who appear as the next step begins are not there yet.
    std::erase_if(contacts, [&](const WorldContact& c) { return !instant.present[c.a] || !instant.present[c.b]; });
    if (options.line && instant.step > 0) options.line(line_of_step(instant, contacts, world.work().pairs));
    if (options.playback) recorder.at(instant, contacts, last);
  };
  look();
  Remarks remarks(scene, shapes);
  remarks.at(instant.step, instant.poses, instant.present);
  double contact_sum = 0, pair_sum = 0;
  for (std::uint64_t step = 0; step < report.steps_asked; ++step) {
    if (options.watch.cancelled()) {
      report.cancelled = true;
      break;
    }
    remarks.before_step(world, instant.poses);
    world.step();
    tell(false);
    look();
    const StepWork& work = world.work();
    remarks.at(instant.step, instant.poses, instant.present);
    report.step_times.add(work.seconds);
    report.narrow_times.add(work.narrow_seconds);
    report.device_rays += work.device_rays, report.redone_rays += work.redone_rays;
    contact_sum += static_cast<double>(work.contacts), pair_sum += static_cast<double>(work.pairs);
    report.contacts_most = std::max(report.contacts_most, work.contacts);
    report.pairs_most = std::max(report.pairs_most, work.pairs);
    report.energy_last = instant.energy;
    if (step == 0) report.energy_first = report.energy_most = report.energy_last;
    report.energy_most = std::max(report.energy_most, report.energy_last);
    const bool last = step + 1 == report.steps_asked;
    if (options.judge_every > 0 && ((step + 1) % options.judge_every == 0 || last)) {
      instant.judged = judge.judge(instant.poses, instant.present, options.threads);
      add(report, *instant.judged);
    }
    if (options.watch.progress)
      options.watch.progress(static_cast<double>(step + 1) / static_cast<double>(report.steps_asked));
  }
  report.steps = world.steps();
  report.duration = world.time();
  report.fastest = world.fastest();
  report.state_hash = world.state_hash();
  report.remarks = remarks.all(world);
  tell_devices(options.contacts, report);
  if (report.steps > 0) {
    report.contacts_mean = contact_sum / static_cast<double>(report.steps);
    report.pairs_mean = pair_sum / static_cast<double>(report.steps);
  }
  if (options.line || options.playback) {
    world.step();  // for the contacts that it begins with alone
    tell(true);
  }
  return report;
}

}  // namespace snug::headless
