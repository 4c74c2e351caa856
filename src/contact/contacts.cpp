#include <snug/contacts.hpp>

#include "contact/device_rays.hpp"
#include "contact/find_contacts.hpp"
#include "contact/reduce.hpp"
#include "contact/regions/region_contacts.hpp"
#include "query/pairs/obb/oriented_pair.hpp"
#include "shape/posed_bounds.hpp"
#include "shape/shape_data.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace snug {

using Code = ContactError::Code;

namespace {

/// As many digits as it takes to tell small lengths apart.
std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

}  // namespace

std::string ContactError::message() const {
  switch (code) {
    case Code::bad_threshold:
      return "displacement_threshold is " + short_text(value) + ", must not be negative or infinite";
    case Code::bad_extension:
      return "distance_extension is " + short_text(value) + ", must not be negative or infinite";
    case Code::extension_too_small:
      return "distance_extension is " + short_text(value) + ", must exceed displacement_threshold, which is " +
             short_text(least);
    case Code::bad_confidence:
      return "confidence is " + short_text(value) + ", must be at least 1 and finite";
    case Code::bad_iterations:
      return "max_iterations is " + std::to_string(static_cast<long long>(value)) + ", must be 1 to 65535";
    case Code::bad_pose:
      return "a pose is not valid";
    case Code::not_a_mesh:
      return "a body is a primitive, which has no triangles";
  }
  return "unknown error";
}

Result<void, ContactError> validate(const RayContactOptions& options) {
  const auto wrong = [](double length) { return !(length >= 0) || std::isinf(length); };
  const auto& threshold = options.displacement_threshold;
  const auto& extension = options.distance_extension;
  if (threshold && wrong(*threshold)) return Failure{ContactError{Code::bad_threshold, *threshold}};
  if (extension && wrong(*extension)) return Failure{ContactError{Code::bad_extension, *extension}};
  if (threshold && extension && !(*extension > *threshold))
    return Failure{ContactError{Code::extension_too_small, *extension, *threshold}};
  if (!(options.confidence >= 1) || std::isinf(options.confidence))
    return Failure{ContactError{Code::bad_confidence, options.confidence}};
  if (options.max_iterations && (*options.max_iterations < 1 || *options.max_iterations > 65535))
    return Failure{ContactError{Code::bad_iterations, double(*options.max_iterations)}};
  return {};
}

namespace contact {

Aabb overlap_of(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double extension) {
  const Aabb box_a = posed_bounds(a, pose_a), box_b = posed_bounds(b, pose_b);
  const Vec3 more{extension, extension, extension};
  const auto larger = [](const Vec3& p, const Vec3& q) {
    return Vec3{std::max(p.x, q.x), std::max(p.y, q.y), std::max(p.z, q.z)};
  };
  return {larger(box_a.lo, box_b.lo) - more, -larger(-box_a.hi, -box_b.hi) + more};
}

void standard_rays(const VertexRays& rays, double extension, double culling, ContactMemory& memory, Contacts& out) {
  rays.list(extension, culling, memory.starts);
  for (const RayStart& start : memory.starts) {
    const std::uint64_t before = out.stats.box_tests;
    if (const auto told = rays.cast(start, culling, out.stats))
      out.contacts.push_back(rays.contact(start.vertex, *told));
    if (!memory.spend(1 + (out.stats.box_tests - before))) return;
  }
}

void count_contacts(Contacts& out) {
  for (const Contact& contact : out.contacts) {
    if (contact.source == Contact::Source::triangles) continue;
    ++(contact.predicted ? out.stats.predictions : out.stats.hits);
    if (!contact.predicted) out.stats.ray_length += contact.depth_bound;
  }
}

void take_predicted(Contacts& out, ContactMemory& memory) {
  memory.predicted.clear();
  for (const Contact& contact : out.contacts)
    if (contact.predicted) memory.predicted.push_back(contact);
  out.contacts.clear();
}

void keep_in_normal_cones(const RayTarget& a, const RayTarget& b, ContactMemory& memory) {
  for (Contact& contact : memory.predicted) {
    const bool of_a = contact.source == Contact::Source::vertex_of_a;
    const RayTarget& own = of_a ? a : b;
    if (!own.contact_mesh().is_flat(contact.vertex)) continue;
    const Vec3 out = own.pose().turn(own.contact_mesh().normal(contact.vertex)), normal = of_a ? -out : out;
    const double cosine = dot(contact.normal, normal);
    if (!(cosine > 0)) continue;
    contact.normal = normal;
    contact.depth /= cosine;
    if (of_a)
      contact.on_b = contact.on_a + contact.depth * normal;
    else
      contact.on_a = contact.on_b - contact.depth * normal;
  }
}

void give_predicted(const ContactMemory& memory, Contacts& out) {
  const std::size_t first = out.contacts.size();
  out.contacts.insert(out.contacts.end(), memory.predicted.begin(), memory.predicted.end());
  add_ray_patches(out, first);
}

namespace {

/// standard_rays() of both sides by devices; false if none could.
bool by_devices(const std::array<const VertexRays*, 2>& sides, double extension, double culling, Contacts& out) {
  const std::array asked{AskedRays::standard(*sides[0], extension, culling),
                         AskedRays::standard(*sides[1], extension, culling)};
  DeviceRaysTold told;
  if (!ask_devices(asked, sides[0]->options(), told)) return false;
  for (std::uint32_t i = 0; i < asked.size(); ++i)
    asked[i].answer(told_of(told, i), told.work[i], out.stats,
                    [&](const VertexRays::Told&, const Contact& made) { out.contacts.push_back(made); });
  return true;
}

/// contacts(), under the budget of the scratch's memory if there is one.
void find_contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch,
                   Contacts& out, const RayContactOptions& options) {
  const bool predict = options.rays == RayContactOptions::Rays::predictive && options.displacement_threshold;
  const double culling = predict ? options.confidence * *options.displacement_threshold : -1;
  const double extension = options.distance_extension.value_or(predict ? k_extension * culling : 0);
  out.stats.steps = out.stats.standard_steps = 1;
  if (overlap_of(a, pose_a, b, pose_b, extension).empty()) return;
  const RayTarget target_a(a, pose_a, options.traversal, options.instructions);
  const RayTarget target_b(b, pose_b, options.traversal, options.instructions);
  ScratchData& data = Access::data(scratch);
  ContactMemory& memory = data.get<ContactMemory>();
  if (predict || !options.complete) {
    const VertexRays of_a(a, pose_a, target_b, true, options), of_b(b, pose_b, target_a, false, options);
    // Under a budget by the processor, which looks at it between rays.
    if (options.device != Device::opencl || memory.fuel != nullptr ||
        !by_devices({&of_a, &of_b}, extension, culling, out)) {
      standard_rays(of_a, extension, culling, memory, out);
      standard_rays(of_b, extension, culling, memory, out);
    }
  }
  count_contacts(out);
  if (options.complete) {
    take_predicted(out, memory);
    keep_in_normal_cones(target_a, target_b, memory);
    find_pairs(a, pose_a, b, pose_b, options, data, memory.pairs);
    find_region_contacts(target_a, target_b, memory.pairs, data.get<RegionMemory>(), memory.fuel, options.normal, out);
    give_predicted(memory, out);
  } else {
    add_ray_patches(out, 0);
  }
  if (options.reduce) reduce(out);
}

}  // namespace

void find_pairs(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                const RayContactOptions& options, ScratchData& scratch, std::vector<TrianglePair>& pairs) {
  Fuel endless;
  Fuel* const limited = scratch.get<ContactMemory>().fuel;
  SearchMemory& search = scratch.get<SearchMemory>();
  const QueryOptions how{.instructions = options.instructions};
  oriented_pairs(oriented_pair(a, pose_a, b, pose_b, how), search, 1, limited != nullptr ? *limited : endless, nullptr);
  pairs.assign(search.pairs.begin(), search.pairs.end());
  SNUG_ASSERT(limited != nullptr || std::ranges::is_sorted(pairs));
}

bool prepared_for_contacts(const Shape& a, const Shape& b, const Budget& budget) {
  if (budget.cancel == nullptr) return true;  // built by who needs them
  const Preparation what{.motion = false, .verdicts = false};
  const Watch watch{.cancel = budget.cancel};
  return a.prepare_for(what, watch) && b.prepare_for(what, watch);
}

Outcome<Answer> answer_of(const Contacts& out) noexcept {
  return {{.yes = !out.because && out.touching()}, out.because};
}

}  // namespace contact

Result<void, ContactError> contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                    Scratch& scratch, Contacts& out, const RayContactOptions& options) {
  const support::OneUser user = query::use(scratch);
  out.clear();
  out.because = Undecided::invalid_input;
  if (!shape::are_meshes(a, b)) return Failure{ContactError{Code::not_a_mesh}};
  if (!shape::are_valid(pose_a, pose_b)) return Failure{ContactError{Code::bad_pose}};
  if (const auto valid = validate(options); !valid) return valid;
  out.because = {};
  contact::find_contacts(a, pose_a, b, pose_b, scratch, out, options);
  return {};
}

Result<Outcome<Answer>, ContactError> try_contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                                   const Pose& pose_b, Scratch& scratch, Contacts& out,
                                                   const Budget& budget, const RayContactOptions& options) {
  const support::OneUser user = query::use(scratch);
  out.clear();
  out.because = Undecided::invalid_input;
  if (!shape::are_valid_meshes(a, pose_a, b, pose_b)) return contact::answer_of(out);
  if (const auto valid = validate(options); !valid) return Failure{valid.error()};
  out.because = {};
  if (!contact::prepared_for_contacts(a, b, budget)) {
    out.because = Undecided::cancelled;
    return contact::answer_of(out);
  }
  support::Fuel fuel(budget);
  const contact::UnderBudget under(detail::Access::data(scratch).get<contact::ContactMemory>(), fuel);
  if (fuel.spend(1)) contact::find_contacts(a, pose_a, b, pose_b, scratch, out, options);
  if (fuel.why()) out.clear(), out.because = fuel.why();
  return contact::answer_of(out);
}

Result<Contacts, ContactError> contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                        Scratch& scratch, const RayContactOptions& options) {
  Contacts found;
  if (const auto done = contacts(a, pose_a, b, pose_b, scratch, found, options); !done) return Failure{done.error()};
  return found;
}

}  // namespace snug
