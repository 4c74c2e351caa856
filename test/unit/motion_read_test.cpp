#include "scenes/workbench.hpp"

#include <snug/page.hpp>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace snug
