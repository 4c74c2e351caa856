#pragma once

#include "bench/pairs/series.hpp"

#include "scenes/scene.hpp"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace snug::bench::pairs {

/// An assembly that moves: at each step the pairs of parts whose boxes overlap and of which at least one has moved.
struct MotionSteps {
  struct Meeting {
    std::uint32_t a = 0, b = 0;  ///< parts
    Pose pose_a, pose_b;
  };
  std::vector<Mesh> parts;
  std::vector<std::vector<Meeting>> steps;
};
/// `count` times evenly over the motion, then `extra` between them.
[[nodiscard]] MotionSteps motion_steps(const scenes::Scene& scene, std::size_t count, std::size_t extra);

/// One body for each distinct mesh.
class AssemblyBodies {
 public:
  AssemblyBodies(const Engine& engine, const std::vector<Mesh>& parts);
  [[nodiscard]] const Engine& engine() const { return engine_; }
  [[nodiscard]] const Body& of(std::uint32_t part) const { return *bodies_[body_of_[part]]; }

 private:
  const Engine& engine_;
  std::vector<std::unique_ptr<Body>> bodies_;
  std::vector<std::size_t> body_of_;
};

/// All meetings of a step are timed as one. Both arguments outlive this.
class AssemblyMotion final : public Contender {
 public:
  AssemblyMotion(const AssemblyBodies& bodies, const MotionSteps& steps);
  void prepare(std::size_t step) override;
  void run(Query query) override;
  Answer answer(Query query) override;

 private:
  const AssemblyBodies& bodies_;
  const MotionSteps& steps_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::unique_ptr<PairQueries>> queries_;
  std::vector<PairQueries*> placed_;  ///< of the step at hand
  std::vector<char> hits_;
  std::vector<double> distances_;
};

}  // namespace snug::bench::pairs
