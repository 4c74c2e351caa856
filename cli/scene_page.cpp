#include "scene_page.hpp"

#include "page_output.hpp"

#include <snug/check.hpp>
#include <snug/query.hpp>
#include <snug/report.hpp>
#include <snug/triangle.hpp>

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace snug::cli {

namespace {

constexpr std::size_t k_most_contacts = 4;  // of one pair at an instant: a hundred crosses are not seen one by one

Triangle posed(const Mesh& mesh, const Pose& pose, std::uint32_t triangle) {
  Triangle out = mesh.view().triangle(triangle);
  for (Point3& corner : out.corner) corner = pose.apply(corner);
  return out;
}

Point3 middle(const TriangleIntersection& common) {
  Vec3 sum;
  for (const Point3& p : common.points()) sum = sum + p;
  return (1.0 / static_cast<double>(std::max(common.count, 1U))) * sum;
}

/// Which surfaces of a pair meet, from instant to instant.
class MetSurfaces {
 public:
  void at(double t, const Mesh& a, const Mesh& b, std::span<const TrianglePair> pairs, Relation relation) {
    std::map<SurfacePair, PageMeeting::Surfaces> still;
    for (const TrianglePair& pair : pairs) {
      if (pair.relation != relation) continue;
      const SurfacePair met{a.surface_of(pair.a), b.surface_of(pair.b)};
      const auto before = open_.find(met);
      const double begin = before == open_.end() ? t : before->second.begin;
      still.try_emplace(met, PageMeeting::Surfaces{met.a, met.b, begin, t});
    }
    for (const auto& [met, interval] : open_)
      if (!still.contains(met)) done_.push_back(interval);
    open_ = std::move(still);
  }
  [[nodiscard]] std::vector<PageMeeting::Surfaces> take() {
    for (const auto& [met, interval] : open_) done_.push_back(interval);
    open_.clear();
    return std::exchange(done_, {});
  }

 private:
  std::map<SurfacePair, PageMeeting::Surfaces> open_;  ///< that met at the last instant
  std::vector<PageMeeting::Surfaces> done_;
};

/// Looks at one instant after the other, and joins those at which a pair meets to intervals.
class Sampler {
 public:
  Sampler(const scenes::Scene& scene, PageMotion& motion) : scene_(scene), motion_(motion) {
    for (const Part& part : scene.assembly.parts()) shapes_.emplace_back(part.mesh);
  }

  void run(unsigned instants) {
    const auto world = scenes::world_motions(scene_);
    const auto parts = static_cast<std::uint32_t>(shapes_.size());
    std::vector<bool> moves(parts, false);
    for (const PageTrack& track : motion_.tracks) moves[track.part] = true;
    for (const PageDeformation& deformation : motion_.deformations) moves[deformation.part] = true;
    PagePlayback playback;
    for (unsigned i = 0; i < instants; ++i)
      playback.times.push_back(motion_.begin + (motion_.end - motion_.begin) * i / (instants - 1));
    deform(playback.times);
    for (std::uint32_t a = 0; a < parts; ++a)
      for (std::uint32_t b = a + 1; b < parts; ++b)
        if (moves[a] || moves[b]) pair(a, b, world, playback);
    std::ranges::stable_sort(playback.contacts, {}, &PageContact::frame);
    std::ranges::stable_sort(motion_.intervals, {}, &PageInterval::begin);
    motion_.playback = std::move(playback);
  }

 private:
  /// The forms of parts at all times, of those that change theirs.
  void deform(const std::vector<double>& times) {
    forms_.resize(shapes_.size());
    for (const auto& [part, motion] : motion_.deformations) {
      std::vector<Point3> vertices(shapes_[part].mesh().vertices().size());
      for (const double t : times) {
        motion.at(t, vertices);
        auto form = shapes_[part].updated(vertices);
        forms_[part].push_back(form ? std::move(*form) : shapes_[part]);
      }
    }
  }
  [[nodiscard]] const Shape& shape(std::uint32_t part, std::uint32_t frame) const {
    return forms_[part].empty() ? shapes_[part] : forms_[part][frame];
  }

  void pair(std::uint32_t a, std::uint32_t b, const std::vector<Motion>& world, PagePlayback& playback) {
    std::optional<PageInterval> open;
    PageMeeting meeting{.a = a, .b = b};
    MetSurfaces surfaces;
    for (std::uint32_t frame = 0; frame < playback.times.size(); ++frame) {
      const double t = playback.times[frame];
      const Pose pose_a = world[a].at(t), pose_b = world[b].at(t);
      const Shape &shape_a = shape(a, frame), &shape_b = shape(b, frame);
      const auto pairs = triangle_pairs(shape_a, pose_a, shape_b, pose_b, scratch_);
      const bool cross = std::ranges::find(pairs, Relation::crossing, &TrianglePair::relation) != pairs.end();
      surfaces.at(t, shape_a.mesh(), shape_b.mesh(), pairs, cross ? Relation::crossing : Relation::touching);
      if (pairs.empty()) {
        if (open) motion_.intervals.push_back(*std::exchange(open, std::nullopt));
        continue;
      }
      if (!meeting.first_contact) meeting.first_contact = {frame > 0 ? playback.times[frame - 1] : t, t};
      const Verdict verdict = cross ? Verdict::clash : Verdict::touch;
      if (open && open->verdict != verdict) motion_.intervals.push_back(*std::exchange(open, std::nullopt));
      if (!open) open = PageInterval{a, b, verdict, t, t, {}, true};
      open->end = t;
      const std::size_t stride = pairs.size() / k_most_contacts + 1;
      for (std::size_t i = 0; i < pairs.size(); i += stride)
        playback.contacts.push_back(
            {frame,
             a,
             b,
             middle(intersection(posed(shape_a.mesh(), pose_a, pairs[i].a), posed(shape_b.mesh(), pose_b, pairs[i].b))),
             {},
             0});
    }
    if (open) motion_.intervals.push_back(*open);
    if (!meeting.first_contact) return;
    meeting.surface_pairs = surfaces.take();
    motion_.meetings.push_back(std::move(meeting));
  }

  const scenes::Scene& scene_;
  PageMotion& motion_;
  std::vector<Shape> shapes_;
  std::vector<std::vector<Shape>> forms_;  ///< by part and frame; none where the part keeps its form
  Scratch scratch_;
};

}  // namespace

std::optional<PageMotion> page_motion(const scenes::Scene& scene, bool contacts, unsigned instants) {
  if ((scene.tracks.empty() && scene.deformations.empty()) || !(scene.duration > 0)) return std::nullopt;
  PageMotion motion{.begin = 0, .end = scene.duration, .tracks = {}, .intervals = {}};
  for (const scenes::MotionTrack& track : scene.tracks) {
    const auto part = scene.assembly.find(track.part);
    auto keys = Motion::make(track.keys, Arc::shorter);
    if (part && keys) motion.tracks.push_back({*part, std::move(*keys)});
  }
  for (const scenes::Deformation& deformation : scene.deformations) {
    const auto part = scene.assembly.find(deformation.part);
    auto keys = VertexMotion::make(deformation.keys);
    if (part && keys) motion.deformations.push_back({*part, std::move(*keys)});
  }
  for (const scenes::DesignedMeeting& meeting : scene.meetings) {
    const auto a = scene.assembly.find(meeting.a), b = scene.assembly.find(meeting.b);
    if (a && b) motion.intervals.push_back({*a, *b, Verdict::clash, meeting.begin, meeting.end, meeting.what, false});
  }
  if (motion.intervals.empty()) {
    motion.sampling = scene.duration / (instants - 1);
    Sampler(scene, motion).run(instants);
    if (!contacts) motion.playback.reset();
  }
  return motion;
}

void write_scene_page(const scenes::Scene& scene, const std::filesystem::path& path, bool words) {
  const CheckOptions options{.tolerances = {.clearance = scene.clearance}, .threads = hardware_threads()};
  const CheckReport report = check(scene.assembly, options);
  const std::string json = check_json(scene.assembly, options, report, {.inputs = {}, .placed = {}, .run = {}});
  PageInput input{.assembly = scene.assembly,
                  .title = scene.name,
                  .report = json,
                  .pairs = page_pairs(report),
                  .motion = page_motion(scene, true)};
  if (scene.simulation) input.remarks.emplace_back("This scene is there to be simulated; it is shown as it begins.");
  write_page(input, path, words);
}

}  // namespace snug::cli
