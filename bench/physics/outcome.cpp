#include "bench/physics/outcome.hpp"

#include "physics/headless/judge.hpp"
#include "scenes/vectors.hpp"

#include <snug/bullet.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <limits>
#include <type_traits>

namespace snug::bench::physics {

namespace {

/// Of GImpact: a thousandth of a body. With Bullet's centimetre, or a millimetre, gears jump off their pins.
constexpr double k_margin = 1e-4;
constexpr std::uint32_t k_width = 320, k_height = 300;

/// The largest way of a corner of a part's box between two states.
class Travels {
 public:
  explicit Travels(const headless::Trial& trial) {
    for (const Part& part : trial.scene.assembly.parts()) boxes_.push_back(part.mesh.bounds());
  }
  [[nodiscard]] double between(std::span<const Pose> before, std::span<const Pose> after) const {
    double most = 0;
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      for (unsigned k = 0; k < 8; ++k) {
        const Aabb& box = boxes_[i];
        const Point3 corner{(k & 1U) != 0 ? box.hi.x : box.lo.x, (k & 2U) != 0 ? box.hi.y : box.lo.y,
                            (k & 4U) != 0 ? box.hi.z : box.lo.z};
        most = std::max(most, scenes::length(after[i].apply(corner) - before[i].apply(corner)));
      }
    return most;
  }

 private:
  std::vector<Aabb> boxes_;
};

Outcome run(const headless::Trial& trial, headless::WorldOptions::Engine engine, double seconds,
            std::vector<Pose>& poses) {
  headless::World world(trial.scene, {.engine = engine, .gimpact_margin = k_margin, .sleep = false});
  const Travels travels(trial);
  const double dt = 1 / trial.scene.rate_hz;
  const auto steps = static_cast<int>(seconds * trial.scene.rate_hz);
  const int watched = steps - static_cast<int>(k_creep_time * trial.scene.rate_hz);
  double weight = 0, volume = 0, moving = 0;
  for (std::size_t i = 0; i < trial.scene.bodies.size(); ++i) {
    if (trial.scene.bodies[i].fixed) continue;
    const double of = bullet::body_mass(trial.scene.assembly.parts()[i].mesh, 1).mass;
    volume += of, weight += 9.81 * trial.scene.bodies[i].density * of, moving += 1;
  }
  weight /= moving, volume /= moving;

  Outcome out;
  double least = std::numeric_limits<double>::infinity(), least_at_rest = least;
  std::vector<Pose> before, at_watch;
  world.poses(before);
  std::clock_t spent = 0;
  out.rest = 0;
  for (int step = 0; step < steps; ++step) {
    const std::clock_t start = std::clock();
    world.step();
    spent += std::clock() - start;
    world.poses(poses);
    out.contacts += static_cast<double>(world.work().contacts) / steps;
    if (travels.between(before, poses) > k_rest_speed * dt) out.rest = world.time();
    const double energy = world.energy();
    out.rise = std::max(out.rise, 1e3 * (energy - least) / weight);
    least = std::min(least, energy);
    if (step + 1 == watched) at_watch = poses;
    if (step >= watched) {
      out.rise_at_rest = std::max(out.rise_at_rest, 1e3 * (energy - least_at_rest) / weight);
      least_at_rest = std::min(least_at_rest, energy);
    }
    before.swap(poses);
  }
  poses = before;
  if (out.rest > seconds - 0.5 * k_creep_time) out.rest = -1;
  out.creep = 60 / k_creep_time * 1e3 * travels.between(at_watch, poses);
  out.out_of_place = trial.out_of_place(poses);
  headless::Judge judge(trial.scene);
  out.overlap = judge.judge(poses, std::vector<bool>(poses.size(), true), 1).volume / volume;
  out.step_ms = 1e3 * static_cast<double>(spent) / CLOCKS_PER_SEC / steps;
  return out;
}

bool send(int to, const void* data, std::size_t size) {
  for (const char* at = static_cast<const char*>(data); size > 0;) {
    const ssize_t sent = write(to, at, size);
    if (sent <= 0) return false;
    at += sent, size -= static_cast<std::size_t>(sent);
  }
  return true;
}
bool receive(int from, void* data, std::size_t size) {
  for (char* at = static_cast<char*>(data); size > 0;) {
    const ssize_t got = read(from, at, size);
    if (got <= 0) return false;
    at += got, size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

std::optional<Outcome> run_apart(const headless::Trial& trial, headless::WorldOptions::Engine engine, double seconds,
                                 Picture& picture) {
  static_assert(std::is_trivially_copyable_v<Outcome>);
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    std::vector<Pose> poses;
    const Outcome outcome = run(trial, engine, seconds, poses);
    const Picture seen = picture_of(trial, poses, k_width, k_height);
    const bool sent = send(ends[1], &outcome, sizeof outcome) && send(ends[1], seen.pixels.data(), seen.pixels.size());
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  Outcome outcome;
  picture = picture_of(trial, {}, k_width, k_height);
  const bool received = child > 0 && receive(ends[0], &outcome, sizeof outcome) &&
                        receive(ends[0], picture.pixels.data(), picture.pixels.size());
  close(ends[0]);
  int status = 0;
  rusage used{};
  if (child > 0) wait4(child, &status, 0, &used);
  if (!received || status != 0) return std::nullopt;
  outcome.peak_mb = static_cast<double>(used.ru_maxrss) / 1024;
  return outcome;
}

}  // namespace snug::bench::physics
