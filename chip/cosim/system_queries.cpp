#include "chip/cosim/system_queries.hpp"

#include "scenes/solids.hpp"
#include "scenes/worlds.hpp"
#include "simd/kernels.hpp"

#include <array>
#include <deque>

namespace snug::hardware {

namespace {

using chip::Beat;
using chip::Request;
using chip::Words;

/// Memory that takes requests and brings beats when it likes.
class FickleMemory final : public chip::Memory {
 public:
  FickleMemory(const Words& words, std::uint64_t seed, const Trouble& trouble)
      : contents_(words), random_(seed), slow_(trouble.slow), error_at_(trouble.error_at) {
    draw();
  }
  [[nodiscard]] bool ready() const override { return ready_; }
  [[nodiscard]] Beat beat() const override {
    if (!brings_ || under_way_.empty()) return {};
    Beat beat = contents_.beat(under_way_.front());
    beat.error = beat.error || brought_ == error_at_;
    return beat;
  }
  void clock(const Request& request) override {
    if (brings_ && !under_way_.empty()) {
      under_way_.pop_front();
      ++brought_;
    }
    if (request.valid && ready_)
      for (std::uint64_t i = 0; i < std::uint64_t{request.bursts} * chip::k_burst_beats; ++i)
        under_way_.push_back(std::uint64_t{request.address} * chip::k_burst_beats + i);
    draw();
  }

 private:
  void draw() {
    if (slow_ != 0) --slow_;
    if (random_.one_in(32)) rate_ = 1 + random_.below(slow_ != 0 ? 4 : 64);
    ready_ = random_.below(64) < rate_;
    brings_ = random_.below(64) < rate_;
  }
  chip::MemoryContents contents_;
  Random random_;
  std::uint64_t slow_, error_at_, rate_ = 4, brought_ = 0;
  bool ready_ = false, brings_ = false;
  std::deque<std::uint64_t> under_way_;
};

/// Memory in which everything lies `base` bursts further on.
class Relocated final : public chip::Memory {
 public:
  Relocated(std::unique_ptr<chip::Memory> memory, std::uint32_t base) : memory_(std::move(memory)), base_(base) {}
  [[nodiscard]] bool ready() const override { return memory_->ready(); }
  [[nodiscard]] Beat beat() const override { return memory_->beat(); }
  void clock(const Request& request) override {
    memory_->clock({request.valid, request.address - base_, request.bursts});
  }

 private:
  std::unique_ptr<chip::Memory> memory_;
  std::uint32_t base_;
};

/// Puts a query's image anywhere in memory, at an even address (docs/chip-system.md, section 9).
void relocate(Query& query, std::uint64_t somewhere) {
  const std::uint64_t room = (std::uint64_t{1} << 32) - query.image.words.size() / chip::k_burst_words;
  const auto base = static_cast<std::uint32_t>(somewhere % room & ~std::uint64_t{1});
  chip::Setup& s = query.image.setup;
  for (std::uint32_t* const address : {&s.nodes_a, &s.nodes_b, &s.triangles_a, &s.triangles_b}) *address += base;
  query.memory = std::make_unique<Relocated>(std::move(query.memory), base);
}

Mesh single_triangle() {
  MeshInput input;
  input.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  input.triangles = {{0, 1, 2}};
  return Mesh::build(std::move(input)).value();
}

}  // namespace

struct Shapes::Part {
  std::string name;
  Mesh mesh;
  bvh::DopTree tree;
  double reach;
  Part(std::string n, Mesh m) : name(std::move(n)), mesh(std::move(m)), tree(bvh::build_dop_tree(mesh)) {
    const Vec3 d = mesh.bounds().hi - mesh.bounds().lo;
    reach = d.x + d.y + d.z;
  }
};

Shapes::Shapes() {
  const auto add = [&](const char* name, Mesh mesh) {
    parts_.push_back(std::make_unique<Part>(name, std::move(mesh)));
  };
  add("headlight", scenes::headlight({}).assembly.parts()[0].mesh);
  add("torus", scenes::torus(2, 0.7, 24, 12));
  add("sphere", scenes::sphere(1.5, 8, 12));
  add("box", scenes::box({-1, -1, -1}, {1, 1, 1}));
  add("triangle", single_triangle());
}
Shapes::~Shapes() = default;

Query Shapes::random_query(Random& random, const chip::Configuration& c, std::uint64_t number) const {
  // A few large ones, since they take long.
  const bool large = number % 24 == 10;  // without a reset, which comes every third time
  const Part& a = large ? *parts_[0] : *parts_[1 + random.below(parts_.size() - 1)];
  const Part& b = large ? *parts_[0] : *parts_[1 + random.below(parts_.size() - 1)];
  const double apart = (large ? 0.25 : 0.5) * random.uniform(0.2, 1) * (a.reach + b.reach) / 2;
  const Pose pose_a = Pose::make(random.rotation(), random.point(-5, 5)).value();
  const Vec3 towards = random.point(-1, 1) - Point3{};
  const Pose pose_b = Pose::make(random.rotation(), pose_a.translation() + apart * towards).value();
  // Few axes often: then results of a pair come back about when those of the next are complete.
  constexpr std::array<std::uint64_t, 4> k_most_axes{2, 3, 12, 64};
  const unsigned axes = !large && random.one_in(2)
                            ? 1 + static_cast<unsigned>(random.below(k_most_axes[random.below(k_most_axes.size())]))
                            : c.axes;
  const chip::AxisChoice choice{axes, std::min(64U, axes + static_cast<unsigned>(random.below(30))), random.one_in(2)};
  auto image = std::make_unique<chip::Image>(chip::make_image(
      {a.mesh, a.tree, pose_a, b.mesh, b.tree, pose_b, query::kernels_for(Instructions::scalar)}, c, choice));
  if (random.one_in(4)) image->setup.placement.usable = false;

  Query query{a.name + " and " + b.name, nullptr, *image, nullptr};
  query.image_owner = std::move(image);
  const Words& words = query.image.words;
  // At any time: early, with slow memory, so that it finds requests that wait and beats that are still to come, or late.
  const bool early = random.one_in(2);
  if (number % 3 == 2) query.reset_after = 1 + random.below(early ? 400 : 6000);
  const bool slow = query.reset_after != 0 && early;
  const std::uint64_t kind = slow ? 2 : number % 4;
  if (kind == 0) query.memory = std::make_unique<chip::DdrMemory>(words);
  if (kind == 1) query.memory = std::make_unique<chip::SteadyMemory>(words, 1 + random.below(6));
  if (kind > 1)
    query.memory = std::make_unique<FickleMemory>(
        words, random.next(),
        Trouble{.slow = slow ? 4 * query.reset_after : 0,
                .error_at = kind == 3 && random.one_in(2) ? random.below(400) : Trouble::k_never});
  relocate(query, random.next());
  query.host_hurry = random.one_in(2) ? 1 : 64;
  query.whole_reset = random.one_in(3);
  query.again = random.one_in(2);
  query.starts_twice = true;
  return query;
}

Query Shapes::short_query(Random& random, const chip::Configuration& c, const Trouble& trouble) const {
  const Part& box = *parts_[3];
  const Part& triangle = *parts_[4];
  const Pose pose = Pose::make({0.6, 0.48, 0.64, 0}, {0.7, 0.7, 0.2}).value();
  auto image = std::make_unique<chip::Image>(chip::make_image(
      {box.mesh, box.tree, Pose{}, triangle.mesh, triangle.tree, pose, query::kernels_for(Instructions::scalar)}, c,
      {.axes = 3, .most_axes = 3, .go_on = false}));
  Query query{"box and triangle", nullptr, *image, nullptr};
  query.image_owner = std::move(image);
  if (trouble.fickle)
    query.memory = std::make_unique<FickleMemory>(query.image.words, random.next(), trouble);
  else
    query.memory = std::make_unique<chip::SteadyMemory>(query.image.words, 2);
  relocate(query, random.next());
  return query;
}

}  // namespace snug::hardware
