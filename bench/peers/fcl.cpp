// FCL. Contacts are asked for without their points and normals, which is its shorter way: one contact then is one pair.

#include "bench/peers/factories.hpp"
#include "bench/peers/fcl_model.hpp"

#include <fcl/config.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <limits>

namespace snug::bench {

namespace {

using Model = FclModel;

class FclBody final : public Body {
 public:
  explicit FclBody(const Mesh& mesh) { build_fcl_model(mesh, model); }
  std::size_t bytes() const override { return static_cast<std::size_t>(model.memUsage(false)); }
  Model model;
};

class FclQueries final : public PairQueries {
 public:
  FclQueries(const Model& a, const Model& b) : a_(a), b_(b) {
    all_.num_max_contacts = std::numeric_limits<std::size_t>::max() / 2;
    all_.enable_contact = false;
    first_.num_max_contacts = 1;
    first_.enable_contact = false;
    distance_.enable_nearest_points = false;
    distance_.rel_err = 0, distance_.abs_err = 0;
  }
  void place(const Pose& a, const Pose& b) override { pose_a_ = fcl_transform(a), pose_b_ = fcl_transform(b); }
  void find_all() override {
    found_.clear();
    fcl::collide(&a_, pose_a_, &b_, pose_b_, all_, found_);
  }
  bool find_first() override {
    found_.clear();
    return fcl::collide(&a_, pose_a_, &b_, pose_b_, first_, found_) > 0;
  }
  double find_distance() override {
    fcl::DistanceResultd result;
    return fcl::distance(&a_, pose_a_, &b_, pose_b_, distance_, result);
  }
  void pairs(std::vector<IdPair>& out) const override {
    out.clear();
    for (std::size_t i = 0; i < found_.numContacts(); ++i) {
      const auto& contact = found_.getContact(i);
      out.push_back({static_cast<std::uint32_t>(contact.b1), static_cast<std::uint32_t>(contact.b2)});
    }
  }

 private:
  const Model &a_, &b_;
  fcl::Transform3d pose_a_ = fcl::Transform3d::Identity(), pose_b_ = fcl::Transform3d::Identity();
  fcl::CollisionRequestd all_, first_;
  fcl::DistanceRequestd distance_;
  fcl::CollisionResultd found_;
};

class Fcl final : public Engine {
 public:
  std::string_view name() const override { return "fcl"; }
  std::string version() const override { return FCL_VERSION; }
  Trust trust() const override { return Trust::careful; }
  bool can(Query /*query*/) const override { return true; }
  std::unique_ptr<Body> build(const Mesh& mesh) const override { return std::make_unique<FclBody>(mesh); }
  std::unique_ptr<PairQueries> pair(const Body& a, const Body& b) const override {
    return std::make_unique<FclQueries>(static_cast<const FclBody&>(a).model, static_cast<const FclBody&>(b).model);
  }
};

}  // namespace

std::unique_ptr<Engine> make_fcl() { return std::make_unique<Fcl>(); }

}  // namespace snug::bench
