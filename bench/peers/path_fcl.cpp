// FCL's continuous collision with explicit motions: the overload that takes transforms reads a reference point that nobody set. Of its
// solvers, ray shooting is empty and the polynomial one takes no rotation.

#include "bench/peers/fcl_model.hpp"
#include "bench/peers/path_engine.hpp"

#include <fcl/math/motion/interp_motion.h>
#include <fcl/narrowphase/continuous_collision.h>

#include <optional>

namespace snug::bench {

namespace {

class FclPath final : public PathQueries {
 public:
  FclPath(const Mesh& a, const Mesh& b, fcl::CCDSolverType solver, std::size_t rounds) {
    build_fcl_model(a, a_);
    build_fcl_model(b, b_);
    request_.ccd_solver_type = solver;
    request_.num_max_iterations = rounds;
    request_.toc_err = 1e-6;
  }
  void prepare(const RigidPath& path) override {
    set(motion_a_, path.a);
    set(motion_b_, path.b);
  }
  PathAnswer run() override {
    fcl::ContinuousCollisionResultd result;
    fcl::continuousCollide<double>(&a_, &*motion_a_, &b_, &*motion_b_, request_, result);
    return result.is_collide ? PathAnswer{true, result.time_of_contact} : PathAnswer{};
  }

 private:
  using Motion = fcl::InterpMotion<double>;
  /// By matrices and vectors: the constructor that takes transforms and a reference point leaves the speeds unset.
  static void set(std::optional<Motion>& motion, const std::array<Pose, 2>& ends) {
    const fcl::Transform3d from = fcl_transform(ends[0]), to = fcl_transform(ends[1]);
    motion.emplace(from.linear(), from.translation(), to.linear(), to.translation(), fcl::Vector3d::Zero());
  }

  FclModel a_, b_;
  fcl::ContinuousCollisionRequestd request_;
  std::optional<Motion> motion_a_, motion_b_;
};

}  // namespace

std::unique_ptr<PathQueries> make_fcl_naive_1000(const Mesh& a, const Mesh& b) {
  return std::make_unique<FclPath>(a, b, fcl::CCDC_NAIVE, 1000);
}
std::unique_ptr<PathQueries> make_fcl_naive_10(const Mesh& a, const Mesh& b) {
  return std::make_unique<FclPath>(a, b, fcl::CCDC_NAIVE, 10);
}
std::unique_ptr<PathQueries> make_fcl_advancement(const Mesh& a, const Mesh& b) {
  return std::make_unique<FclPath>(a, b, fcl::CCDC_CONSERVATIVE_ADVANCEMENT, 1000);
}

}  // namespace snug::bench
