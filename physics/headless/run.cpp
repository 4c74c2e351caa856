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

  void at(const World& world, std::span<const Pose> poses, std::vector<WorldContact> contacts, bool last) {
    if (world.steps() % std::max<std::uint64_t>(1, every_) != 0 && !last) return;
    PagePlayback& playback = report_.playback;
    const auto frame = static_cast<std::uint32_t>(playback.times.size());
    playback.times.push_back(world.time());
    note_meetings(world.time(), contacts);
    // Bodies that are not there yet wait where the assembly has them.
    for (const std::uint32_t part : playback.parts)
      playback.poses.push_back(world.present(part) ? poses[part] : scene_.assembly.parts()[part].pose);
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
      if (now.contains(pair)) continue;
      const auto before = meeting_.find(pair);
      if (before == meeting_.end()) {
        now.emplace(pair, report_.meetings.size());
        report_.meetings.push_back({c.a, c.b, Verdict::touch, time, time, {}, true});
      } else {
        report_.meetings[before->second].end = time;
        now.insert(*before);
      }
    }
    meeting_ = std::move(now);
  }

 private:
  const WorldScene& scene_;
  RunReport& report_;
  std::uint64_t every_, contacts_per_frame_ = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> meeting_;  ///< at the last frame; into meetings
};

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

  report.remarks = remarks_on(scene);
  World world(scene, {.contacts = options.contacts, .threads = options.threads});
  Judge judge(scene);
  Recorder recorder(scene, report.steps_asked, report);
  if (options.line) options.line(lines_head(scene));
  std::vector<Pose> poses;
  std::vector<WorldContact> contacts;
  std::vector<bool> present(scene.bodies.size());
  const auto look = [&] {
    world.poses(poses);
    world.contacts(contacts);
  };
  look();
  if (options.playback) recorder.at(world, poses, contacts, false);
  double contact_sum = 0, pair_sum = 0;
  for (std::uint64_t step = 0; step < report.steps_asked; ++step) {
    if (options.watch.cancelled()) {
      report.cancelled = true;
      break;
    }
    world.step();
    look();
    const StepWork& work = world.work();
    report.step_seconds.push_back(work.seconds);
    report.narrow_seconds.push_back(work.narrow_seconds);
    contact_sum += static_cast<double>(work.contacts), pair_sum += static_cast<double>(work.pairs);
    report.contacts_most = std::max(report.contacts_most, work.contacts);
    report.pairs_most = std::max(report.pairs_most, work.pairs);
    report.energy_last = world.energy();
    if (step == 0) report.energy_first = report.energy_most = report.energy_last;
    report.energy_most = std::max(report.energy_most, report.energy_last);
    std::optional<Interpenetration> now;
    const bool last = step + 1 == report.steps_asked;
    if (options.judge_every > 0 && ((step + 1) % options.judge_every == 0 || last)) {
      for (std::uint32_t i = 0; i < present.size(); ++i) present[i] = world.present(i);
      now = judge.judge(poses, present, options.threads);
      add(report, *now);
    }
    if (options.line) options.line(line_of_step(world, poses, contacts, now));
    if (options.playback) recorder.at(world, poses, contacts, last);
    if (options.watch.progress)
      options.watch.progress(static_cast<double>(step + 1) / static_cast<double>(report.steps_asked));
  }
  report.steps = world.steps();
  report.duration = world.time();
  report.fastest = world.fastest();
  report.state_hash = world.state_hash();
  for (std::string& remark : remarks_on(scene, world)) report.remarks.push_back(std::move(remark));
  if (report.steps > 0) {
    report.contacts_mean = contact_sum / static_cast<double>(report.steps);
    report.pairs_mean = pair_sum / static_cast<double>(report.steps);
  }
  return report;
}

}  // namespace snug::headless
