#include "scenes/workbench.hpp"

#include <snug/page.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace snug {
namespace {

std::string document(const std::string& tracks, const std::string& units = "\"mm\"") {
  return "{\"schema\":\"snug.motion/1\",\"units\":" + units + ",\"tracks\":" + tracks + "}";
}
std::string key(const std::string& t, const std::string& rotation = "[1,0,0,0]",
                const std::string& position = "[0,0,0]") {
  return "{\"t\":" + t + ",\"position\":" + position + ",\"rotation\":" + rotation + "}";
}

TEST(MotionFile, SaysWhichTrackAndWhichKeyIsWrong) {
  const Assembly bench = scenes::workbench();
  const std::string part = bench.parts()[0].path, leaf = part.substr(part.rfind('/') + 1);
  const auto track = [](const std::string& name, const std::string& keys) {
    return "{\"part\":\"" + name + "\",\"keys\":[" + keys + "]}";
  };
  const std::string good = track(part, key("0") + "," + key("1")), other = bench.parts()[1].path;
  for (const auto& [text, words] : std::initializer_list<std::pair<std::string, std::string>>{
           {"{", "m.json: at byte"},
           {"{\"schema\":\"snug.move/1\"}", "is no snug.motion/1 document; its schema is 'snug.move/1'"},
           {"[]", "is no snug.motion/1 document"},
           {document("[" + good + "]", "\"furlong\""), "the unit 'furlong' is not known"},
           {document("[" + good + "]", "7"), "names no unit"},
           {document("[]"), "has no tracks"},
           {document("{}"), "has no tracks"},
           {document("[7]"), "track 1: is not an object"},
           {document("[{}]"), "track 1: names no part"},
           {document("[" + good + "," + track("nobody", key("0")) + "]"), "track 2 ('nobody'): there is no such part"},
           {document("[" + track(leaf, key("0")) + "]"), "; there is '" + part + "'"},
           {document("[" + good + "," + good + "]"), "moves a part that track 1 moves already"},
           {document("[" + good + "," + track(other, "") + "]"), "track 2 ('" + other + "'): has no key"},
           {document("[" + track(part, key("0") + "," + key("0")) + "]"),
            "key 2: its time, 0, is not later than that of the key before, 0"},
           {document("[" + track(part, key("1") + "," + key("0.5")) + "]"), "key 2: its time, 0.5, is not later"},
           {document("[" + track(part, key("\"0\"")) + "]"), "key 1: has no time 't'"},
           {document("[" + track(part, key("0", "[0,0,0,0]")) + "]"), "key 1: "},
           {document("[" + track(part, key("0", "[1,0,0]")) + "]"), "key 1: 'rotation' must be four numbers"},
           {document("[" + track(part, key("0", "[1,0,0,0]", "[0,0]")) + "]"),
            "key 1: 'position' must be three numbers"},
           {document("[" + track(part, key("0", "[1,0,0,0]", "[1e300,1e301,0]")) + "]"), "key 1: "},
           {document("[" + track(part, key("NaN")) + "]"), "m.json: at byte"},
           {document("[" + track(part, key("1e999")) + "]"), "m.json: "},
           {document("[" + track(part, "{\"t\":0,\"postion\":[0,0,0],\"rotation\":[1,0,0,0]}") + "]"),
            "key 1: has the unknown key 'postion'"},
           {document("[{\"part\":\"" + part + "\",\"keys\":[],\"loop\":true}]"), "has the unknown key 'loop'"}}) {
    SCOPED_TRACE(text);
    const auto motion = read_motion(text, "m.json", bench);
    ASSERT_FALSE(motion);
    EXPECT_NE(motion.error().message().find(words), std::string::npos) << motion.error().message();
    EXPECT_TRUE(motion.error().message().starts_with("m.json"));
  }
  const auto motion = read_motion(document("[" + good + "]"), "m.json", bench);
  ASSERT_TRUE(motion) << motion.error().message();
  EXPECT_EQ(motion->end, 1);
}

/// A hinge with two leaves in a sub-assembly, turned against the whole, and a post.
Assembly hinged() {
  Assembly assembly(LengthUnit::millimetre);
  const Mesh mesh = scenes::workbench().parts()[0].mesh;
  for (const auto& [path, pose] : {std::pair{"box/lid/leaf", compose(translation(3, 4, 5), rotation({1, 2, 3}, 2))},
                                   {"box/lid/knob", compose(translation(-1, 0, 9), rotation({0, 1, 0}, -1))},
                                   {"box/post", translation(1, 1, 1)}})
    (void)assembly.add({path, mesh, pose}).value();
  return assembly;
}

double apart(const Point3& p, const Point3& q) { return std::hypot(p.x - q.x, p.y - q.y, p.z - q.z); }

TEST(MotionFile, TurnsASubAssemblyAboutAnAxisOfTheWhole) {
  const Assembly assembly = hinged();
  const auto motion = read_motion(document(R"([{"part":"box/lid","frame":"assembly","keys":[{"t":0,"shift":[0,0,0]},
        {"t":1,"turn":{"point":[0.01,0,0],"direction":[0,0,2],"degrees":200,"pitch":0.0018}},{"t":2,"shift":[0,0,0.5]}]}])",
                                           "\"m\""),
                                  "m.json", assembly);
  ASSERT_TRUE(motion) << motion.error().message();
  ASSERT_EQ(motion->tracks.size(), 2U);
  for (const PageTrack& track : motion->tracks) {
    const Pose& at = assembly.parts()[track.part].pose;
    ASSERT_TRUE(track.world);
    for (const double t : {0.0, 0.3, 1.0, 2.0}) {
      const double angle = std::min(t, 1.0) * 200 * std::acos(-1.0) / 180;
      const Point3 p{0.1, 0.2, 0.3}, from = at.apply(p);
      const Point3 to{10 + std::cos(angle) * (from.x - 10) - std::sin(angle) * from.y,
                      std::sin(angle) * (from.x - 10) + std::cos(angle) * from.y,
                      from.z + std::min(t, 1.0) * 1 + (t > 1 ? 500 : 0)};
      EXPECT_LT(apart(track.world->at(t).apply(p), to), 1e-12) << t;
      // The same relative to where the part stands.
      EXPECT_LT(apart(at.apply(track.motion.at(t).apply(p)), to), 1e-12) << t;
    }
  }
}

TEST(MotionFile, TakesPosesInTheAxesOfTheWhole) {
  const Assembly assembly = hinged();
  const auto motion = read_motion(document("[{\"part\":\"box/lid/leaf\",\"frame\":\"assembly\",\"keys\":[" + key("0") +
                                           "," + key("1", "[0.8,0,0,0.6]", "[7,8,9]") + "]}]"),
                                  "m.json", assembly);
  ASSERT_TRUE(motion) << motion.error().message();
  const Pose at = assembly.parts()[0].pose, moved = Pose::make({0.8, 0, 0, 0.6}, {7, 8, 9}).value();
  EXPECT_LT(apart(motion->tracks[0].world->at(1).apply({1, 2, 3}), moved.apply(at.apply({1, 2, 3}))), 1e-12);
  // In the part's own axes, as ever, unless it says otherwise.
  const std::string keys = key("0") + "," + key("1", "[0.8,0,0,0.6]", "[7,8,9]") + "]}]";
  for (const std::string frame : {"", "\"frame\":\"part\","}) {
    const auto own =
        read_motion(document("[{\"part\":\"box/lid/leaf\"," + frame + "\"keys\":[" + keys), "m.json", assembly);
    ASSERT_TRUE(own) << own.error().message();
    EXPECT_FALSE(own->tracks[0].world);
    EXPECT_EQ(own->tracks[0].motion.at(1), moved);
  }
}

TEST(MotionFile, SaysWhatIsWrongWithTurnsFramesAndSubAssemblies) {
  const Assembly assembly = hinged();
  const auto track = [](const std::string& name, const std::string& keys, const std::string& frame = "assembly") {
    return document("[{\"part\":\"" + name + "\",\"frame\":\"" + frame + "\",\"keys\":[" + keys + "]}]");
  };
  const std::string begin = R"({"t":0,"shift":[0,0,0]},)";
  const auto turn = [&](const std::string& text) {
    return track("box/lid", begin + R"({"t":1,"turn":{)" + text + "}}");
  };
  const std::string axis = R"("point":[0,0,0],"direction":[0,0,1],)";
  for (const auto& [text, words] : std::initializer_list<std::pair<std::string, std::string>>{
           {track("box/lid", key("0"), "part"), "is a sub-assembly, which moves in the axes of the whole"},
           {track("box/lid", key("0"), "world"), "its frame must be \"part\" or \"assembly\""},
           {track("box/li", key("0")), "no such part or sub-assembly; there is 'box/lid'"},
           {track("lid", key("0")), "; there is 'box/lid'"},
           {track("box/Lid/leav", key("0")), "; there is 'box/lid/leaf'"},
           {track("box/lid/", key("0")), "no such part"},
           {track("", key("0")), "no such part"},
           {document(R"([{"part":"box/lid","frame":"assembly","keys":[)" + key("0") +
                     R"(]},{"part":"box/lid/knob","keys":[)" + key("0") + "]}]"),
            "track 2 ('box/lid/knob'): moves a part that track 1 moves already"},
           {document(R"([{"part":"box/lid/knob","keys":[)" + key("0") +
                     R"(]},{"part":"box/lid","frame":"assembly","keys":[)" + key("0") + "]}]"),
            "track 2 ('box/lid'): moves 'box/lid/knob', which track 1 moves already"},
           {track("box/lid", R"({"t":0,"turn":{)" + axis + R"("degrees":9}})"),
            "key 1: a turn leads on from the key before"},
           {turn(R"("direction":[0,0,1],"degrees":9)"), "key 2: the turn's 'point' must be three numbers"},
           {turn(R"("point":[0,0,0],"direction":[0,0,0],"degrees":9)"),
            "'direction' must be three numbers, not all zero"},
           {turn(axis + R"("degrees":"9")"), "'degrees' must be a number"},
           {turn(axis + R"("radians":9)"), "'turn' has the unknown key 'radians'"},
           {turn(axis + R"("degrees":9,"pitch":[1])"), "'pitch' must be a number"},
           {turn(axis + R"("degrees":1e9)"), "key 2: turns about an axis without a direction, by an angle beyond"},
           {track("box/lid", begin + R"({"t":1,"turn":7})"), "'turn' is not an object"},
           {track("box/lid", R"({"t":0,"shift":[1,2]})"), "'shift' must be three numbers"},
           {track("box/lid", R"({"t":0,"shift":[0,0,0],"position":[0,0,0]})"), "has more than one of a pose"},
           {track("box/lid", R"({"t":0})"), "'position' must be three numbers"}}) {
    SCOPED_TRACE(text);
    const auto motion = read_motion(text, "m.json", assembly);
    ASSERT_FALSE(motion);
    EXPECT_NE(motion.error().message().find(words), std::string::npos) << motion.error().message();
  }
}

TEST(MotionFile, DoesNotGrowWithoutBounds) {
  std::string keys = R"({"t":0,"shift":[0,0,0]})";
  for (int i = 1; i <= 20; ++i)
    keys += R"(,{"t":)" + std::to_string(i) + R"(,"turn":{"point":[0,0,0],"direction":[0,0,1],"degrees":5.7e6}})";
  const auto motion =
      read_motion(document(R"([{"part":"box/lid","frame":"assembly","keys":[)" + keys + "]}]"), "m.json", hinged());
  ASSERT_FALSE(motion);
  EXPECT_NE(motion.error().message().find("makes more than 2000000 keys"), std::string::npos);
}

}  // namespace
}  // namespace snug
