// Where filters do not help: coincident meshes, faces that lie in one plane, and two cubes a hair apart. Each pose is a pair
// of meshes of its own, placed as they are: moved, they would no longer be quite coincident for engines that round otherwise.

#include "bench/pairs/answers.hpp"
#include "bench/pairs/context.hpp"
#include "bench/pairs/two_bodies.hpp"

#include "scenes/random.hpp"
#include "scenes/solids.hpp"

#include <deque>

namespace snug::bench::pairs {

namespace {

constexpr std::size_t k_hard_cases_warm_up = 1;

struct MeshPair {
  Mesh a, b;
};

Mesh turned(const Mesh& mesh, const Quaternion& rotation) {
  const Pose pose = Pose::make(rotation, {}).value();
  MeshInput input{
      {mesh.vertices().begin(), mesh.vertices().end()}, {mesh.triangles().begin(), mesh.triangles().end()}, {}, {}};
  pose.apply(mesh.vertices(), input.vertices);
  return Mesh::build(std::move(input)).value();
}

MeshPair coincident(scenes::Random& random) {
  static const Mesh knot = scenes::bumpy_knot(165, 18);
  const Mesh one = turned(knot, random.rotation());
  return {one, one};
}

/// Two cubes face to face, shifted in the plane; `gap` apart.
MeshPair face_to_face(scenes::Random& random, double gap, std::uint32_t squares) {
  const double y = random.uniform(-0.5, 0.5);
  return {scenes::grid_cube(squares, {-1, 0, 0}), scenes::grid_cube(squares, {gap, y, random.uniform(-0.5, 0.5)})};
}

struct HardCase {
  const char* name;
  MeshPair (*make)(scenes::Random& random);
};
constexpr HardCase k_cases[] = {
    {"coincident", coincident},
    {"flush", [](scenes::Random& random) { return face_to_face(random, 0, 32); }},
    {"cubes", [](scenes::Random& random) { return face_to_face(random, 0x1p-20, 32); }},
};

/// A body pair for each step, all built beforehand.
class MeshPairs final : public Contender {
 public:
  MeshPairs(const Engine& engine, const std::vector<MeshPair>& meshes)
      : Contender(std::string(engine.name()), engine.trust(), engine.fragile()) {
    for (const MeshPair& pair : meshes) bodies_.emplace_back(engine, pair.a, pair.b, identity());
  }
  void prepare(std::size_t step) override { (current_ = &bodies_[step])->prepare(0); }
  void run(Query query) override { current_->run(query); }
  Answer answer(Query query) override { return current_->answer(query); }

 private:
  static const std::vector<PosePair>& identity() {
    static const std::vector<PosePair> poses(1);
    return poses;
  }
  std::deque<TwoBodies> bodies_;
  TwoBodies* current_ = nullptr;
};

}  // namespace

void run_hard_cases(Context& context) {
  const Options& options = context.options;
  if (!options.wants_caches("warm")) return;
  for (const HardCase& hard : k_cases) {
    if (!options.wants_scene(hard.name) || !options.wants_bucket("hard") || context.out_of_time(hard.name)) continue;
    for (const Query query : {Query::all, Query::first}) {
      if (!options.wants_query(to_string(query))) continue;
      const std::size_t count = std::min<std::size_t>(context.poses(20, 2), 50);
      scenes::Random random(100 * options.seed + static_cast<std::uint64_t>(query));
      std::vector<MeshPair> meshes;
      for (std::size_t i = 0; i < count + k_hard_cases_warm_up; ++i) meshes.push_back(hard.make(random));
      std::deque<MeshPairs> contenders;
      std::vector<Contender*> chosen;
      for (const Engine* engine : options.engines_for(query))
        chosen.push_back(&contenders.emplace_back(*engine, meshes));
      if (!chosen.empty())
        context.measure(hard.name, "hard", chosen, {.query = query, .steps = count, .warm_up = k_hard_cases_warm_up});
    }
  }
}

}  // namespace snug::bench::pairs
