#include "physics/headless/judge.hpp"

#include "penetration/overlap_volume.hpp"
#include "support/parallel.hpp"

#include <snug/query.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace snug::headless {

struct Judge::Data {
  SceneShapes scene;
  struct Known {
    Pose a, b;
    OverlapVolume volume;
    bool meet = false;
  };
  std::map<PartPair, Known> known = {};  ///< of the time before
};

Judge::Judge(SceneShapes shapes) : data_(std::make_unique<Data>(std::move(shapes))) {}

Judge::~Judge() = default;

namespace {

/// Of bodies whose surfaces do not meet: does a shell of one lie inside the other?
bool reaches_into(const penetration::PosedSolid& of, const penetration::PosedSolid& in) {
  for (std::uint32_t shell = 0; shell < of.topology().shells(); ++shell)
    if (in.locate(of.corner_of_shell(shell), penetration::Filling::closed_shells) == Side::inside) return true;
  return false;
}

}  // namespace

Interpenetration Judge::judge(std::span<const Pose> poses, const std::vector<bool>& present, unsigned threads) {
  Data& d = *data_;
  std::vector<std::unique_ptr<const penetration::PosedSolid>> solids(poses.size());
  support::for_each_chunk(poses.size(), threads, [&](std::size_t i) {
    if (present[i] && d.scene.closed[i])
      solids[i] = std::make_unique<const penetration::PosedSolid>(d.scene.shapes[i], poses[i]);
  });
  std::vector<BoxedPart> boxes;
  for (std::uint32_t i = 0; i < poses.size(); ++i)
    if (solids[i]) boxes.push_back({solids[i]->body().bounds(), i});
  const std::vector<PartPair> pairs = near_pairs(std::move(boxes), d.scene.fixed);

  std::vector<Data::Known> results(pairs.size());
  support::for_each_chunk(pairs.size(), threads, [&](std::size_t i) {
    const auto [a, b] = pairs[i];
    const auto before = d.known.find(pairs[i]);
    if (before != d.known.end() && before->second.a == poses[a] && before->second.b == poses[b]) {
      results[i] = before->second;
      return;
    }
    Data::Known result{poses[a], poses[b], {}};
    Scratch scratch;
    const penetration::PosedSolid &solid_a = *solids[a], &solid_b = *solids[b];
    // One inside the other shares no triangle with it, but a volume; so does one of its shells.
    result.meet = intersects(d.scene.shapes[a], poses[a], d.scene.shapes[b], poses[b], scratch) ||
                  reaches_into(solid_a, solid_b) || reaches_into(solid_b, solid_a);
    if (result.meet) result.volume = penetration::overlap_volume(solid_a, solid_b);
    results[i] = result;
  });

  Interpenetration sum;
  d.known.clear();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (results[i].meet) {
      sum.volume += std::max(0.0, results[i].volume.value);
      sum.error += results[i].volume.error;
      ++sum.pairs;
    }
    d.known.emplace(pairs[i], results[i]);
  }
  return sum;
}

}  // namespace snug::headless
