// How much contact forces change from step to step along smooth motions: regions, vertex rays and Bullet's GImpact, on the same poses.

#include "bench/measure.hpp"
#include "bench/peers/contact_engine.hpp"
#include "bench/report/row.hpp"
#include "bench/suites.hpp"
#include "scenes/rubbing.hpp"

#include <snug/snug.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace snug;

/// What a body is pushed by, of stiffness 1: the mean of depth times normal. Of regions, weighted by their areas; of points, each counts
/// as one. `whole`: not the mean but the sum over regions.
struct Push {
  Vec3 mean, whole;
  double area = 0;

  void add(const Vec3& normal, double depth, double weight) {
    whole = whole + (weight * depth) * normal;
    area += weight;
  }
  void finish() {
    if (area > 0) mean = (1 / area) * whole;
  }
};

enum Method : std::size_t { k_regions, k_rays, k_gimpact, k_methods };
constexpr std::array k_names{"regions", "vertex rays", "GImpact"};
using Pushes = std::array<Push, k_methods>;

class Contenders {
 public:
  Contenders(const Shape& a, const Shape& b) : a_(a), b_(b), peer_(bench::make_bullet_contacts(a.mesh(), b.mesh())) {}

  [[nodiscard]] bool has_peer() const { return peer_ != nullptr; }
  Pushes at(const Pose& pose_a, const Pose& pose_b) {
    Pushes pushes;
    contacts(a_, pose_a, b_, pose_b, scratch_, found_, {.normal = RayContactOptions::Normal::smooth}).value();
    deepest_ = 0;
    for (const ContactArea& region : found_.patches) {
      pushes[k_regions].add(region.normal, region.depth, region.area);
      deepest_ = std::max(deepest_, region.depth);
    }
    contacts(a_, pose_a, b_, pose_b, scratch_, found_, {.complete = false}).value();
    for (const Contact& contact : found_.contacts)
      if (!contact.predicted) pushes[k_rays].add(contact.normal, contact.depth, 1);
    if (peer_ != nullptr)
      for (const bench::PeerContact& contact : peer_->ask(pose_a, pose_b))
        pushes[k_gimpact].add(contact.normal, contact.depth, 1);
    for (Push& push : pushes) push.finish();
    return pushes;
  }
  /// Of the regions at the last poses.
  [[nodiscard]] double deepest() const { return deepest_; }

 private:
  const Shape &a_, &b_;
  Scratch scratch_;
  Contacts found_;
  std::unique_ptr<bench::ContactQuery> peer_;
  double deepest_ = 0;
};

/// Changes of a step by the motion of the step.
struct Changes {
  std::vector<double> all;
  std::size_t above = 0;

  void add(double change) {
    all.push_back(change);
    above += change > 4 ? 1 : 0;
  }
  [[nodiscard]] std::vector<std::string> row(const std::string& bodies, const std::string& name) {
    std::ranges::sort(all);
    if (all.empty()) return {bodies, name, "0", "-", "-", "-", "-"};
    const auto at = [&](double share) {
      return bench::fixed(all[std::min(all.size() - 1, std::size_t(share * double(all.size())))], 2);
    };
    return {bodies, name, std::to_string(all.size()), at(0.5), at(0.999), at(1), std::to_string(above)};
  }
};

struct Measured {
  std::array<Changes, k_methods> push;
  Changes force;  ///< of regions: the sum of depth times area times normal, by area
};

/// Of one motion, up to overlaps of 0.15: the length of each push, for the plot.
using Track = std::vector<std::array<double, k_methods>>;

constexpr double k_time_step = 1e-3;

Track follow(const scenes::RubbingBody& a, const scenes::RubbingBody& b, std::uint64_t seed, int steps, Measured& to) {
  scenes::Random random(seed);
  const Pose pose_b = random.pose(0.5);
  const Pose start = scenes::touching_pose(a.shape, b.shape, pose_b, random.uniform(0, 0.05), random);
  const scenes::SmoothMotion motion(start, 0.2, random);
  Contenders contenders(a.shape, b.shape);
  Track track;
  Pose before;
  Pushes last;
  for (int i = 0; i <= steps; ++i) {
    const Pose pose = motion.at(k_time_step * i);
    const Pushes now = contenders.at(pose, pose_b);
    if (contenders.deepest() > 0.15) break;
    if (i > 0) {
      const double moved = scenes::displacement(a.shape.mesh(), before, pose);
      for (std::size_t m = 0; m < k_methods; ++m)
        if ((m != k_gimpact || contenders.has_peer()) && (now[k_regions].area > 0 || last[k_regions].area > 0))
          to.push[m].add((now[m].mean - last[m].mean).length() / moved);
      if (const double area = std::max(now[k_regions].area, last[k_regions].area); area > 0)
        to.force.add((now[k_regions].whole - last[k_regions].whole).length() / (area * moved));
    }
    track.push_back({now[0].mean.length(), now[1].mean.length(), now[2].mean.length()});
    before = pose, last = now;
  }
  return track;
}

std::string drawn(const Track& track, const std::string& title) {
  constexpr double width = 560, height = 240, left = 50, right = 10, top = 30, bottom = 30;
  constexpr std::array colours{"#1f77b4", "#2ca02c", "#d62728"};
  double most = 0;
  for (const auto& step : track) most = std::max({most, step[0], step[1], step[2]});
  const auto text = [](double x, double y, const std::string& what, const std::string& more = "") {
    return "<text x=\"" + bench::fixed(x, 0) + "\" y=\"" + bench::fixed(y, 0) + "\"" + more + ">" + what + "</text>\n";
  };
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"560\" height=\"240\" font-family=\"sans-serif\" "
      "font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  out += text(left, 16, title, " font-weight=\"bold\"");
  for (int i = 0; i <= 4; ++i) {
    const double y = height - bottom - (height - top - bottom) * i / 4;
    out += "<path d=\"M" + bench::fixed(left, 0) + ' ' + bench::fixed(y, 1) + 'H' + bench::fixed(width - right, 0) +
           "\" stroke=\"#ddd\"/>\n" + text(left - 4, y + 4, bench::fixed(most * i / 4, 3), " text-anchor=\"end\"");
  }
  out += text(width - right, height - 8, std::to_string(track.size() - 1) + " steps", " text-anchor=\"end\"");
  for (std::size_t m = k_methods; m-- > 0;) {
    std::string path;
    for (std::size_t i = 0; i < track.size(); ++i)
      path += (i == 0 ? 'M' : 'L') +
              bench::fixed(left + (width - left - right) * double(i) / double(track.size() - 1), 1) + ' ' +
              bench::fixed(height - bottom - (height - top - bottom) * track[i][m] / most, 1);
    out += "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + colours[m] + "\" stroke-width=\"1.3\"/>\n" +
           text(left + 8 + 90 * double(m), height - 8, k_names[m], std::string(" fill=\"") + colours[m] + '"');
  }
  return out + "</svg>\n";
}

}  // namespace

namespace snug::bench {

int run_continuity(int argc, char** argv) {
  Arguments arguments;
  std::string svg;
  OptionParser(
      argv[0],
      "usage: snug-bench continuity [options]\n\nMeasures contact forces along 1,000 smooth motions, by regions, by "
      "vertex rays and by Bullet's GImpact.\n\n  --quick      100 motions\n  --csv FILE   the table\n"
      "  --svg FILE   forces along one motion of two knots\n")
      .flag("--quick", arguments.quick)
      .output("--csv", arguments.csv)
      .output("--svg", svg)
      .parse(argc, argv);
  const std::vector<scenes::RubbingBody> bodies = scenes::rubbing_bodies();
  Measured convex, concave;
  for (std::uint64_t seed = 0; seed < (arguments.quick ? 100U : 1000U); ++seed) {
    scenes::Random random(seed + 1'000'000);
    const auto &a = bodies[random.below(bodies.size())], &b = bodies[random.below(bodies.size())];
    (void)follow(a, b, seed, 60, a.convex && b.convex ? convex : concave);
  }
  Table table({"bodies", "force by", "steps", "p50", "p99.9", "largest", "above 4"});
  for (auto* measured : {&convex, &concave}) {
    const std::string name = measured == &convex ? "convex" : "concave";
    table.row(measured->force.row(name, "regions, depth x area x normal"));
    for (std::size_t m = 0; m < k_methods; ++m)
      table.row(measured->push[m].row(name, std::string(k_names[m]) + ", mean"));
  }
  if (!table.print("change of the force in a step, by stiffness and the step's motion; the first also by area",
                   arguments))
    return 5;
  if (svg.empty()) return 0;
  Measured unused;
  const auto knot = std::ranges::find(bodies, "knot", &scenes::RubbingBody::name);
  const auto torus = std::ranges::find(bodies, "torus", &scenes::RubbingBody::name);
  return write_text(svg,
                    drawn(follow(*torus, *knot, 3, 200, unused), "mean of depth times normal: a torus rubs on a knot"))
             ? 0
             : 5;
}

}  // namespace snug::bench
