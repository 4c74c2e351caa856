// Our engine, by its public headers alone.

#include "bench/peers/engine.hpp"

#include <snug/distance.hpp>
#include <snug/query.hpp>
#include <snug/shape.hpp>
#include <snug/version.hpp>

namespace snug::bench {

namespace {

class OurBody final : public Body {
 public:
  /// A shape builds its tree when that is first needed, and for telling its size it is.
  OurBody(const Mesh& mesh, unsigned threads) : shape(mesh, {.threads = threads}), bytes_(shape.bytes()) {}
  std::size_t bytes() const override { return bytes_; }
  Shape shape;

 private:
  std::size_t bytes_;
};

class OurQueries final : public PairQueries {
 public:
  OurQueries(const Shape& a, const Shape& b, unsigned threads) : a_(a), b_(b) { options_.threads = threads; }

  void place(const Pose& a, const Pose& b) override { pose_a_ = a, pose_b_ = b; }
  void find_all() override { found_ = triangle_pairs(a_, pose_a_, b_, pose_b_, scratch_, options_); }
  bool find_first() override { return first_pair(a_, pose_a_, b_, pose_b_, scratch_, options_).has_value(); }
  double find_distance() override { return distance(a_, pose_a_, b_, pose_b_, scratch_).value; }
  void pairs(std::vector<IdPair>& out) const override {
    out.clear();
    for (const TrianglePair& pair : found_) out.push_back({pair.a, pair.b});
  }

 private:
  Shape a_, b_;
  Pose pose_a_, pose_b_;
  QueryOptions options_;
  Scratch scratch_;
  std::vector<TrianglePair> found_;
};

class Ours final : public Engine {
 public:
  explicit Ours(unsigned threads) : threads_(threads) {}
  std::string_view name() const override { return "snug"; }
  std::string version() const override { return std::string(snug::version()); }
  Trust trust() const override { return Trust::exact; }
  bool can(Query /*query*/) const override { return true; }
  unsigned threads() const override { return threads_; }
  bool builds_in_parallel() const override { return true; }

  std::unique_ptr<Body> build(const Mesh& mesh) const override { return std::make_unique<OurBody>(mesh, threads_); }
  std::unique_ptr<PairQueries> pair(const Body& a, const Body& b) const override {
    return std::make_unique<OurQueries>(static_cast<const OurBody&>(a).shape, static_cast<const OurBody&>(b).shape,
                                        threads_);
  }

 private:
  unsigned threads_;
};

}  // namespace

std::unique_ptr<Engine> make_ours(unsigned threads) { return std::make_unique<Ours>(threads); }

}  // namespace snug::bench
