#include "bench/lehericey/recording.hpp"

#include <algorithm>
#include <numeric>

namespace snug::bench::lehericey {

headless::WorldScene cut_down(const char* name, std::uint32_t bodies) {
  const headless::WorldScene whole = headless::world_scene(scenes::find(name)->make({}));
  std::vector<std::uint32_t> chosen(whole.bodies.size());
  std::iota(chosen.begin(), chosen.end(), 0U);
  std::ranges::stable_sort(chosen, {}, [&](std::uint32_t i) {
    const Vec3& at = whole.assembly.parts()[i].pose.translation();
    const auto& body = whole.bodies[i];
    return body.fixed ? -1.0 : body.at ? body.release : at.x * at.x + at.y * at.y;
  });
  const auto fixed = static_cast<std::size_t>(std::ranges::count(whole.bodies, true, &headless::BodySpec::fixed));
  chosen.resize(std::min(chosen.size(), fixed + bodies));
  headless::WorldScene scene{.name = whole.name,
                             .assembly = Assembly(whole.assembly.units()),
                             .bodies = {},
                             .gravity = whole.gravity,
                             .rate_hz = whole.rate_hz,
                             .duration = whole.duration};
  for (const std::uint32_t i : chosen) {
    (void)scene.assembly.add(whole.assembly.parts()[i]).value();
    scene.bodies.push_back(whole.bodies[i]);
  }
  return scene;
}

Stage::Stage(const headless::WorldScene& scene, double margin) : margin_(margin) {
  std::map<const Point3*, Shape> known;
  for (const Part& part : scene.assembly.parts())
    shapes_.push_back(known.try_emplace(part.mesh.vertices().data(), part.mesh).first->second);
  for (const headless::BodySpec& body : scene.bodies) fixed_.push_back(body.fixed);
}

std::vector<PartPair> Stage::pairs(const std::vector<Pose>& poses, const std::vector<bool>& present) const {
  std::vector<std::pair<Aabb, std::uint32_t>> boxes;
  for (std::uint32_t i = 0; i < poses.size(); ++i) {
    if (!present[i]) continue;
    Aabb box;
    for (const Point3& p : shapes_[i].mesh().vertices()) box.include(poses[i].apply(p));
    const Vec3 margin{margin_, margin_, margin_};
    boxes.emplace_back(Aabb{box.lo - margin, box.hi + margin}, i);
  }
  std::vector<PartPair> out;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = i + 1; j < boxes.size(); ++j)
      if (boxes[i].first.overlaps(boxes[j].first) && !(fixed_[boxes[i].second] && fixed_[boxes[j].second]))
        out.emplace_back(boxes[i].second, boxes[j].second);
  return out;
}

Stage::Length Stage::ray_length(const std::vector<Pose>& poses, const std::vector<PartPair>& pairs) {
  Length sum;
  for (const auto& [a, b] : pairs)
    if (contacts(shapes_[a], poses[a], shapes_[b], poses[b], scratch_, out_,
                 {.rays = RayContactOptions::Rays::standard, .complete = false})) {
      sum.along_rays += out_.stats.ray_length;
      for (const Contact& contact : out_.contacts) sum.reprojected += contact.depth;
    }
  return sum;
}

const std::vector<ContactTracker*>& Trackers::at(const Frame& frame) {
  std::erase_if(all_, [&](const auto& entry) { return !std::ranges::binary_search(frame.pairs, entry.first); });
  now_.clear();
  for (const PartPair& pair : frame.pairs) {
    auto found = all_.find(pair);
    if (found == all_.end()) found = all_.emplace(pair, ContactTracker::make(options_).value()).first;
    now_.push_back(&found->second);
  }
  return now_;
}

void watch(const headless::WorldScene& scene, const headless::WorldOptions& options, std::uint32_t steps,
           const Stage& stage, const std::function<void(const headless::World&, const Frame&)>& see) {
  headless::World world(scene, options);
  Frame frame;
  std::vector<bool> present(scene.bodies.size());
  for (std::uint32_t i = 0; i < steps; ++i) {
    world.step();
    world.poses(frame.poses);
    for (std::uint32_t p = 0; p < present.size(); ++p) present[p] = world.present(p);
    frame.pairs = stage.pairs(frame.poses, present);
    see(world, frame);
  }
}

}  // namespace snug::bench::lehericey
