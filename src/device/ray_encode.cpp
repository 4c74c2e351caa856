#include "device/ray_encode.hpp"

#include "device/ray_stackless.hpp"
#include "geometry/turn.hpp"
#include "shape/trees.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace snug::device {

namespace {

static_assert(DeviceRayTold::k_none == SNUG_NO_TRIANGLE && DeviceRayTold::k_redo == SNUG_RAY_REDO);
static_assert(DeviceRay::k_through == SNUG_NO_TRIANGLE && MeshLinks::k_none == SNUG_NO_TRIANGLE);
static_assert(sizeof(DeviceRayTold::triangle) == sizeof(SnugRayTold::triangle));

/// As the sum of two floats.
void split(double number, float& high, float& more) noexcept {
  high = static_cast<float>(number);
  more = static_cast<float>(number - double{high});
}

SnugRayTriangle encoded_triangle(const TriangleMeshView& mesh, std::uint32_t id, const ObbTree& tree, double unit) {
  SnugRayTriangle out{};
  const Triangle t = mesh.triangle(id);
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 3; ++i) out.corner[k][i] = static_cast<float>(unit * (t[k][i] - tree.centre[i]));
  out.id = id;
  return out;
}

/// How far hits matter, in the target's unit and no less: beyond 8 a line has left its tree.
float encoded_reach(double reach, double unit) noexcept {
  return reach < 0 ? -1.0F : static_cast<float>(std::min(unit * reach * (1 + 0x1p-20) + 0x1p-20, 8.0));
}

/// The two poses of a side, brought together.
SnugRaySide encoded_side(const DeviceRaySide& side, std::uint32_t source, std::uint32_t target) noexcept {
  SNUG_ASSERT(side.source != nullptr && side.target != nullptr);
  SNUG_ASSERT(side.pose_source != nullptr && side.pose_target != nullptr);
  SnugRaySide out{};
  out.source = source, out.target = target, out.most = side.most;
  const ObbTree &from = Access::data(*side.source).get<ObbTree>(), &to = Access::data(*side.target).get<ObbTree>();
  const auto &turn_from = side.pose_source->matrix(), &turn_to = side.pose_target->matrix();
  const double unit = std::ldexp(1.0, -to.exponent), scale = std::ldexp(1.0, from.exponent - to.exponent);
  double largest = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      split((turn_to[i] * turn_from[j] + turn_to[3 + i] * turn_from[3 + j]) + turn_to[6 + i] * turn_from[6 + j],
            out.turn[3 * i + j], out.turn_more[3 * i + j]);
  const Vec3 apart = turn(turn_from, from.centre) + (side.pose_source->translation() - side.pose_target->translation());
  const Vec3 offset = unit * (turn_back(turn_to, apart) - to.centre);
  for (std::size_t i = 0; i < 3; ++i) {
    split(offset[i], out.offset[i], out.offset_more[i]);
    largest = std::max(largest, std::abs(offset[i]));
  }
  // What both posings round off, in what seems to be the same place: 8 times as with boxes, and what sums of two floats do, less than
  // 2^-43 of the largest number that they are made of (docs/devices.md).
  const double posed = 8 * unit *
                           (posing_error(side.source->bounds(), *side.pose_source) +
                            posing_error(side.target->bounds(), *side.pose_target)) +
                       0x1p-40 * (3 * scale + largest);
  const bool serves = !to.empty() && scale > 0x1p-60 && scale < 0x1p60 && largest < 0x1p60 && posed < 0x1p-4;
  out.scale = static_cast<float>(serves ? scale : 0);
  out.doubt = static_cast<float>((3.7e-7 + posed) * (1 + 0x1p-20));
  out.margin = serves ? static_cast<float>((0x1p-17 + posed) * (1 + 0x1p-20)) : -1.0F;
  out.behind = encoded_reach(side.behind, unit);
  return out;
}

template <class T>
void put(std::span<std::uint32_t> words, std::size_t at, const T& what) noexcept {
  SNUG_ASSERT(at + sizeof what / sizeof(std::uint32_t) <= words.size());
  std::memcpy(&words[at], &what, sizeof what);
}

SnugExactPose encoded_pose(const Pose& pose) noexcept {
  SnugExactPose out{};
  std::ranges::copy(pose.matrix(), out.turn);
  for (std::size_t i = 0; i < 3; ++i) out.translation[i] = pose.translation()[i];
  out.moves = pose.matrix() == Pose().matrix() && pose.translation() == Vec3{} ? 0U : 1U;
  return out;
}

constexpr std::size_t k_side_words = sizeof(SnugRaySide) / 4, k_group_words = sizeof(SnugRayGroup) / 4,
                      k_ray_words = sizeof(SnugRay) / 4, k_told_words = sizeof(SnugRayTold) / 4,
                      k_exact_side_words = sizeof(SnugExactSide) / 4, k_reach_words = sizeof(double) / 4,
                      k_projected_words = sizeof(SnugRayProjected) / 4;

DeviceProjected decoded(const SnugRayProjected& from) noexcept {
  DeviceProjected out;
  static_assert(SNUG_UNDECIDED == static_cast<unsigned>(DeviceProjected::Tells::undecided) &&
                SNUG_TELLS_NOTHING == static_cast<unsigned>(DeviceProjected::Tells::nothing) &&
                SNUG_TELLS_CONTACT == static_cast<unsigned>(DeviceProjected::Tells::contact) &&
                SNUG_TELLS_PREDICTION == static_cast<unsigned>(DeviceProjected::Tells::prediction));
  out.tells = static_cast<DeviceProjected::Tells>(from.tells & 3U);
  out.triangle = from.triangle, out.t = from.t, out.depth = from.depth;
  out.normal = {from.normal[0], from.normal[1], from.normal[2]};
  out.there = {from.there[0], from.there[1], from.there[2]};
  return out;
}

}  // namespace

EncodedBodies::Counts EncodedBodies::counts_of(const Shape& shape) {
  const ShapeData& data = Access::data(shape);
  Counts counts{.bodies = 1,
                .links = shape.mesh().triangles().size(),
                .vertices = shape.mesh().vertices().size(),
                .corner_normals = data.get<ContactMesh>().corner_normals().size()};
  for (const RayNode& node : data.get<RayBvh>().nodes) counts.boxes += node.count;
  for (const TriangleBlock& block : data.get<ObbTree>().blocks) counts.triangles += block.count;
  return counts;
}

bool EncodedBodies::add(const Shape& shape) {
  const ShapeData& data = Access::data(shape);
  const ObbTree& tree = data.get<ObbTree>();
  const ContactMesh& contact = data.get<ContactMesh>();
  const auto boxes_of = flatten(data.get<RayBvh>());
  const TriangleMeshView mesh = shape.mesh().view();
  const Counts first = all();
  if (first.boxes + boxes_of.size() >= UINT32_MAX || first.vertices + mesh.vertices.size() >= UINT32_MAX ||
      first.triangles + mesh.triangles.size() >= (1U << 28) ||
      first.corner_normals + contact.corner_normals().size() >= UINT32_MAX)
    return false;
  const auto number = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
  SnugRayBody body{};
  body.boxes = number(first.boxes), body.box_count = number(boxes_of.size());
  body.triangles = number(first.triangles), body.links = number(first.links), body.vertices = number(first.vertices);
  body.inverted = static_cast<std::uint32_t>(contact.inward());
  body.corner_normals = number(first.corner_normals);
  body.scale = std::bit_cast<std::uint64_t>(contact.scale());
  const double unit = std::ldexp(1.0, -tree.exponent);
  const std::size_t own_triangles = triangles.size(), own_links = links.size();
  links.resize(own_links + mesh.triangles.size());
  for (const StacklessBox& from : boxes_of) {
    SnugRayBox box{
        {from.lo[0], from.lo[1], from.lo[2]}, from.skip, {from.hi[0], from.hi[1], from.hi[2]}, SNUG_INNER_BOX};
    if (from.block != StacklessBox::k_inner) {
      const TriangleBlock& block = tree.blocks[from.block];
      box.leaf = number(triangles.size() - own_triangles) * 16 + block.count;
      for (std::uint32_t lane = 0; lane < block.count; ++lane) {
        const std::uint32_t id = block.id[lane];
        const auto& across = contact.links().neighbour[id];
        links[own_links + id] = {number(triangles.size() - own_triangles), {across[0], across[1], across[2]}};
        triangles.push_back(encoded_triangle(mesh, id, tree, unit));
      }
    }
    boxes.push_back(box);
  }
  body.triangle_count = number(triangles.size() - own_triangles);
  SNUG_ASSERT(body.triangle_count == mesh.triangles.size());  // each in one block
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    SnugRayVertex& vertex = vertices.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      split(unit * (mesh.vertices[v][i] - tree.centre[i]), vertex.at[i], vertex.at_more[i]);
      split(-contact.normal(v)[i], vertex.way[i], vertex.way_more[i]);
    }
  }
  bodies.push_back(body);
  if (exact) add_exact(shape.mesh(), contact);
  return true;
}

void EncodedBodies::add_exact(const Mesh& mesh, const ContactMesh& contact) {
  const MeshLinks& to = contact.links();
  for (std::uint32_t v = 0; v < mesh.vertices().size(); ++v) {
    SnugExactVertex& vertex = exact_vertices.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      vertex.at[i] = mesh.vertices()[v][i];
      vertex.normal[i] = contact.normal(v)[i];
    }
    vertex.closed = contact.has_ray(v) && to.closed[to.around(v)[0]] ? 1U : 0U;
  }
  for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) {
    SnugExactTriangle& triangle = exact_triangles.emplace_back();
    std::ranges::copy(mesh.triangles()[t], triangle.vertex);
    std::ranges::copy(contact.corners_of(t), triangle.corner);
    triangle.closed = to.closed[t] ? 1U : 0U;
  }
  corner_normals.insert(corner_normals.end(), contact.corner_normals().begin(), contact.corner_normals().end());
}

EncodedStep::EncodedStep(std::span<const DeviceRaySide> sides, std::vector<RayChunk> chunks, std::size_t group,
                         bool exact)
    : sides_(sides), chunks_(std::move(chunks)), group_(group), exact_(exact) {
  std::ranges::stable_partition(chunks_, [&](const RayChunk& c) { return sides_[c.side].most == 0; });
  for (const RayChunk& chunk : chunks_) {
    first_ray_.push_back(rays_);
    SNUG_ASSERT(chunk.first + chunk.count <= sides_[chunk.side].rays.size());
    rays_ += chunk.count;
    (sides_[chunk.side].most == 0 ? through_ : walks_) += (chunk.count + group - 1) / group;
  }
  const auto word = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
  // Doubles come first, at even words.
  at_.exact_sides = word(sizeof(SnugRayStep) / 4);
  at_.reaches = word(at_.exact_sides + (exact ? chunks_.size() * k_exact_side_words : 0));
  at_.sides = word(at_.reaches + (exact ? rays_ * k_reach_words : 0));
  at_.groups = word(at_.sides + chunks_.size() * k_side_words);
  at_.group_count = word(through_ + walks_);
  at_.rays = word(at_.groups + (through_ + walks_) * k_group_words);
  at_.head = word(at_.rays + rays_ * k_ray_words);
  at_.told = word((at_.head + SNUG_RAY_HEAD + 2 * chunks_.size() + 1) / 2 * 2);
  SNUG_ASSERT(at_.exact_sides % 2 == 0 && at_.reaches % 2 == 0 && at_.told % 2 == 0);
  at_.told_words = word(k_told_words + (exact ? k_projected_words : 0));
}

void EncodedStep::fill(std::span<std::uint32_t> words, const std::function<std::uint32_t(const Shape&)>& place) const {
  SNUG_ASSERT(words.size() == sent());
  std::size_t group_at = at_.groups, ray_at = at_.rays, reach_at = at_.reaches;
  put(words, 0, at_);
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    const RayChunk& chunk = chunks_[c];
    const DeviceRaySide& side = sides_[chunk.side];
    put(words, at_.sides + c * k_side_words, encoded_side(side, place(*side.source), place(*side.target)));
    if (exact_)
      put(words, at_.exact_sides + c * k_exact_side_words,
          SnugExactSide{encoded_pose(*side.pose_source), encoded_pose(*side.pose_target), side.behind});
    const double unit = std::ldexp(1.0, -Access::data(*side.target).get<ObbTree>().exponent);
    for (std::size_t i = 0; i < chunk.count; i += group_, group_at += k_group_words)
      put(words, group_at,
          SnugRayGroup{static_cast<SnugU32>(c), static_cast<SnugU32>(first_ray_[c] + i),
                       static_cast<SnugU32>(std::min(group_, chunk.count - i))});
    for (const DeviceRay& ray : side.rays.subspan(chunk.first, chunk.count)) {
      put(words, ray_at, SnugRay{ray.vertex, ray.triangle, encoded_reach(ray.ahead, unit)});
      ray_at += k_ray_words;
      if (exact_) put(words, reach_at, ray.ahead), reach_at += k_reach_words;
    }
  }
  SNUG_ASSERT(group_at == at_.rays && ray_at == at_.head && reach_at == at_.sides);
  std::ranges::fill(words.subspan(at_.head, at_.told - at_.head), 0U);
}

bool EncodedStep::is_possible(const DeviceRayTold& told) const noexcept {
  const DeviceRaySide& side = sides_[told.side];
  const std::size_t triangles = side.target->mesh().triangles().size();
  const bool projected = told.projected.tells == DeviceProjected::Tells::contact ||
                         told.projected.tells == DeviceProjected::Tells::prediction;
  if (projected && told.projected.triangle >= triangles) return false;
  if (side.most > 0) return told.triangle[0] < triangles && told.triangle[1] <= side.most;
  if (told.triangle[0] == DeviceRayTold::k_redo) return true;
  for (const std::uint32_t triangle : told.triangle) {
    if (triangle == DeviceRayTold::k_none) break;
    if (triangle >= triangles) return false;
  }
  return true;
}

bool EncodedStep::take(std::span<const std::uint32_t> words, std::vector<DeviceRayTold>& told,
                       std::span<DeviceRaysTold::Work> work) const {
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    const std::size_t count = chunks_[c].count;
    work[chunks_[c].side] +=
        {count, (count + group_ - 1) / group_, 0, words[SNUG_RAY_HEAD + 2 * c], words[SNUG_RAY_HEAD + 2 * c + 1]};
  }
  words = words.subspan(at_.told - at_.head);
  for (; words.size() >= at_.told_words; words = words.subspan(at_.told_words)) {
    if (words[0] >= rays_) return false;
    const std::size_t c =
        static_cast<std::size_t>(std::ranges::upper_bound(first_ray_, words[0]) - first_ray_.begin()) - 1;
    DeviceRayTold& one = told.emplace_back();
    one.side = chunks_[c].side;
    ++work[one.side].told;
    one.ray = static_cast<std::uint32_t>(chunks_[c].first + (words[0] - first_ray_[c]));
    std::ranges::copy(words.subspan(1, one.triangle.size()), one.triangle.begin());
    if (exact_) {
      SnugRayProjected projected;
      std::memcpy(&projected, &words[k_told_words], sizeof projected);
      one.projected = decoded(projected);
    }
    if (!is_possible(one)) return false;
  }
  return true;
}

}  // namespace snug::device
