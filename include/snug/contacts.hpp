#pragma once

#include <snug/budget.hpp>
#include <snug/export.hpp>
#include <snug/pose.hpp>
#include <snug/query.hpp>
#include <snug/result.hpp>
#include <snug/shape.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snug {

namespace detail {
struct ContactTrackerData;
struct ContactAccess;
struct ContactBatchData;
}  // namespace detail

/// Why settings or poses of contacts were refused.
struct ContactError {
  enum class Code : std::uint8_t {
    bad_threshold,        ///< displacement_threshold is negative or infinite
    bad_extension,        ///< distance_extension is negative or infinite
    extension_too_small,  ///< distance_extension must exceed displacement_threshold, or predictions that matter are lost
    bad_confidence,       ///< confidence is below 1 or infinite
    bad_iterations,       ///< max_iterations is 0 or more than 65535
    bad_pose,             ///< a pose is invalid
    not_a_mesh,           ///< a body is a primitive
  } code;
  double value = 0;  ///< what was given
  double least = 0;  ///< extension_too_small: what it must exceed
  [[nodiscard]] SNUG_API std::string message() const;
  friend bool operator==(const ContactError&, const ContactError&) = default;
};

/// How contacts are found. As it stands: everything on, the constants found from the bodies' size and speed. Without a tracker, rays are
/// cast only if `complete` is off, or if `rays` are predictive and displacement_threshold is given; else what is said of rays here changes
/// nothing.
struct RayContactOptions {
  /// What a tracker does with the rays of the step before (Lehericey 2013). Stateless contacts are always standard ones.
  enum class Rays : std::uint8_t {
    standard,    ///< all rays anew at every step
    iterative,   ///< rays that hit before are cast again at the triangle they hit and at its neighbours
    predictive,  ///< and so are rays that go outwards and hit something near
  } rays = Rays::predictive;
  enum class Traversal : std::uint8_t {
    tree,   ///< down a tree of boxes
    basic,  ///< past every triangle: slow, simple, the judge of the other
  } traversal = Traversal::tree;
  /// Which way a contact of a ray pushes.
  enum class Direction : std::uint8_t {
    reprojected,  ///< along the normal of the surface that was hit (Lehericey 2013)
    along_ray,    ///< along the ray: against the normal of the vertex it comes from (Hermann 2008)
    weighted,     ///< along the ray, and Contact::weight tells how much it counts (Hermann 2008)
  } direction = Direction::reprojected;

  // The three constants of the method, and how far predictions reach. Those not given are found from size and speed.

  /// Standard rays are cast anew as soon as a point of one body has moved this far relative to the other since they last
  /// were. Automatic: some steps' worth of motion, no more than the triangles are large.
  std::optional<double> displacement_threshold = {};
  /// By how much the boxes of the bodies are enlarged before vertices outside of both are left out. Must exceed
  /// displacement_threshold. Automatic: as far as predictive rays reach.
  std::optional<double> distance_extension = {};
  /// Triangles that a ray is cast at, at most, when a tracker brings it up to date. Automatic: as many as the motion asks
  /// for.
  std::optional<unsigned> max_iterations = {};
  /// Predictive rays reach this many displacement thresholds. At least 1.
  double confidence = 1;

  /// Contacts of the regions in which the bodies overlap or touch; rays only predict. Off: contacts of the rays alone, as published, for
  /// those who compare.
  bool complete = true;
  /// Which direction separates the bodies at a region; without effect if `complete` is off.
  enum class Normal : std::uint8_t {
    smooth,   ///< the region's area vector: continuous while the bodies move, so for contact forces
    minimum,  ///< from there to the local minimum translation: the shortest push, so for separating bodies; jumps where the truth does
  } normal = Normal::minimum;
  /// Keep at most four contacts of each patch; see reduce().
  bool reduce = false;
  Instructions instructions = Instructions::best;
  /// opencl: rays are cast by devices, and what their floats can not decide by the processor. Contacts are the same bits;
  /// box_tests and triangle_tests count the processor's alone. Many pairs are best asked for at once: see ContactBatch.
  Device device = Device::cpu;
  const Devices* devices = nullptr;  ///< those of the process if not given

  friend bool operator==(const RayContactOptions&, const RayContactOptions&) = default;
};
/// What is wrong with the options, if anything.
[[nodiscard]] SNUG_API Result<void, ContactError> validate(const RayContactOptions& options);

/// The constants that a step ran with.
struct ContactConstants {
  double displacement_threshold = 0, distance_extension = 0;
  unsigned max_iterations = 0;
  friend bool operator==(const ContactConstants&, const ContactConstants&) = default;
};

/// A place where two bodies overlap, touch or are about to.
struct Contact {
  static constexpr std::uint32_t k_no_vertex = ~std::uint32_t{0};

  /// What found it.
  enum class Source : std::uint8_t {
    vertex_of_a,  ///< a ray from that vertex
    vertex_of_b,
    triangles,  ///< the region in which the bodies overlap, see RayContactOptions::complete; of a self-contact, two triangles
  } source = Source::triangles;
  bool predicted = false;  ///< the bodies do not overlap here yet: depth is negative
  std::uint32_t vertex = k_no_vertex;
  std::uint32_t triangle_a = 0, triangle_b = 0;  ///< of a vertex: the first triangle that has it
  std::uint32_t surface_a = 0, surface_b = 0;
  /// The same from step to step while it is the same contact: made of the vertex, or handed on by a tracker from the nearest
  /// contact of the same two surfaces. No two contacts of an answer have the same.
  std::uint64_t id = 0;

  /// A point of each body, in the world: of regions, points of both surfaces on one line along the normal; of vertices, the vertex and its
  /// foot in the plane that was hit, which may lie beside the surface. depth = (on_b - on_a) . normal.
  Point3 on_a, on_b;
  /// Unit, out of b and towards a: a moved by depth * normal is out of b here. Of regions, theirs; of rays, that of the surface: where it
  /// is smooth, normals of neighbouring triangles are blended, so that it does not jump from one triangle to the next.
  Vec3 normal;
  /// Negative for predicted ones: minus the gap. Zero where bodies only touch.
  double depth = 0;
  /// No less than `depth`, rounding included. Of a vertex: it is no further than this from the other body's surface. Zero for predicted
  /// ones.
  double depth_bound = 0;
  double weight = 1;  ///< how much it counts; 1 but for Direction::weighted

  friend bool operator==(const Contact&, const Contact&) = default;
};

/// The contact manifold of a region: a connected part of the overlap of two bodies, or where they touch. One with concave creases has one
/// for each side. Or contacts of rays, of one surface of a with one of b.
struct ContactArea {
  enum class Kind : std::uint8_t {
    rays,     ///< predicted contacts, and all contacts unless RayContactOptions::complete
    overlap,  ///< the surfaces cross along closed curves
    open,  ///< a curve ends at the rim of a sheet: the normal is a mean along the curve, the depth that of the triangles nearby
    contained,  ///< a closed shell inside the other body; the surfaces do not meet
    touching,   ///< the surfaces share points and do not cross: depth is zero
  } kind = Kind::rays;
  /// Another region of the answer pushes against this one, to within 30 degrees: a translation that resolves both may not exist.
  bool opposed = false;
  std::uint32_t surface_a = 0, surface_b = 0;  ///< of the deepest contact; of rays, of all
  std::uint32_t begin = 0, end = 0;            ///< range in Contacts::contacts; of a region at most nine
  double depth = 0;  ///< of the deepest; a moved by depth * normal is clear of b at this region
  Point3 centre;     ///< mean of the points between on_a and on_b
  Vec3
      normal;  ///< unit, out of b and towards a; of rays the mean, weighted by depth, or that of the deepest if they cancel
  /// Area of the cross-section that the region's curves enclose, seen along its mean normal; zero for other kinds. Depth times area
  /// times stiffness is a force without jumps.
  double area = 0;

  friend bool operator==(const ContactArea&, const ContactArea&) = default;
};

/// What rays did. Adds up over calls where a tracker holds it.
struct ContactStats {
  std::uint64_t steps = 0;            ///< calls
  std::uint64_t standard_steps = 0;   ///< of those, how many cast all rays anew
  std::uint64_t standard_rays = 0;    ///< inward, through the whole body
  std::uint64_t predictive_rays = 0;  ///< outward, through the whole body
  std::uint64_t iterative_rays = 0;   ///< brought up to date by walking
  std::uint64_t walked = 0;           ///< triangles that walks came by
  std::uint64_t lost_rays = 0;        ///< walks that ended without a hit
  std::uint64_t hits = 0;             ///< contacts of rays that are not predicted
  std::uint64_t predictions = 0;      ///< contacts that are
  std::uint64_t completed = 0;        ///< contacts of regions; of self-contacts, of triangles where no vertex told
  std::uint64_t box_tests = 0, triangle_tests = 0;  ///< of rays; boxes in eights
  std::uint64_t device_rays = 0;                    ///< rays and walks that a device was given
  std::uint64_t redone_rays = 0;                    ///< of those, what the processor had to cast again
  std::uint64_t device_projections = 0;             ///< contacts made there, depth and normal included
  double ray_length = 0;  ///< of the rays of contacts that are not predicted, added up: how much bodies overlap

  ContactStats& operator+=(const ContactStats& o) noexcept {
    steps += o.steps, standard_steps += o.standard_steps, standard_rays += o.standard_rays;
    predictive_rays += o.predictive_rays, iterative_rays += o.iterative_rays, walked += o.walked;
    lost_rays += o.lost_rays, hits += o.hits, predictions += o.predictions, completed += o.completed;
    box_tests += o.box_tests, triangle_tests += o.triangle_tests, ray_length += o.ray_length;
    device_rays += o.device_rays, redone_rays += o.redone_rays;
    device_projections += o.device_projections;
    return *this;
  }
  friend bool operator==(const ContactStats&, const ContactStats&) = default;
};

/// The answer.
struct Contacts {
  std::vector<Contact> contacts;     ///< patch after patch
  std::vector<ContactArea> patches;  ///< regions first, then those of rays by (surface_a, surface_b)
  ContactStats stats;                ///< of this call
  /// Why there are none if the call could not be finished: its budget was spent, or a pose was invalid.
  std::optional<Undecided> because = {};

  /// Any that is not predicted? True, too, if the call could not be finished: nothing says that there is none.
  [[nodiscard]] bool touching() const noexcept {
    if (because) return true;
    for (const Contact& contact : contacts)
      if (!contact.predicted) return true;
    return false;
  }
  void clear() noexcept { contacts.clear(), patches.clear(), stats = {}, because = {}; }
};

/// Leaves at most four contacts of each patch: the deepest, or one as deep to a thousandth, and those that with it span the
/// largest area. Predicted ones go first. Depth and area of a patch stay, the area as far as four points can; the choice does
/// not depend on the order of the bodies.
SNUG_API void reduce(Contacts& contacts);

// Where two bodies overlap and which way they get apart.
//
// The intersection curves of the surfaces divide the overlap into regions. A region's curve encloses the same area vector on both bodies:
// this is the direction that separates them there; the depth is how far a has to be moved along it until its part of the region is beyond
// b's. Curves are exact, on the posed vertices of docs/conventions.md; features that only touch are decided by an infinitely small
// translation. Contacts that are not predicted are none exactly if the bodies share no point: none of their triangles do, and no
// shell of one lies inside closed shells of the other.
//
// Closed meshes are what it is made for; of sheets see ContactArea::Kind::open. Bodies that cross themselves: inside is where closed shells
// wind around. A body that is pushed through another, or lies inside it: the shortest translation found from a set of face normals.
//
// Rays (Lehericey 2013) go from vertices against the normal of their surface; where one first meets the other body from inside, before it
// leaves its own, that is a contact. They predict what comes next, and are all there is without RayContactOptions::complete.
//
// Answers are the same for every instruction set; exchanging the bodies exchanges a and b and turns normals round, unless both are the
// same body at the same pose. Bodies are given search structures of their own when first asked for contacts, unless Shape::prepare() has
// done that before.

/// Contacts of bodies at rest, or asked once: from nothing but shapes and poses. Predictive rays need a displacement_threshold
/// to reach by; while that is automatic there are none.
[[nodiscard]] SNUG_API Result<Contacts, ContactError> contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                                               const Pose& pose_b, Scratch& scratch,
                                                               const RayContactOptions& options = {});
/// The same into memory that is used again: once warm it does not allocate. Empty after an error.
SNUG_API Result<void, ContactError> contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                             Scratch& scratch, Contacts& out, const RayContactOptions& options = {});
/// The same under a budget: all contacts or none. Yes: the bodies share a point, as the contacts that are not predicted tell; no:
/// there are none of these. Undecided: `out` is empty and says why. Steps are pairs of tree nodes and nodes that a ray opens, and
/// what is looked at afterwards counts one for each pair of triangles. Structures are built first, which only `cancel` can end.
[[nodiscard]] SNUG_API Result<Outcome<Answer>, ContactError> try_contacts(const Shape& a, const Pose& pose_a,
                                                                          const Shape& b, const Pose& pose_b,
                                                                          Scratch& scratch, Contacts& out,
                                                                          const Budget& budget,
                                                                          const RayContactOptions& options = {});

/// Two bodies that move, asked step after step: carries what the rays hit from step to step. One for each pair of bodies,
/// always in the same order, and for one thread at a time. Shapes may change between calls: one that was made by updated() is
/// the same body deformed; any other makes it forget. Jumps are safe, only not faster. One that was moved from may only be
/// assigned to or destroyed, which builds with assertions check.
///
/// Contacts of regions are those of contacts() without a tracker, but for their ids, which persist. Rays are only brought up to date
/// between standard steps: a vertex that comes near without having been predicted is no prediction before the next standard step, and
/// without RayContactOptions::complete one that enters the other body is no contact until then.
class SNUG_API ContactTracker {
 public:
  ContactTracker();
  static Result<ContactTracker, ContactError> make(const RayContactOptions& options);
  ~ContactTracker();
  ContactTracker(ContactTracker&&) noexcept;
  ContactTracker& operator=(ContactTracker&&) noexcept;

  [[nodiscard]] const RayContactOptions& options() const noexcept;
  /// What the last step ran with.
  [[nodiscard]] const ContactConstants& constants() const noexcept;
  /// Of all calls since it was made.
  [[nodiscard]] const ContactStats& stats() const noexcept;
  /// The next step is a standard one.
  void forget() noexcept;

 private:
  friend struct detail::ContactAccess;
  explicit ContactTracker(const RayContactOptions& options);
  std::unique_ptr<detail::ContactTrackerData> data_;
};

/// Contacts of the next step. If a pose is invalid there are none, Contacts::because says so, and the tracker is as before.
[[nodiscard]] SNUG_API Contacts contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                         ContactTracker& tracker);
/// The same into memory that is used again: once warm it does not allocate.
SNUG_API void contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, ContactTracker& tracker,
                       Contacts& out);
/// The same under a budget: see try_contacts() above. A step that could not be finished is not remembered: the next one goes on from
/// the step before.
[[nodiscard]] SNUG_API Outcome<Answer> try_contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                                    const Pose& pose_b, ContactTracker& tracker, Contacts& out,
                                                    const Budget& budget);

/// One of many pairs of bodies that move. Borrows everything.
struct TrackedPair {
  const Shape* a = nullptr;
  Pose pose_a;
  const Shape* b = nullptr;
  Pose pose_b;
  ContactTracker* tracker = nullptr;  ///< of this pair alone
  Contacts* out = nullptr;
};

/// Steps of many pairs at once: each as contacts() finds it, with its own tracker. Rays of trackers whose device is opencl, of all
/// pairs, go to each device in one transfer and come back in one. A pair stays with its device for as long as it is among those
/// asked for, and is moved only if that pays. One for each scene, for one thread at a time.
class SNUG_API ContactBatch {
 public:
  ContactBatch();
  ~ContactBatch();
  ContactBatch(ContactBatch&&) noexcept;
  ContactBatch& operator=(ContactBatch&&) noexcept;

  /// On up to so many threads; the answers do not depend on it.
  void step(std::span<const TrackedPair> pairs, unsigned threads = 1);
  /// How often pairs went to another device, all steps together.
  [[nodiscard]] std::uint64_t moved() const noexcept;

 private:
  std::unique_ptr<detail::ContactBatchData> data_;
};

/// What a tracker's rays told, held to standard rays at the same poses.
struct RayAudit {
  std::uint64_t rays = 0;       ///< standard rays that are contacts, or were told to be
  std::uint64_t missed = 0;     ///< contacts that the tracker did not tell
  std::uint64_t invented = 0;   ///< told, but none
  std::uint64_t displaced = 0;  ///< told with another triangle than the one a standard ray hits
  double standard_length = 0;   ///< of the standard rays that are contacts, added up
  [[nodiscard]] std::uint64_t erroneous() const noexcept { return missed + invented + displaced; }
};
/// Casts standard rays at the poses given, which are to be those of the tracker's last step, and compares. Changes nothing.
/// An invalid pose counts as one ray, missed.
[[nodiscard]] SNUG_API RayAudit audit_rays(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                           const ContactTracker& tracker);

/// Where a body meets itself, as deforming ones do: rays from its vertices against itself, and the triangles of
/// self_intersections() where no ray tells. Both sides of a contact are the body's; vertices are on side a, pairs of triangles have
/// a < b. None exactly if self_intersections() finds none. The mesh is taken as it is, before any pose; of `options`, those that
/// are about motion have no meaning here.
[[nodiscard]] SNUG_API Result<Contacts, ContactError> self_contacts(const Shape& shape, Scratch& scratch,
                                                                    const RayContactOptions& options = {});
SNUG_API Result<void, ContactError> self_contacts(const Shape& shape, Scratch& scratch, Contacts& out,
                                                  const RayContactOptions& options = {});

}  // namespace snug
