#include "bench/lehericey/parts.hpp"
#include "bench/measure.hpp"
#include "scenes/animals.hpp"
#include "scenes/random.hpp"
#include "scenes/solids.hpp"

#include <snug/contacts.hpp>

#include <algorithm>
#include <cmath>

namespace snug::bench::lehericey {

namespace {

/// Tangential over normal force of all rays together, in percent; negative if no ray told.
double deviation_of(const Shape& body, const Pose& pose, const Shape& ground, const RayContactOptions& options,
                    Scratch& scratch, Contacts& out) {
  if (!contacts(body, pose, ground, {}, scratch, out, options)) return -1;
  Vec3 force;
  for (const Contact& contact : out.contacts)
    if (!contact.predicted) force = force + (contact.weight * contact.depth) * contact.normal;
  return force.z > 0 ? 100 * std::sqrt(force.x * force.x + force.y * force.y) / force.z : -1;
}

}  // namespace

void deviation(const Options& options, Rows& rows) {
  const std::uint32_t orientations = options.quick ? 40 : 400, depths = 20;
  const Shape ground(scenes::box({-5, -5, -5}, {5, 5, 0}));
  struct Body {
    const char* name;
    Mesh mesh;
    double published[3];  // standard, weighted, re-projected, percent
  };
  const Body bodies[] = {{"sphere", scenes::sphere(0.5, 5, 17), {3.97, 2.66, 0}},
                         {"bunny", scenes::bunny(453), {22.0, 16.5, 0}},
                         {"pig", scenes::pig(1085), {27.0, 20.6, 0}}};
  using Direction = RayContactOptions::Direction;
  const std::pair<const char*, Direction> cases[] = {
      {"standard", Direction::along_ray}, {"weighted", Direction::weighted}, {"re-projected", Direction::reprojected}};
  Table table({"body", "vertices", "standard %", "weighted %", "re-projected %", "published", "poses"});
  Scratch scratch;
  Contacts out;
  for (const Body& body : bodies) {
    const Shape shape(body.mesh);
    double sum[3] = {}, height = body.mesh.bounds().hi.z - body.mesh.bounds().lo.z;
    std::uint64_t poses = 0;
    scenes::Random random(1);
    for (std::uint32_t i = 0; i < orientations; ++i) {
      const Pose turned = Pose::make(random.rotation(), {}).value();
      double lowest = 1e300;
      for (const Point3& p : body.mesh.vertices()) lowest = std::min(lowest, turned.apply(p).z);
      for (std::uint32_t k = 1; k <= depths; ++k) {
        // Down to a fifth of the body's height.
        const Pose pose = Pose::make(turned.rotation(), {0, 0, -lowest - 0.2 * height * k / depths}).value();
        double found[3];
        for (std::size_t c = 0; c < 3; ++c)
          found[c] = deviation_of(shape, pose, ground, {.direction = cases[c].second, .complete = false}, scratch, out);
        if (*std::ranges::min_element(found) < 0) continue;
        ++poses;
        for (std::size_t c = 0; c < 3; ++c) sum[c] += found[c];
      }
    }
    std::vector<std::string> cells{body.name, std::to_string(body.mesh.vertices().size())};
    for (std::size_t c = 0; c < 3; ++c) {
      const double mean = poses > 0 ? sum[c] / static_cast<double>(poses) : 0;
      rows.push_back({"deviation", body.name, cases[c].first, "percent", mean});
      cells.push_back(fixed(mean, 2));
    }
    rows.bar(std::string("deviation, re-projected, ") + body.name, ratio_of(sum[2], static_cast<double>(poses)), 0.005,
             " %", true);
    cells.push_back(fixed(body.published[0], 2) + " / " + fixed(body.published[1], 2) + " / " +
                    fixed(body.published[2], 2));
    cells.push_back(std::to_string(poses));
    table.row(std::move(cells));
  }
  show(options, table,
       "Table 1: deviation of the reaction from upright, mean over " + std::to_string(orientations) +
           " orientations and " + std::to_string(depths) + " depths");
}

}  // namespace snug::bench::lehericey
