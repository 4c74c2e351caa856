#include "assembly/robot/urdf_bodies.hpp"
#include "assembly/robot/urdf_values.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/errors.hpp"
#include "shape/trees.hpp"
#include "support/trig.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace snug {

namespace {

using io::XmlElement;
using robot::UrdfBodies;
using robot::UrdfValues;

using Ids = std::unordered_map<std::string, std::uint32_t>;

class UrdfReader {
 public:
  UrdfReader(const io::Xml& xml, const std::string& name, const std::filesystem::path& file,
             const RobotLoadOptions& options)
      : values_(xml, name), bodies_(values_, file, options), options_(options) {}

  Result<Robot, IoError> read() {
    const XmlElement& root = values_.xml().root();
    if (root.name != "robot") return values_.fail(root, "is no URDF: its root is <" + root.name + ">, not <robot>");
    for (const XmlElement& element : values_.xml().elements)
      if (element.name.starts_with("xacro:"))
        return values_.fail(element,
                            "holds <" + element.name + ">: expand it first, e.g. 'xacro robot.urdf.xacro > robot.urdf'",
                            IoError::Code::unsupported);
    if (const std::string* called = root.attribute("name")) robot_.name = *called;
    for (const auto step :
         {&UrdfReader::read_links, &UrdfReader::read_joints, &UrdfReader::resolve_mimics, &UrdfReader::order_joints})
      if (auto done = (this->*step)(); !done) return Failure{done.error()};
    for (const std::string& remark : bodies_.remarks()) robot_.problems.push_back({robot_.name, remark});
    return std::move(robot_);
  }

 private:
  template <class F>
  Result<void, IoError> for_each_child(std::string_view called, F f) {
    const XmlElement& root = values_.xml().root();
    for (const std::uint32_t id : root.children)
      if (values_.xml().elements[id].name == called)
        if (auto done = f(values_.xml().elements[id]); !done) return done;
    return {};
  }

  Result<void, IoError> read_links() {
    return for_each_child("link", [&](const XmlElement& element) -> Result<void, IoError> {
      if (options_.cancel != nullptr && options_.cancel->cancelled())
        return io::failure(IoError::Code::cancelled, values_.path(), "cancelled");
      const auto name = values_.word(element, "name");
      if (!name) return Failure{name.error()};
      RobotLink link{.name = *name, .bodies = {}};
      if (auto done = read_bodies(element, "collision", link); !done) return done;
      if (link.bodies.empty() && options_.visual)
        if (auto done = read_bodies(element, "visual", link); !done) return done;
      const auto [known, is_new] = links_.try_emplace(*name, static_cast<std::uint32_t>(robot_.links.size()));
      if (!is_new) {
        if (!same(element, *link_elements_[known->second]))
          return values_.fail(element, "there is a second link " + support::quoted(*name) +
                                           ", and it is another one than in line " +
                                           std::to_string(link_elements_[known->second]->line));
        robot_.problems.push_back({*name, "the link is there twice, word for word: it is read once"});
        return {};
      }
      if (robot_.links.size() == k_most_links)
        return values_.fail(element, "there are more than 1024 links", IoError::Code::too_large);
      robot_.links.push_back(std::move(link));
      link_elements_.push_back(&element);
      return {};
    });
  }

  /// The same elements with the same attributes, lines apart.
  [[nodiscard]] bool same(const XmlElement& a, const XmlElement& b) const {
    const auto& all = values_.xml().elements;
    return a.name == b.name &&
           std::ranges::equal(a.attributes, b.attributes,
                              [](const auto& x, const auto& y) { return x.name == y.name && x.value == y.value; }) &&
           std::ranges::equal(a.children, b.children,
                              [&](std::uint32_t x, std::uint32_t y) { return same(all[x], all[y]); });
  }

  Result<void, IoError> read_bodies(const XmlElement& element, std::string_view called, RobotLink& link) {
    for (const std::uint32_t id : element.children) {
      if (values_.xml().elements[id].name != called) continue;
      if (bodies_.is_nothing(values_.xml().elements[id])) {
        robot_.problems.push_back({link.name, "a sphere or box of size zero is left out"});
        continue;
      }
      auto body = bodies_.body(values_.xml().elements[id]);
      if (!body) return Failure{body.error()};
      note_open(link.name, *body);
      link.bodies.push_back(std::move(*body));
    }
    return {};
  }

  void note_open(const std::string& link, const RobotBody& body) {
    if (body.shape.is_mesh() && !detail::Access::data(body.shape).get<mesh::Topology>().rims.empty())
      robot_.problems.push_back({link, "the mesh " + body.file +
                                           " is not closed: where a link is within it or reaches through a hole, the "
                                           "range is undecided"});
  }

  Result<std::uint32_t, IoError> link_of(const XmlElement& joint, std::string_view side) {
    const auto element = values_.only(joint, side);
    if (!element) return Failure{element.error()};
    const auto name = values_.word(**element, "link");
    if (!name) return Failure{name.error()};
    const auto found = links_.find(*name);
    if (found == links_.end())
      return values_.fail(**element, "there is no link " + support::quoted(*name), IoError::Code::out_of_range);
    return found->second;
  }

  Result<void, IoError> read_joints() {
    if (robot_.links.empty()) return values_.fail(values_.xml().root(), "has no link");
    return for_each_child("joint", [&](const XmlElement& element) -> Result<void, IoError> {
      RobotJoint joint;
      const auto name = values_.word(element, "name");
      if (!name) return Failure{name.error()};
      joint.name = *name;
      const auto id = static_cast<std::uint32_t>(robot_.joints.size());
      if (!joints_.try_emplace(*name, id).second)
        return values_.fail(element, "there is a second joint " + support::quoted(*name));
      if (auto done = read_kind(element, joint); !done) return done;
      for (const auto& [side, link] : {std::pair{"parent", &joint.parent}, {"child", &joint.child}}) {
        const auto found = link_of(element, side);
        if (!found) return Failure{found.error()};
        *link = *found;
      }
      if (joint.parent == joint.child)
        return values_.fail(element, "the joint " + support::quoted(*name) + " holds a link to itself");
      const auto origin = values_.origin(element);
      if (!origin) return Failure{origin.error()};
      joint.origin = *origin;
      auto& holder = robot_.links[joint.child].joint;
      if (holder) {
        if (joint.kind != JointKind::fixed) return second_parent(element, joint);
        again_.push_back({std::move(joint), &element});
        joints_.erase(*name);
        return {};
      }
      holder = id;
      if (joint.kind != JointKind::fixed)
        if (auto done = read_freedom(element, joint); !done) return done;
      robot_.joints.push_back(std::move(joint));
      elements_.push_back(&element);
      return {};
    });
  }

  [[nodiscard]] Failure<IoError> second_parent(const XmlElement& element, const RobotJoint& joint) const {
    const RobotLink& child = robot_.links[joint.child];
    return values_.fail(element, "the link " + support::quoted(child.name) + " has a second parent: the joint " +
                                     support::quoted(robot_.joints[*child.joint].name) + " holds it already");
  }

  Result<void, IoError> read_kind(const XmlElement& element, RobotJoint& joint) {
    const auto type = values_.word(element, "type");
    if (!type) return Failure{type.error()};
    for (const JointKind kind : {JointKind::fixed, JointKind::revolute, JointKind::continuous, JointKind::prismatic})
      if (*type == to_string(kind)) return joint.kind = kind, Result<void, IoError>{};
    const bool known = *type == "floating" || *type == "planar";
    return values_.fail(element,
                        "joints of type " + support::quoted(*type) +
                            (known ? " are not read: they have no single value"
                                   : " are not known; fixed, revolute, continuous and prismatic are"),
                        known ? IoError::Code::unsupported : IoError::Code::malformed);
  }

  Result<void, IoError> read_freedom(const XmlElement& element, RobotJoint& joint) {
    if (const XmlElement* axis = values_.xml().child(element, "axis")) {
      const auto direction = values_.three(*axis, "xyz");
      if (!direction) return Failure{direction.error()};
      const double largest = std::max({std::abs(direction->x), std::abs(direction->y), std::abs(direction->z)});
      if (largest == 0) return values_.fail(*axis, "the axis of joint " + support::quoted(joint.name) + " is zero");
      const Vec3 scaled = {direction->x / largest, direction->y / largest, direction->z / largest};
      const double length = std::sqrt(scaled.x * scaled.x + scaled.y * scaled.y + scaled.z * scaled.z);
      joint.axis = {scaled.x / length, scaled.y / length, scaled.z / length};
    }
    if (joint.kind == JointKind::continuous) {
      joint.lower = -support::k_pi, joint.upper = support::k_pi;
    } else {
      const auto limit = values_.only(element, "limit");
      if (!limit) return Failure{limit.error()};
      const auto lower = values_.number(**limit, "lower", 0.0), upper = values_.number(**limit, "upper", 0.0);
      if (!lower) return Failure{lower.error()};
      if (!upper) return Failure{upper.error()};
      joint.lower = *lower, joint.upper = *upper;
      if (*lower > *upper)
        return values_.fail(**limit,
                            "the lower limit of joint " + support::quoted(joint.name) + " is above the upper one");
      // Files say 1e16 where they mean that there is no limit.
      if (joint.kind == JointKind::revolute && std::max(std::abs(*lower), std::abs(*upper)) > k_most_radians) {
        joint.kind = JointKind::continuous;
        joint.lower = -support::k_pi, joint.upper = support::k_pi;
        robot_.problems.push_back({robot_.links[joint.child].name,
                                   "the limits of joint " + support::quoted(joint.name) +
                                       " are beyond a hundred thousand radians: it is taken to turn without any"});
      }
    }
    return {};
  }

  /// A joint may mimic one that stands behind it, and one that mimics itself another.
  Result<void, IoError> resolve_mimics() {
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      const XmlElement* element = values_.xml().child(*elements_[i], "mimic");
      if (element == nullptr || robot_.joints[i].kind == JointKind::fixed) continue;
      const auto name = values_.word(*element, "joint");
      if (!name) return Failure{name.error()};
      const auto found = joints_.find(*name);
      if (found == joints_.end())
        return values_.fail(*element, "there is no joint " + support::quoted(*name) + " to mimic",
                            IoError::Code::out_of_range);
      const auto multiplier = values_.number(*element, "multiplier", 1.0),
                 offset = values_.number(*element, "offset", 0.0);
      if (!multiplier) return Failure{multiplier.error()};
      if (!offset) return Failure{offset.error()};
      robot_.joints[i].mimic = {found->second, *multiplier, *offset};
    }
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      auto& mimic = robot_.joints[i].mimic;
      for (std::size_t steps = 0; mimic && robot_.joints[mimic->joint].mimic; ++steps) {
        const MimicJoint next = *robot_.joints[mimic->joint].mimic;
        if (steps > robot_.joints.size() || next.joint == i)
          return values_.fail(*elements_[i],
                              "the joint " + support::quoted(robot_.joints[i].name) + " mimics itself in the end");
        *mimic = {next.joint, mimic->multiplier * next.multiplier, mimic->multiplier * next.offset + mimic->offset};
      }
      if (!mimic) continue;
      if (mimic->joint == i)
        return values_.fail(*elements_[i], "the joint " + support::quoted(robot_.joints[i].name) + " mimics itself");
      const RobotJoint& leader = robot_.joints[mimic->joint];
      if (leader.kind == JointKind::fixed)
        return values_.fail(*elements_[i],
                            "the joint " + support::quoted(robot_.joints[i].name) + " mimics a fixed one");
      const double most = std::abs(mimic->multiplier) * std::max(std::abs(leader.lower), std::abs(leader.upper)) +
                          std::abs(mimic->offset);
      if (!(most <= (robot_.joints[i].kind == JointKind::prismatic ? k_max_coordinate : support::k_max_angle)))
        return values_.fail(
            *elements_[i],
            "the joint " + support::quoted(robot_.joints[i].name) + " would be led out of range by what it mimics",
            IoError::Code::out_of_range);
    }
    return {};
  }

  Result<void, IoError> order_joints() {
    drop_strays();
    join_trees();
    const auto roots = std::ranges::count_if(robot_.links, [](const RobotLink& link) { return !link.joint; });
    if (roots == 0) return values_.fail(values_.xml().root(), "the links form a ring: none is the root");
    if (roots > 1 && !again_.empty()) return second_parent(*again_.front().second, again_.front().first);
    if (roots > 1) {
      std::string names;
      for (const RobotLink& link : robot_.links)
        if (!link.joint && names.size() < 200) (names += names.empty() ? "" : ", ") += support::quoted(link.name);
      return values_.fail(values_.xml().root(), "there are " + std::to_string(roots) + " links that no joint holds (" +
                                                    names + "); there must be one");
    }
    std::vector<std::vector<std::uint32_t>> held_by(robot_.links.size());
    for (std::uint32_t j = 0; j < robot_.joints.size(); ++j) held_by[robot_.joints[j].parent].push_back(j);
    const auto root =
        std::ranges::find_if(robot_.links, [](const RobotLink& link) { return !link.joint; }) - robot_.links.begin();
    robot_.order = held_by[static_cast<std::size_t>(root)];
    for (std::size_t i = 0; i < robot_.order.size(); ++i) {
      const auto& next = held_by[robot_.joints[robot_.order[i]].child];
      robot_.order.insert(robot_.order.end(), next.begin(), next.end());
    }
    // Each link has at most one parent, so what the root does not reach goes round in rings.
    std::vector<bool> reached(robot_.joints.size());
    for (const std::uint32_t j : robot_.order) reached[j] = true;
    if (const auto lost = std::ranges::find(reached, false); lost != reached.end()) {
      const auto j = static_cast<std::size_t>(lost - reached.begin());
      return values_.fail(*elements_[j],
                          "the joint " + support::quoted(robot_.joints[j].name) + " is part of a ring of links");
    }
    return check_again();
  }

  /// Tools that merge links leave some behind that nothing holds, that hold nothing and have no form. They change nothing.
  void drop_strays() {
    std::vector<bool> used(robot_.links.size());
    for (const RobotJoint& joint : robot_.joints) used[joint.parent] = used[joint.child] = true;
    for (const auto& [joint, element] : again_) used[joint.parent] = true;
    const auto stray = [&](std::size_t i) { return !used[i] && robot_.links[i].bodies.empty(); };
    bool rooted = false;
    for (std::size_t i = 0; i < used.size(); ++i) rooted |= !robot_.links[i].joint && !stray(i);
    if (!rooted) return;  // a robot of one link, or of rings
    std::vector<std::uint32_t> now(robot_.links.size());
    std::vector<RobotLink> kept;
    for (std::size_t i = 0; i < now.size(); ++i) {
      now[i] = static_cast<std::uint32_t>(kept.size());
      if (stray(i))
        robot_.problems.push_back(
            {robot_.links[i].name, "no joint holds the link, and it has no geometry: it is left out"});
      else
        kept.push_back(std::move(robot_.links[i]));
    }
    robot_.links = std::move(kept);
    for (RobotJoint& joint : robot_.joints) joint.parent = now[joint.parent], joint.child = now[joint.child];
    for (auto& [joint, element] : again_) joint.parent = now[joint.parent], joint.child = now[joint.child];
  }

  /// A fixed joint from the root of one tree to a link of another holds the root as well as the link.
  void join_trees() {
    std::erase_if(again_, [&](auto& again) {
      auto& [joint, element] = again;
      std::uint32_t root = joint.child;
      for (std::size_t steps = 0; robot_.links[root].joint && steps < robot_.joints.size(); ++steps)
        root = robot_.joints[*robot_.links[root].joint].parent;
      const Pose back = inverse(joint.origin);
      if (robot_.links[joint.parent].joint || root == joint.parent || !back.is_valid()) return false;
      robot_.problems.push_back({robot_.links[joint.parent].name, "the fixed joint " + support::quoted(joint.name) +
                                                                      " is taken to hold its parent, since its child " +
                                                                      support::quoted(robot_.links[joint.child].name) +
                                                                      " is held already"});
      std::swap(joint.parent, joint.child);
      joint.origin = back;
      const auto id = static_cast<std::uint32_t>(robot_.joints.size());
      robot_.links[joint.child].joint = id;
      joints_[joint.name] = id;
      robot_.joints.push_back(std::move(joint));
      elements_.push_back(element);
      return true;
    });
  }

  /// Fixed joints that hold a link again say nothing new if fixed joints hold it there already.
  Result<void, IoError> check_again() {
    std::vector<std::uint32_t> body(robot_.links.size());
    std::iota(body.begin(), body.end(), 0U);
    for (const std::uint32_t id : robot_.order)
      if (robot_.joints[id].kind == JointKind::fixed) body[robot_.joints[id].child] = body[robot_.joints[id].parent];
    std::vector<Pose> poses;
    const bool posed = again_.empty() || link_poses(robot_, rest_values(robot_), poses).has_value();
    for (const auto& [joint, element] : again_) {
      if (!posed || body[joint.parent] != body[joint.child]) return second_parent(*element, joint);
      const Pose there = compose(poses[joint.parent], joint.origin);
      const Pose& here = poses[joint.child];
      double off = 0;
      for (const Vec3& v : {Vec3{}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const Vec3 apart = there.apply(v) - here.apply(v);
        off = std::max({off, std::abs(apart.x), std::abs(apart.y), std::abs(apart.z)});
      }
      if (!(off <= k_same_pose)) return second_parent(*element, joint);
      robot_.problems.push_back({robot_.links[joint.child].name, "the fixed joint " + support::quoted(joint.name) +
                                                                     " holds the link where it is held already"});
    }
    return {};
  }

  static constexpr double k_most_radians = 1e5;
  /// Metres by which the axes of two frames may differ that are meant to be one: files have six digits.
  static constexpr double k_same_pose = 1e-5;
  /// Their pairs are looked at one by one.
  static constexpr std::size_t k_most_links = 1024;

  UrdfValues values_;
  UrdfBodies bodies_;
  const RobotLoadOptions& options_;
  Robot robot_;
  Ids links_, joints_;
  std::vector<const XmlElement*> elements_;       ///< of the joints
  std::vector<const XmlElement*> link_elements_;  ///< of the links, as they are read
  /// Fixed joints to links that another joint holds.
  std::vector<std::pair<RobotJoint, const XmlElement*>> again_;
};

}  // namespace

std::string_view to_string(JointKind kind) noexcept {
  constexpr std::array<std::string_view, 4> k_words{"fixed", "revolute", "continuous", "prismatic"};
  return k_words[static_cast<std::size_t>(kind)];
}

Result<Robot, IoError> parse_robot(std::string_view text, const std::filesystem::path& path,
                                   const RobotLoadOptions& options) {
  const std::string name = path.string();
  const auto xml = io::parse_xml(text);
  if (!xml)
    return io::failure_at_line(xml.error().too_large ? IoError::Code::too_large : IoError::Code::malformed, name,
                               xml.error().line, xml.error().text);
  return UrdfReader(*xml, name, path, options).read();
}

Result<Robot, IoError> load_robot(const std::filesystem::path& path, const RobotLoadOptions& options) {
  LoadOptions reading;
  reading.max_file_bytes = options.max_file_bytes;
  reading.cancel = options.cancel;
  auto source = io::ByteSource::open(path, reading);
  if (!source) return Failure{source.error()};
  if (path.extension() == ".xacro") {
    const std::string from = path.filename().string(), to = path.stem().string();
    return io::failure(
        IoError::Code::unsupported, path.string(),
        "is a xacro file: expand it first, 'xacro " + from + " > " + (to.ends_with(".urdf") ? to : to + ".urdf") + "'");
  }
  source->restart(reading, true);
  const auto text = io::read_piece(*source, source->remaining());
  if (!text) return Failure{text.error()};
  auto hash = source->finish();
  if (!hash) return Failure{std::move(hash).error()};
  auto robot = parse_robot(*text, path, options);
  if (robot) robot->sha256 = std::move(*hash);
  return robot;
}

std::optional<std::uint32_t> Robot::find_joint(std::string_view called) const noexcept {
  const auto found = std::ranges::find(joints, called, &RobotJoint::name);
  return found == joints.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - joints.begin()));
}
std::optional<std::uint32_t> Robot::find_link(std::string_view called) const noexcept {
  const auto found = std::ranges::find(links, called, &RobotLink::name);
  return found == links.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - links.begin()));
}

}  // namespace snug
