#include "bench/pairs/assembly_motion.hpp"

#include "bench/pairs/answers.hpp"

#include <algorithm>

namespace snug::bench::pairs {

namespace {

std::vector<Aabb> boxes(const std::vector<Mesh>& parts, const std::vector<Pose>& poses) {
  std::vector<Aabb> out(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const Point3& v : parts[i].vertices()) out[i].include(poses[i].apply(v));
  return out;
}

}  // namespace

MotionSteps motion_steps(const scenes::Scene& scene, std::size_t count, std::size_t extra) {
  MotionSteps out;
  for (const Part& part : scene.assembly.parts()) out.parts.push_back(part.mesh);
  const std::vector<Motion> motions = scenes::world_motions(scene);
  std::vector<Pose> before;
  for (std::size_t k = 0; k < count + extra; ++k) {
    const double along = k < count ? static_cast<double>(k) / static_cast<double>(std::max<std::size_t>(count - 1, 1))
                                   : (static_cast<double>(k - count) + 0.5) / static_cast<double>(count);
    std::vector<Pose> poses;
    for (const Motion& motion : motions) poses.push_back(motion.at(along * scene.duration));
    const std::vector<Aabb> box = boxes(out.parts, poses);
    auto& step = out.steps.emplace_back();
    for (std::uint32_t a = 0; a < poses.size(); ++a)
      for (std::uint32_t b = a + 1; b < poses.size(); ++b) {
        const bool moved = before.empty() || before[a] != poses[a] || before[b] != poses[b];
        if (moved && box[a].overlaps(box[b])) step.push_back({a, b, poses[a], poses[b]});
      }
    before = std::move(poses);
  }
  return out;
}

AssemblyBodies::AssemblyBodies(const Engine& engine, const std::vector<Mesh>& parts) : engine_(engine) {
  std::vector<const Mesh*> built;
  for (const Mesh& part : parts) {
    const auto same = std::ranges::find_if(built, [&](const Mesh* other) { return other->same_data(part); });
    body_of_.push_back(static_cast<std::size_t>(same - built.begin()));
    if (same != built.end()) continue;
    built.push_back(&part);
    bodies_.push_back(engine.build(part));
  }
}

AssemblyMotion::AssemblyMotion(const AssemblyBodies& bodies, const MotionSteps& steps)
    : Contender(std::string(bodies.engine().name()), bodies.engine().trust(), bodies.engine().fragile()),
      bodies_(bodies),
      steps_(steps) {}

void AssemblyMotion::prepare(std::size_t step) {
  placed_.clear();
  for (const auto& meeting : steps_.steps[step]) {
    auto& slot = queries_[{meeting.a, meeting.b}];
    if (!slot) slot = bodies_.engine().pair(bodies_.of(meeting.a), bodies_.of(meeting.b));
    slot->place(meeting.pose_a, meeting.pose_b);
    placed_.push_back(slot.get());
  }
  hits_.assign(placed_.size(), 0);
  distances_.assign(placed_.size(), 0);
}

void AssemblyMotion::run(Query query) {
  for (std::size_t i = 0; i < placed_.size(); ++i) switch (query) {
      case Query::all:
        placed_[i]->find_all();
        break;
      case Query::first:
        hits_[i] = placed_[i]->find_first() ? 1 : 0;
        break;
      case Query::distance:
        distances_[i] = placed_[i]->find_distance();
        break;
    }
}

Answer AssemblyMotion::answer(Query query) {
  Answer out;
  Hash hash;
  std::vector<IdPair> pairs;
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    if (query == Query::all) {
      placed_[i]->pairs(pairs);
      const Answer one = answer_of(pairs);
      out.count += one.count;
      hash.add(one.hash);
    } else {
      out.count += static_cast<std::uint64_t>(hits_[i]);
      hash.add(static_cast<std::uint64_t>(hits_[i]));
      out.distance += distances_[i];
    }
  }
  out.hash = hash.value();
  return out;
}

}  // namespace snug::bench::pairs
