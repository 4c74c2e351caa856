#include "support.hpp"

#include <snug/robot.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include <unistd.h>

namespace snug {
namespace {

Robot parsed(const std::string& text, const std::filesystem::path& path = "r.urdf") {
  auto robot = parse_robot(text, path);
  EXPECT_TRUE(robot) << robot.error().message();
  return robot ? std::move(*robot) : Robot{};
}

std::string error_of(const std::string& body, bool whole = false) {
  const auto robot = parse_robot(whole ? body : "<robot name='r'>\n" + body + "\n</robot>", "r.urdf");
  return robot ? "" : robot.error().message();
}

const std::string k_links = "<link name='a'/><link name='b'/>";
std::string joint(const std::string& attributes, const std::string& inside = "") {
  return k_links + "\n<joint " + attributes + "><parent link='a'/><child link='b'/>" + inside + "</joint>";
}

TEST(Urdf, ReadsLinksJointsAndSimpleSolids) {
  const Robot robot = parsed(R"(<robot name="arm">
    <material name="grey"/>
    <link name="base"><visual><geometry><mesh filename="no.dae"/></geometry></visual><inertial/>
      <collision><origin xyz="1 2 3"/><geometry><box size="1 2 3"/></geometry></collision>
      <collision><geometry><cylinder radius="0.5" length="2"/></geometry></collision></link>
    <link name="upper"><collision><geometry><sphere radius=" .25 "/></geometry></collision></link>
    <link name="tool"/>
    <joint name="turn" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 1" rpy="0 0 0"/>
      <axis xyz="0 0 2"/><limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
    <joint name="slide" type="prismatic"><parent link="upper"/><child link="tool"/><limit upper="0.5" effort="1" velocity="1"/>
      <mimic joint="turn" multiplier="0.25" offset="0.1"/></joint>
  </robot>)");
  ASSERT_EQ(robot.links.size(), 3U);
  ASSERT_EQ(robot.joints.size(), 2U);
  EXPECT_EQ(robot.name, "arm");
  ASSERT_EQ(robot.links[0].bodies.size(), 2U);
  const auto& box = *robot.links[0].bodies[0].shape.primitive();
  EXPECT_EQ(box.kind(), Primitive::Kind::box);
  EXPECT_EQ(box.half(), (Vec3{0.5, 1, 1.5}));
  EXPECT_EQ(robot.links[0].bodies[0].pose.translation(), (Vec3{1, 2, 3}));
  EXPECT_EQ(robot.links[1].bodies[0].shape.primitive()->radius(), 0.25);
  EXPECT_EQ(robot.joints[0].axis, (Vec3{0, 0, 1}));
  EXPECT_EQ(robot.joints[0].lower, -1);
  EXPECT_EQ(robot.joints[1].axis, (Vec3{1, 0, 0}));
  EXPECT_EQ(robot.joints[1].mimic->multiplier, 0.25);
  EXPECT_EQ(robot.order, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(robot.find_joint("slide"), 1U);
  EXPECT_FALSE(robot.find_link("turn"));
}

TEST(Urdf, PosesLinksByTheirJoints) {
  const Robot robot = parsed(R"(<robot><link name="base"/><link name="arm"/><link name="hand"/><link name="end"/>
    <joint name="j" type="continuous"><parent link="base"/><child link="arm"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
    <joint name="k" type="prismatic"><parent link="arm"/><child link="hand"/><origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/>
      <axis xyz="1 0 0"/><limit lower="0" upper="5"/></joint>
    <joint name="m" type="prismatic"><parent link="hand"/><child link="end"/><axis xyz="0 0 -1"/><limit lower="0" upper="5"/>
      <mimic joint="k" multiplier="2" offset="1"/></joint></robot>)");
  const double quarter = std::acos(-1.0) / 2;
  const auto poses = link_poses(robot, std::vector{quarter, 3.0, -77.0}).value();
  const auto near = [](const Point3& p, const Point3& q) {
    return std::abs(p.x - q.x) + std::abs(p.y - q.y) + std::abs(p.z - q.z) < 1e-14;
  };
  // The hand's x axis points against the arm's y axis turned by a quarter: along -x.
  EXPECT_TRUE(near(poses[2].apply({}), {1 - 3, 0, 1})) << poses[2].apply({}).x;
  EXPECT_TRUE(near(poses[3].apply({}), {1 - 3, 0, 1 - 7}));
  EXPECT_EQ(rest_values(robot), (std::vector<double>{0, 0, 0}));
}

TEST(Urdf, RollPitchYawAreAboutFixedAxes) {
  const Robot robot = parsed(R"(<robot><link name="a"/><link name="b"/>
    <joint name="j" type="fixed"><parent link="a"/><child link="b"/><origin rpy="0.3 -0.5 0.9"/></joint></robot>)");
  const Pose expected = compose(rotation({0, 0, 1}, 0.9), compose(rotation({0, 1, 0}, -0.5), rotation({1, 0, 0}, 0.3)));
  const auto &got = robot.joints[0].origin.matrix(), &wanted = expected.matrix();
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(got[i], wanted[i], 1e-15);
}

TEST(Urdf, SaysWhatIsWrongAndInWhichLine) {
  for (const auto& [body, words] : std::initializer_list<std::pair<std::string, std::string>>{
           {"", "r.urdf:1: has no link"},
           {"<link/>", "r.urdf:2: 'name' of <link> is missing"},
           {"<link name='a'/>\n<link name='a'><visual/></link>",
            "r.urdf:3: there is a second link 'a', and it is another one than in line 2"},
           {"<link name='a'><collision><geometry><sphere radius='1'/></geometry></collision></link><link name='b'/>"
            "<link name='c'/><joint name='j' type='fixed'><parent link='b'/><child link='c'/></joint>",
            "links that no joint holds ('a', 'b')"},
           {joint("name='j'"), "r.urdf:3: 'type' of <joint> is missing"},
           {joint("name='j' type='bendy'"), "joints of type 'bendy' are not known"},
           {joint("name='j' type='floating'"), "joints of type 'floating' are not read"},
           {joint("name='j' type='revolute'"), "there is no <limit> in <joint>"},
           {joint("name='j' type='revolute'", "<limit lower='1' upper='0'/>"),
            "the lower limit of joint 'j' is above the upper one"},
           {joint("name='j' type='revolute'", "<limit lower='nan' upper='0'/>"),
            "'lower' of <limit> must be a finite number, found 'nan'"},
           {joint("name='j' type='continuous'", "<axis xyz='0 0 0'/>"), "the axis of joint 'j' is zero"},
           {joint("name='j' type='continuous'", "<axis xyz='0 1'/>"),
            "'xyz' of <axis> must be three finite numbers, found '0 1'"},
           {joint("name='j' type='continuous'", "<origin rpy='0 0 1e7'/>"), "beyond a million radians"},
           {joint("name='j' type='continuous'", "<mimic joint='j'/>"), "mimics itself"},
           {joint("name='j' type='continuous'", "<mimic joint='k'/>"), "there is no joint 'k' to mimic"},
           {joint("name='j' type='fixed'", "<parent link='b'/>"), "there is a second <parent> in <joint>"},
           {"<link name='a'/>\n<joint name='j' type='fixed'><parent link='a'/><child link='c'/></joint>",
            "r.urdf:3: there is no link 'c'"},
           {"<link name='a'/>\n<joint name='j' type='fixed'><parent link='a'/><child link='a'/></joint>",
            "holds a link to itself"},
           {k_links + "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint><joint name='k' "
                      "type='fixed'><parent "
                      "link='b'/><child link='a'/></joint>",
            "form a ring"},
           {"<link name='r'/><link name='a'/><link name='b'/><joint name='j' type='fixed'><parent link='a'/><child "
            "link='b'/></joint><joint "
            "name='k' type='fixed'><parent link='b'/><child link='a'/></joint>",
            "part of a ring of links"},
           {"<link name='a'/><link name='b'/><link name='c'/><joint name='j' type='fixed'><parent link='a'/><child "
            "link='c'/></joint>\n<joint "
            "name='k' type='continuous'><parent link='b'/><child link='c'/></joint>",
            "r.urdf:3: the link 'c' has a second parent: the joint 'j' holds it already"},
           {"<link name='a'><collision/></link>", "there is no <geometry> in <collision>"},
           {"<link name='a'><collision><geometry/></collision></link>", "must hold one shape, found 0"},
           {"<link name='a'><collision><geometry><torus/></geometry></collision></link>",
            "the shape <torus> is not known"},
           {"<link name='a'><collision><geometry><sphere radius='-1'/></geometry></collision></link>",
            "'radius' of <sphere> must be above zero, found '-1'"},
           {"<link name='a'><collision><geometry><box size='1 0 1'/></geometry></collision></link>",
            "'size' of <box> must be above zero"},
           {"<link name='a'><collision><geometry><mesh filename='none.stl'/></geometry></collision></link>",
            "none.stl"},
           {"<link name='a'><collision><geometry><mesh filename='http://x/y.stl'/></geometry></collision></link>",
            "meshes at 'http' addresses are not read"},
           {"<link name='a'><collision><geometry><mesh filename='package://p/y.stl'/></geometry></collision></link>",
            "was looked for in '"},
           {"<link name='a'><collision><geometry><mesh filename='y.stl' scale='1 1 0'/></geometry></collision></link>",
            "'scale' of <mesh> holds a zero"},
           {"<link name='a'/><xacro:macro name='m'/>", "expand it first"}}) {
    SCOPED_TRACE(body);
    EXPECT_NE(error_of(body).find(words), std::string::npos) << error_of(body);
  }
  EXPECT_NE(error_of("<sdf/>", true).find("r.urdf:1: is no URDF: its root is <sdf>"), std::string::npos);
  EXPECT_NE(error_of("<robot>\n<link", true).find("r.urdf:2: "), std::string::npos);
}

TEST(Urdf, MimicsInAChainAndRefusesRings) {
  const auto text = [](const std::string& second, const std::string& third) {
    std::string out = "<robot><link name='l0'/>";
    for (int i = 0; i < 3; ++i)
      out += "<link name='l" + std::to_string(i + 1) + "'/><joint name='j" + std::to_string(i) +
             "' type='continuous'><parent link='l" + std::to_string(i) + "'/><child link='l" + std::to_string(i + 1) +
             "'/>" +
             (i == 1   ? second
              : i == 2 ? third
                       : "") +
             "</joint>";
    return out + "</robot>";
  };
  const Robot robot =
      parsed(text("<mimic joint='j2' multiplier='2' offset='1'/>", "<mimic joint='j0' multiplier='3' offset='5'/>"));
  EXPECT_EQ(robot.joints[1].mimic->joint, 0U);
  EXPECT_EQ(robot.joints[1].mimic->multiplier, 6);
  EXPECT_EQ(robot.joints[1].mimic->offset, 11);
  EXPECT_FALSE(parse_robot(text("<mimic joint='j2'/>", "<mimic joint='j1'/>"), "r.urdf"));
}

class UrdfMeshes : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("urdf-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_ / "my_robot" / "meshes");
    std::filesystem::create_directories(folder_ / "my_robot" / "urdf");
    std::ofstream(folder_ / "my_robot" / "meshes" / "a tetra.obj")
        << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    std::ofstream(folder_ / "my_robot" / "meshes" / "model.dae")
        << "<COLLADA><asset><unit meter='0.01'/><up_axis>Y_UP</up_axis></asset><library_geometries><geometry "
           "id='g'><mesh>"
           "<source id='s'><float_array id='f' count='12'>0 0 0 100 0 0 0 100 0 0 0 100</float_array><technique_common>"
           "<accessor source='#f' count='4' stride='3'/></technique_common></source><vertices id='v'><input "
           "semantic='POSITION' source='#s'/></vertices><triangles count='4'><input semantic='VERTEX' source='#v' "
           "offset='0'/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries></COLLADA>";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  Result<Robot, IoError> with(const std::string& address, const std::string& scale = "1 1 1") const {
    return parse_robot("<robot><link name='l'><collision><geometry><mesh filename='" + address + "' scale='" + scale +
                           "'/></geometry></collision></link></robot>",
                       folder_ / "my_robot" / "urdf" / "r.urdf");
  }
  std::filesystem::path folder_;
};

TEST_F(UrdfMeshes, AreFoundByEveryKindOfAddress) {
  const std::string absolute = "file://" + (folder_ / "my_robot" / "meshes" / "a tetra.obj").string();
  for (const std::string& address :
       {std::string("../meshes/a tetra.obj"), std::string("package://my_robot/meshes/a tetra.obj"),
        std::string("package://my_robot/meshes/a%20tetra.obj"), absolute}) {
    const auto robot = with(address);
    ASSERT_TRUE(robot) << robot.error().message();
    EXPECT_EQ(robot->links[0].bodies[0].shape.mesh().triangles().size(), 4U);
    EXPECT_TRUE(robot->problems.empty());
  }
  for (const std::string& address :
       {std::string("package:///my_robot/meshes/a tetra.obj"), std::string("package:///meshes/a tetra.obj"),
        std::string("package:///other/meshes/a tetra.obj")})
    EXPECT_TRUE(with(address)) << address;
  // A package whose folder has another name: found, and remarked on.
  const auto renamed = with("package://other/meshes/a tetra.obj");
  ASSERT_TRUE(renamed) << renamed.error().message();
  ASSERT_EQ(renamed->problems.size(), 1U);
  EXPECT_NE(renamed->problems[0].text.find("in no folder of its name"), std::string::npos);
  EXPECT_FALSE(with("package://other/meshes/none.obj"));
  EXPECT_NE(with("package://other/none.obj").error().message().find("my_robot'"), std::string::npos);
}

TEST_F(UrdfMeshes, OfColladaHeedTheUnitAndKeepTheirAxes) {
  const auto robot = with("../meshes/model.dae", "1 2 1");
  ASSERT_TRUE(robot) << robot.error().message();
  EXPECT_EQ(robot->links[0].bodies[0].shape.bounds().hi, (Point3{1, 2, 1}));
}

TEST(Urdf, LimitsWithoutMeaningAreNone) {
  const Robot robot =
      parsed("<robot>" + joint("name='j' type='revolute'", "<limit lower='-1e16' upper='1e16'/>") + "</robot>");
  EXPECT_EQ(robot.joints[0].kind, JointKind::continuous);
  EXPECT_LT(robot.joints[0].upper, 3.15);
  EXPECT_EQ(robot.problems.size(), 1U);
}

TEST(Urdf, RestsOfMergedLinksLoad) {
  const auto fixed = [](const std::string& name, const std::string& parent, const std::string& child,
                        const std::string& origin = "0 0 0") {
    return "\n<joint name='" + name + "' type='fixed'><parent link='" + parent + "'/><child link='" + child +
           "'/><origin xyz='" + origin + "'/></joint>";
  };
  const std::string three = "<link name='a'/><link name='b'/><link name='c'/>";
  // The same link twice, word for word; one that nothing holds and that has no form.
  Robot robot = parsed("<robot>" + three + "<link name='c'/><link name='left'/>" + fixed("j", "a", "b") +
                       fixed("k", "b", "c") + "</robot>");
  EXPECT_EQ(robot.links.size(), 3U);
  EXPECT_EQ(robot.problems.size(), 2U);
  // A fixed joint that says again what others say, and one that contradicts them.
  robot = parsed("<robot>" + three + fixed("j", "a", "b", "1 0 0") + fixed("k", "b", "c", "0 1 0") +
                 fixed("again", "a", "c", "1 1 0") + "</robot>");
  EXPECT_EQ(robot.joints.size(), 2U);
  ASSERT_EQ(robot.problems.size(), 1U);
  EXPECT_NE(robot.problems[0].text.find("'again'"), std::string::npos);
  EXPECT_NE(error_of(three + fixed("j", "a", "b", "1 0 0") + fixed("k", "b", "c", "0 1 0") +
                     fixed("again", "a", "c", "1 1 0.001"))
                .find("r.urdf:5: the link 'c' has a second parent: the joint 'k'"),
            std::string::npos);
  // Two trees that a fixed joint makes one: c is held by a already, so b is held by c.
  robot = parsed("<robot>" + three + fixed("j", "a", "c", "1 0 0") + fixed("k", "b", "c", "0 0 1") + "</robot>");
  ASSERT_EQ(robot.joints.size(), 2U);
  EXPECT_EQ(robot.problems.size(), 1U);
  const auto poses = link_poses(robot, std::vector{0.0, 0.0}).value();
  EXPECT_EQ(poses[1].translation(), (Vec3{1, 0, -1}));
  // A robot of one link stays one.
  EXPECT_EQ(parsed("<robot><link name='a'/></robot>").links.size(), 1U);
}

TEST(Urdf, ShiftsWithoutLimitsDoNoHarmAtRest) {
  const std::string ball = "<collision><origin xyz='3 0 0'/><geometry><sphere radius='1'/></geometry></collision>";
  const Robot robot = parsed(
      "<robot><link name='a'>" + ball +
      "</link><link name='m'/><link name='b'><collision><geometry><sphere "
      "radius='1'/></geometry></collision></link><joint name='s' type='prismatic'><parent link='a'/><child link='m'/>"
      "<limit lower='-1e16' upper='1e16'/></joint><joint name='t' type='continuous'><parent link='m'/><child "
      "link='b'/></joint></robot>");
  EXPECT_EQ(check_joints(robot, std::vector{JointSpan{1, 0, 1}}).value().shares.free, 1);
}

TEST(Urdf, VisualGeometryStandsInWhereAskedFor) {
  const std::string text =
      "<robot><link name='a'><visual><geometry><sphere radius='1'/></geometry></visual></link></robot>";
  EXPECT_TRUE(parsed(text).links[0].bodies.empty());
  const auto robot = parse_robot(text, "r.urdf", {.visual = true});
  ASSERT_TRUE(robot);
  EXPECT_EQ(robot->links[0].bodies.size(), 1U);
}

TEST(Urdf, BadValuesAreRefusedAndNothingIsReadBeyondThem) {
  const Robot robot = parsed("<robot>" + joint("name='j' type='continuous'") + "</robot>");
  using Code = JointError::Code;
  std::vector<Pose> poses(7);
  EXPECT_EQ(link_poses(robot, {}).error().code, Code::wrong_count);
  EXPECT_EQ(link_poses(robot, std::vector{1.0, 2.0}, poses).error().code, Code::wrong_count);
  EXPECT_EQ(poses.size(), 7U);
  for (const double bad : {std::nan(""), HUGE_VAL, -1e7}) {
    const auto refused = link_poses(robot, std::vector{bad});
    EXPECT_EQ(refused.error().code, Code::not_a_value);
    EXPECT_NE(refused.error().message().find("'j'"), std::string::npos);
    EXPECT_FALSE(robot_assembly(robot, std::vector{bad}));
    EXPECT_FALSE(check_joints(robot, std::vector{JointSpan{0, 0, bad}}));
    EXPECT_FALSE(check_joints(robot, {}, {.values = {bad}}));
    EXPECT_FALSE(check_joints(robot, {}, {.clearance = bad}));
  }
  EXPECT_TRUE(link_poses(robot, std::vector{1.0}, poses));
  EXPECT_EQ(poses.size(), 2U);
  EXPECT_EQ(check_joints(robot, std::vector{JointSpan{3, 0, 1}}).error().code, Code::no_such_joint);
  EXPECT_EQ(check_joints(robot, std::vector{JointSpan{0, 1, 0}}).error().code, Code::not_in_order);
  EXPECT_EQ(check_joints(robot, std::vector{JointSpan{0, 0, 1}, JointSpan{0, 0, 1}}).error().code, Code::named_twice);
  EXPECT_FALSE(check_joints(robot, {}, {.tolerance = 0}));
}

TEST(Robot, RefusesIdsOfWhatItDoesNotHave) {
  Robot sound;
  sound.links = {{.name = "base", .bodies = {}}, {.name = "arm", .bodies = {}, .joint = 0}};
  sound.joints = {{.name = "shoulder", .kind = JointKind::revolute, .parent = 0, .child = 1, .origin = {}}};
  sound.order = {0};
  const std::vector<double> values{0.0};
  ASSERT_TRUE(link_poses(sound, values));
  std::vector<Robot> broken(4, sound);
  broken[0].joints[0].child = 400'000'000;
  broken[1].joints[0].parent = 2;
  broken[2].joints[0].mimic = MimicJoint{.joint = 1};
  broken[3].order = {7};
  for (const Robot& robot : broken) {
    EXPECT_EQ(link_poses(robot, values).error().code, JointError::Code::no_such_joint);
    EXPECT_EQ(check_joints(robot, {}).error().code, JointError::Code::no_such_joint);
    EXPECT_EQ(robot_assembly(robot, values).error().code, JointError::Code::no_such_joint);
  }
  Robot nowhere = sound;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  nowhere.links[1].bodies.push_back({Shape(Primitive::sphere(1).value()), translation(nan, 0, 0), ""});
  EXPECT_EQ(robot_assembly(nowhere, values).error().code, JointError::Code::not_a_value);
}

TEST_F(UrdfMeshes, AreScaledAndStayTurnedOutwards) {
  const auto robot = with("../meshes/a tetra.obj", "2 -3 4");
  ASSERT_TRUE(robot) << robot.error().message();
  const Shape& shape = robot->links[0].bodies[0].shape;
  EXPECT_EQ(shape.bounds().lo, (Point3{0, -3, 0}));
  EXPECT_EQ(shape.bounds().hi, (Point3{2, 0, 4}));
  EXPECT_EQ(locate({0.2, -0.3, 0.4}, shape.mesh().view()).winding, 1);
  EXPECT_FALSE(with("../meshes/a tetra.obj", "1e300 1e300 1e300"));
}

TEST(Urdf, BytesOutOfPlaceDoNoHarm) {
  const std::string text =
      "<robot name='r'><link name='a'><collision><geometry><box size='1 2 3'/></geometry></collision></link>"
      "<link name='b'/><joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
      "<limit lower='-1' upper='1'/><axis xyz='0 0 1'/></joint></robot>";
  ASSERT_TRUE(parse_robot(text, "r.urdf"));
  std::uint32_t state = 7;
  for (std::uint64_t i = 0; i < test::scaled(4000); ++i) {
    std::string broken = text;
    for (int k = 0; k < 3; ++k) {
      state = state * 1664525 + 1013904223;
      broken[(state >> 8) % broken.size()] = static_cast<char>("<>'/=&1e- ab"[(state >> 4) % 12]);
    }
    SCOPED_TRACE(broken);
    const auto robot = parse_robot(broken, "r.urdf");
    if (robot) {
      EXPECT_TRUE(link_poses(*robot, rest_values(*robot)));
    }
  }
}

}  // namespace
}  // namespace snug
