#include "physics/headless/judge.hpp"

#include "support/parallel.hpp"
#include "verdict/overlap_volume.hpp"

#include <snug/query.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace snug::headless {

struct Judge::Data {
  std::vector<Shape> shapes;
  std::vector<bool> closed, fixed;
  struct Known {
    Pose a, b;
    OverlapVolume volume;
    bool meet = false;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Known> known;  ///< of the time before
};

Judge::Judge(const WorldScene& scene) : data_(std::make_unique<Data>()) {
  std::map<const Point3*, std::pair<Shape, bool>> shapes;  // those of instances are shared
  for (const Part& part : scene.assembly.parts()) {
    auto found = shapes.find(part.mesh.vertices().data());
    if (found == shapes.end())
      found =
          shapes.emplace(part.mesh.vertices().data(), std::pair(Shape(part.mesh), is_closed(part.mesh.view()))).first;
    data_->shapes.push_back(found->second.first);
    data_->closed.push_back(found->second.second);
  }
  for (const BodySpec& body : scene.bodies) data_->fixed.push_back(body.fixed);
}

Judge::~Judge() = default;

namespace {

/// Of bodies whose surfaces do not meet: does a shell of one lie inside the other?
bool reaches_into(const detail::PosedSolid& of, const detail::PosedSolid& in) {
  for (std::uint32_t shell = 0; shell < of.topology().shells(); ++shell)
    if (in.locate(of.corner_of_shell(shell), detail::Filling::closed_shells) == Side::inside) return true;
  return false;
}

}  // namespace

Interpenetration Judge::judge(std::span<const Pose> poses, const std::vector<bool>& present, unsigned threads) {
  Data& d = *data_;
  struct Box {
    Aabb box;
    std::uint32_t part = 0;
  };
  std::vector<std::unique_ptr<const detail::PosedSolid>> solids(poses.size());
  detail::for_each_chunk(poses.size(), threads, [&](std::size_t i) {
    if (present[i] && d.closed[i]) solids[i] = std::make_unique<const detail::PosedSolid>(d.shapes[i], poses[i]);
  });
  std::vector<Box> boxes;
  for (std::uint32_t i = 0; i < poses.size(); ++i)
    if (solids[i]) boxes.push_back({solids[i]->body().bounds(), i});
  std::ranges::sort(boxes, {}, [](const Box& box) { return std::pair(box.box.lo.x, box.part); });
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = i + 1; j < boxes.size() && boxes[j].box.lo.x <= boxes[i].box.hi.x; ++j)
      if (boxes[i].box.overlaps(boxes[j].box) && !(d.fixed[boxes[i].part] && d.fixed[boxes[j].part]))
        pairs.push_back(std::minmax(boxes[i].part, boxes[j].part));
  std::ranges::sort(pairs);

  std::vector<Data::Known> results(pairs.size());
  detail::for_each_chunk(pairs.size(), threads, [&](std::size_t i) {
    const auto [a, b] = pairs[i];
    const auto before = d.known.find(pairs[i]);
    if (before != d.known.end() && before->second.a == poses[a] && before->second.b == poses[b]) {
      results[i] = before->second;
      return;
    }
    Data::Known result{poses[a], poses[b], {}};
    Scratch scratch;
    const detail::PosedSolid &solid_a = *solids[a], &solid_b = *solids[b];
    // One inside the other shares no triangle with it, but a volume; so does one of its shells.
    result.meet = intersects(d.shapes[a], poses[a], d.shapes[b], poses[b], scratch) || reaches_into(solid_a, solid_b) ||
                  reaches_into(solid_b, solid_a);
    if (result.meet) result.volume = detail::overlap_volume(solid_a, solid_b);
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
