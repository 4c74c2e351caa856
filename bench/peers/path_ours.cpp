// Our first contact, and what sampling by our own queries would find.

#include "bench/peers/path_engine.hpp"

#include <snug/first_contact.hpp>
#include <snug/query.hpp>

#include <array>
#include <optional>

namespace snug::bench {

namespace {

class OurPath : public PathQueries {
 public:
  OurPath(const Mesh& a, const Mesh& b) : a_(a), b_(b) {}
  void prepare(const RigidPath& path) override {
    motion_a_ = motion_of(path.a);
    motion_b_ = motion_of(path.b);
  }
  PathAnswer run() override {
    const auto found = first_contact(a_, *motion_a_, b_, *motion_b_, scratch_, {.range = TimeSpan{0, 1}});
    return found && found->yes() ? PathAnswer{true, (*found)->t} : PathAnswer{};
  }

 protected:
  /// A body that rests has one key, as users would write it.
  static Motion motion_of(const std::array<Pose, 2>& ends) {
    return ends[0] == ends[1] ? Motion::rest(ends[0])
                              : Motion::make({{0, ends[0]}, {1, ends[1]}}, Arc::shorter).value();
  }

  Shape a_, b_;
  Scratch scratch_;
  std::optional<Motion> motion_a_, motion_b_;
};

class OurSamples final : public OurPath {
 public:
  OurSamples(const Mesh& a, const Mesh& b, int steps) : OurPath(a, b), steps_(steps) {}
  PathAnswer run() override {
    for (int i = 0; i <= steps_; ++i) {
      const double t = static_cast<double>(i) / steps_;
      if (intersects(a_, motion_a_->at(t), b_, motion_b_->at(t), scratch_)) return {true, t};
    }
    return {};
  }

 private:
  int steps_;
};

}  // namespace

std::unique_ptr<PathQueries> make_our_path(const Mesh& a, const Mesh& b) { return std::make_unique<OurPath>(a, b); }
std::unique_ptr<PathQueries> make_our_samples_100(const Mesh& a, const Mesh& b) {
  return std::make_unique<OurSamples>(a, b, 100);
}

std::span<const PathEngine> path_engines() {
  static constexpr std::array k_engines{
      PathEngine{"snug", "first_contact()", true, make_our_path},
      PathEngine{"snug sampled", "intersects() at 100 sub-steps", true, make_our_samples_100},
#ifdef SNUG_PEER_FCL
      PathEngine{"fcl naive 1000", "continuousCollide(), CCDC_NAIVE, 1000 samples", false, make_fcl_naive_1000},
      PathEngine{"fcl naive 10", "continuousCollide(), CCDC_NAIVE, 10 samples, as its request is made", false,
                 make_fcl_naive_10},
      PathEngine{"fcl advancement", "continuousCollide(), CCDC_CONSERVATIVE_ADVANCEMENT", false, make_fcl_advancement},
#endif
  };
  return k_engines;
}

}  // namespace snug::bench
