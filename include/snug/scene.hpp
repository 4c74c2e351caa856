#pragma once

#include <snug/cast.hpp>
#include <snug/contacts.hpp>
#include <snug/export.hpp>
#include <snug/penetration.hpp>
#include <snug/pose.hpp>
#include <snug/progress.hpp>
#include <snug/query.hpp>
#include <snug/result.hpp>
#include <snug/shape.hpp>

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snug {

namespace detail {
struct SceneData;
struct SceneScratchData;
struct SceneAccess;
}  // namespace detail

/// Names a body of a scene. Stays the body's as long as it is there and is never given to another one; the default one
/// names none. Within a scene, ids order by `index`, which is small and may serve as an index into arrays of your own: the
/// index of a removed body is used again.
struct BodyId {
  std::uint32_t index = 0;
  std::uint16_t generation = 0;
  std::uint16_t scene = 0;  ///< tells the ids of 65,535 scenes made one after the other apart; 0 for no body

  friend auto operator<=>(const BodyId&, const BodyId&) = default;
};

/// Two bodies, a.index < b.index.
struct BodyPair {
  BodyId a, b;
  friend auto operator<=>(const BodyPair&, const BodyPair&) = default;
};

/// Which bodies are looked at together: those of which each is a member of a group that the other one meets.
struct Groups {
  std::uint32_t member = 1;  ///< bits of the groups a body belongs to
  std::uint32_t meets = ~std::uint32_t{0};
  friend bool operator==(const Groups&, const Groups&) = default;
};
[[nodiscard]] constexpr bool meet(const Groups& a, const Groups& b) noexcept {
  return (a.member & b.meets) != 0 && (b.member & a.meets) != 0;
}

struct BodyOptions {
  Groups groups = {};
  std::uint64_t tag = 0;  ///< yours; the scene only keeps it
};

/// Why a scene refused.
struct SceneError {
  enum class Code : std::uint8_t {
    stale_body,       ///< the body was removed, or there never was one of that id
    foreign_body,     ///< the id comes from another scene
    no_shape,         ///< a body that is only a box has no pose or shape
    no_box,           ///< a body with a shape has the box of that shape
    bad_box,          ///< empty, not finite or beyond k_max_coordinate
    bad_clearance,    ///< negative or not a number
    counts_differ,    ///< ids and what to give them are not equally many
    same_body,        ///< a pair takes two bodies
    too_many_bodies,  ///< more than 32-bit ids can name
    cancelled,        ///< what was asked for is not known
    bad_cast,         ///< a ray or motion that cast_ray() or cast_shape() refuse
    bad_pose,         ///< a pose is invalid
    bad_contacts,     ///< settings that validate(RayContactOptions) refuses
  } code;
  std::size_t element = 0;  ///< which of several was to blame, from 0
  [[nodiscard]] SNUG_API std::string message() const;
  friend bool operator==(const SceneError&, const SceneError&) = default;
};

/// Settings of one query of a scene.
struct SceneOptions {
  unsigned threads = 1;  ///< 0 counts as 1; the answer does not depend on it
  Method method = Method::surface;
  Instructions instructions = Instructions::best;
  /// If given, pairs for which it returns false are passed over. Called on the calling thread, in order of the pairs, for
  /// those that groups, ignore lists and boxes leave. In queries with a shape that is no body of the scene, a is no body.
  std::function<bool(const BodyPair&)> filter = {};
  const CancelToken* cancel = nullptr;
  ProgressHook progress = {};
};

/// Pairs of bodies that share points, and of which triangles. Where a body is a primitive its triangle is k_no_triangle, and
/// the relation is `touching`: its tests do not tell more. Two primitives have one such entry.
struct SceneContacts {
  static constexpr std::uint32_t k_no_triangle = ~std::uint32_t{0};

  struct Contact {
    BodyId a, b;
    std::size_t begin = 0, end = 0;  ///< range in `triangles`
    friend bool operator==(const Contact&, const Contact&) = default;
  };
  std::vector<Contact> bodies;  ///< ordered by (a, b)
  std::vector<TrianglePair> triangles;

  [[nodiscard]] std::span<const TrianglePair> of(const Contact& contact) const noexcept {
    return std::span(triangles).subspan(contact.begin, contact.end - contact.begin);
  }
};

/// The closest two bodies, and where they are closest. Of two meshes as by distance(); of a primitive to its resolution, and its
/// triangle is k_no_triangle.
struct BodyDistance {
  static constexpr std::uint32_t k_no_triangle = ~std::uint32_t{0};

  BodyId a, b;
  double value = 0;  ///< zero if they share a point
  double lower = 0;  ///< certainly no closer than this
  Point3 on_a, on_b;
  std::uint32_t triangle_a = k_no_triangle, triangle_b = k_no_triangle;
  Vec3 normal = {};  ///< from b to a; see Distance
};

/// What manifolds() finds for each pair.
struct ManifoldOptions {
  RayContactOptions contacts = {.reduce = true};
  /// Bounds on the penetration depth of closed meshes, as assess() finds them: takes far longer than contacts.
  bool depth = false;
};

/// Two bodies that touch or overlap, one inside the other included, and how.
struct SceneManifold {
  BodyId a, b;
  /// Patches, points, normals and depths, as contacts() finds them for two meshes. None if one body is a primitive: it is known that
  /// the two share points, and no more.
  Contacts contacts;
  double deepest = 0;          ///< largest depth of a contact
  std::optional<Depth> depth;  ///< if asked for and both are closed meshes whose interiors overlap
};

/// The first body a ray meets.
struct SceneRayHit {
  BodyId body;
  RayCastHit hit;
};
/// The first body that a moving one meets.
struct SceneCastHit {
  BodyId body;
  ShapeCastHit hit;
};

/// Working memory of a scene's queries, kept from call to call: on one thread and once warm they do not allocate. One for
/// each thread that asks.
class SNUG_API SceneScratch {
 public:
  SceneScratch();
  ~SceneScratch();
  SceneScratch(SceneScratch&&) noexcept;
  SceneScratch& operator=(SceneScratch&&) noexcept;

 private:
  friend struct detail::SceneAccess;
  std::unique_ptr<detail::SceneScratchData> data_;
};

/// Many bodies, step after step: add, remove and move them, and ask which of them meet.
///
/// Answers depend on the bodies, their places and their groups alone: not on how they came there, on threads or on
/// instruction sets. They are complete or an error, never partial. Each two bodies are decided like by intersects() and
/// within(): exactly if both are meshes, to the resolution of snug/query.hpp if one is a primitive. Boxes only choose
/// whom to look at.
///
/// A body is a shape at a pose, or only a box, which box_pairs() and bodies_in_box() know and other queries pass over.
///
/// Threads: any number of threads may ask (the functions that are const) at once, each with a scratch of its own. The first
/// to ask after a change brings the search structure up to date, and others wait for it. Nobody may ask while another
/// thread changes the scene, and filters and hooks must not change it. A scene that was moved from may only be assigned
/// to or destroyed, which builds with assertions check. A scratch that was moved from is as good as new.
class SNUG_API Scene {
 public:
  Scene();
  ~Scene();
  Scene(Scene&&) noexcept;  ///< ids go along
  Scene& operator=(Scene&&) noexcept;

  Result<BodyId, SceneError> add(Shape shape, const Pose& pose = {}, const BodyOptions& options = {});
  Result<BodyId, SceneError> add_box(const Aabb& box, const BodyOptions& options = {});
  Result<void, SceneError> remove(BodyId body);

  Result<void, SceneError> set_pose(BodyId body, const Pose& pose);
  /// Body by body, or none if one is refused. Of a body that is named twice the last pose counts.
  Result<void, SceneError> set_poses(std::span<const BodyId> bodies, std::span<const Pose> poses);
  Result<void, SceneError> set_box(BodyId body, const Aabb& box);
  Result<void, SceneError> set_boxes(std::span<const BodyId> bodies, std::span<const Aabb> boxes);
  /// Another shape for a body that is not only a box, for example one that was deformed.
  Result<void, SceneError> set_shape(BodyId body, Shape shape);
  Result<void, SceneError> set_groups(BodyId body, const Groups& groups);

  /// Passes the pair over from now on, in every query of bodies of the scene, until heeded again or one is removed.
  Result<void, SceneError> ignore(BodyId a, BodyId b);
  Result<void, SceneError> heed(BodyId a, BodyId b);

  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] bool contains(BodyId body) const noexcept;
  /// All that are there, ascending.
  void bodies(std::vector<BodyId>& out) const;
  /// Pointers and references are good until the scene is changed.
  [[nodiscard]] Result<const Shape*, SceneError> shape(BodyId body) const;
  [[nodiscard]] Result<Pose, SceneError> pose(BodyId body) const;
  [[nodiscard]] Result<Groups, SceneError> groups(BodyId body) const;
  [[nodiscard]] Result<std::uint64_t, SceneError> tag(BodyId body) const;
  /// The box by which pairs are chosen. Holds every posed vertex of the body, or all of a primitive; not the smallest one
  /// that does. That of a half-space is the whole world.
  [[nodiscard]] Result<Aabb, SceneError> bounds(BodyId body) const;

  // All pairs. What they find replaces what the vector holds.

  /// Pairs whose bounds() share a point, touching included; ordered.
  Result<void, SceneError> box_pairs(std::vector<BodyPair>& pairs, const SceneOptions& options = {}) const;
  /// Pairs whose triangles or solids share a point; ordered.
  Result<void, SceneError> intersecting_pairs(SceneScratch& scratch, std::vector<BodyPair>& pairs,
                                              const SceneOptions& options = {}) const;
  /// The first of them, without looking for the others.
  [[nodiscard]] Result<std::optional<BodyPair>, SceneError> first_intersecting_pair(
      SceneScratch& scratch, const SceneOptions& options = {}) const;
  /// The same with all pairs of triangles. Of two large bodies that meet, the triangles are searched by all threads.
  Result<void, SceneError> contacts(SceneScratch& scratch, SceneContacts& contacts,
                                    const SceneOptions& options = {}) const;
  /// Pairs no further apart than `clearance`; ordered.
  Result<void, SceneError> pairs_within(double clearance, SceneScratch& scratch, std::vector<BodyPair>& pairs,
                                        const SceneOptions& options = {}) const;

  /// The two bodies that are closest to each other; nothing if no two bodies with shapes may be compared. Of several as close by
  /// the first digits of distance(), those with the smallest ids.
  [[nodiscard]] Result<std::optional<BodyDistance>, SceneError> closest_pair(SceneScratch& scratch,
                                                                             const SceneOptions& options = {}) const;
  /// The same between the bodies of this scene, a, and those of another, b: how far apart two machines are. Groups of both count;
  /// ignore lists, which are of one scene, do not. Nobody may change either scene meanwhile.
  [[nodiscard]] Result<std::optional<BodyDistance>, SceneError> distance(const Scene& other, SceneScratch& scratch,
                                                                         const SceneOptions& options = {}) const;
  /// Contacts, and depth if asked for, of every two bodies that touch or overlap; ordered by (a, b).
  Result<void, SceneError> manifolds(SceneScratch& scratch, std::vector<SceneManifold>& manifolds,
                                     const ManifoldOptions& how = {}, const SceneOptions& options = {}) const;

  // One against all: bodies ascending. A body of the scene is not compared with itself, and heeds its groups and those it
  // ignores; for a shape that is no body groups are given.

  Result<void, SceneError> bodies_in_box(const Aabb& box, SceneScratch& scratch, std::vector<BodyId>& bodies,
                                         const Groups& groups = {}, const SceneOptions& options = {}) const;
  Result<void, SceneError> bodies_meeting(BodyId body, SceneScratch& scratch, std::vector<BodyId>& bodies,
                                          const SceneOptions& options = {}) const;
  Result<void, SceneError> bodies_meeting(const Shape& shape, const Pose& pose, SceneScratch& scratch,
                                          std::vector<BodyId>& bodies, const Groups& groups = {},
                                          const SceneOptions& options = {}) const;
  /// The first of them, without looking for the others.
  [[nodiscard]] Result<std::optional<BodyId>, SceneError> first_body_meeting(BodyId body, SceneScratch& scratch,
                                                                             const SceneOptions& options = {}) const;
  [[nodiscard]] Result<std::optional<BodyId>, SceneError> first_body_meeting(const Shape& shape, const Pose& pose,
                                                                             SceneScratch& scratch,
                                                                             const Groups& groups = {},
                                                                             const SceneOptions& options = {}) const;
  Result<void, SceneError> bodies_within(BodyId body, double clearance, SceneScratch& scratch,
                                         std::vector<BodyId>& bodies, const SceneOptions& options = {}) const;
  Result<void, SceneError> bodies_within(const Shape& shape, const Pose& pose, double clearance, SceneScratch& scratch,
                                         std::vector<BodyId>& bodies, const Groups& groups = {},
                                         const SceneOptions& options = {}) const;

  // Casts: the first body met, as by cast_ray() and cast_shape() of each; of several met at the same t the one with the
  // smallest id. Bodies that are only boxes are passed over. One thread.

  [[nodiscard]] Result<std::optional<SceneRayHit>, SceneError> cast_ray(
      const Ray& ray, SceneScratch& scratch, double t_max = std::numeric_limits<double>::infinity(),
      const Groups& groups = {}, const SceneOptions& options = {}) const;
  /// Whether the ray meets any, found sooner: for lines of sight.
  [[nodiscard]] Result<bool, SceneError> ray_meets(const Ray& ray, SceneScratch& scratch,
                                                   double t_max = std::numeric_limits<double>::infinity(),
                                                   const Groups& groups = {}, const SceneOptions& options = {}) const;
  /// A body of the scene, from where it is; the scene is not changed.
  [[nodiscard]] Result<std::optional<SceneCastHit>, SceneError> cast_shape(BodyId moving, const Vec3& motion,
                                                                           SceneScratch& scratch,
                                                                           const SceneOptions& options = {}) const;
  [[nodiscard]] Result<std::optional<SceneCastHit>, SceneError> cast_shape(const Shape& moving, const Pose& pose,
                                                                           const Vec3& motion, SceneScratch& scratch,
                                                                           const Groups& groups = {},
                                                                           const SceneOptions& options = {}) const;

  /// Holds the search structure to the boxes below it: what is wrong, if anything. For tests.
  [[nodiscard]] std::optional<std::string> validate() const;

 private:
  friend struct detail::SceneAccess;
  std::unique_ptr<detail::SceneData> data_;
};

}  // namespace snug
