#include "scenes/solids.hpp"
#include "unit/io_support.hpp"

#include <snug/report.hpp>

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace snug {
namespace {

using test::in_mm;
using test::load_text;
using test::TempDir;

const std::string k_obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

std::string message_of(const std::filesystem::path& path, const LoadOptions& options = in_mm()) {
  const auto loaded = test::load_assembly(path, options);
  return loaded ? "no error" : loaded.error().message();
}

TEST(Load, TellsWhyAFileCannotBeRead) {
  const TempDir dir;
  const std::string folder = dir.path().string();
  const auto expect = [&](std::string_view name, IoError::Code code, std::string_view text) {
    const auto loaded = test::load_assembly(dir.path() / name, in_mm());
    ASSERT_FALSE(loaded) << name;
    EXPECT_EQ(loaded.error().code, code) << name;
    EXPECT_EQ(loaded.error().message(), folder + "/" + std::string(name) + ": " + std::string(text));
  };
  expect("missing.stl", IoError::Code::not_found, "no such file");
  std::filesystem::create_directory(dir.path() / "folder.obj");
  expect("folder.obj", IoError::Code::not_a_file, "expected a file, found a folder");
  dir.write("empty.obj", "");
  expect("empty.obj", IoError::Code::truncated, "the file is empty");
  expect("empty.obj/below", IoError::Code::not_found, "no such file");
  ASSERT_EQ(::mkfifo((dir.path() / "pipe.stl").c_str(), 0600), 0);
  expect("pipe.stl", IoError::Code::not_a_file, "expected a file, found a pipe");
  std::filesystem::create_symlink("/dev/zero", dir.path() / "zero.stl");
  expect("zero.stl", IoError::Code::not_a_file, "expected a file, found a device");
  std::filesystem::create_symlink("loop.stl", dir.path() / "loop.stl");
  EXPECT_EQ(test::load_assembly(dir.path() / "loop.stl", in_mm()).error().code, IoError::Code::unreadable);
  dir.write("secret.obj", k_obj);
  std::filesystem::permissions(dir.path() / "secret.obj", std::filesystem::perms::none);
  if (::geteuid() != 0) expect("secret.obj", IoError::Code::unreadable, "cannot be opened: Permission denied");
}

TEST(Load, RefusesLargeFilesUnread) {
  const TempDir dir;
  const auto file = dir.write("a.obj", k_obj);
  LoadOptions options = in_mm();
  options.max_file_bytes = k_obj.size();
  EXPECT_TRUE(test::load_assembly(file, options));
  options.max_file_bytes = k_obj.size() - 1;
  EXPECT_EQ(message_of(file, options), file.string() + ": 32 bytes, the limit is 31");
  // A sparse terabyte.
  std::filesystem::resize_file(file, std::uintmax_t{1} << 40);
  EXPECT_EQ(test::load_assembly(file, in_mm()).error().code, IoError::Code::too_large);
}

TEST(Load, UnitsAreAskedForWhereTheFormatHasNone) {
  const TempDir dir;
  const auto file = dir.write("a.obj", k_obj);
  const auto loaded = test::load_assembly(file);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, IoError::Code::units_missing);
  EXPECT_EQ(loaded.error().message(),
            file.string() + ": the unit of length is needed: obj files have none of their own");
  EXPECT_EQ(test::load_assembly(file, {.units = LengthUnit::inch})->units(), LengthUnit::inch);
  EXPECT_TRUE(load_mesh(file));
}

TEST(Load, RecognisesContentBeforeSuffix) {
  const std::string stl =
      "solid x\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\nendsolid\n";
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  const std::string off = "# a comment\nOFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  for (const std::string& content : {stl, ply, off, k_obj, "648 216\n" + k_obj}) {
    for (const std::string name :
         {"right", "wrong.stl", "wrong.obj", "wrong.ply", "wrong.off", "wrong.gltf", "x.dat"}) {
      const auto loaded = load_text(content, name);
      ASSERT_TRUE(loaded) << loaded.error().message() << '\n' << content;
      EXPECT_EQ(loaded->parts()[0].mesh.triangles().size(), 1U);
    }
  }
}

TEST(Load, TheHeaderOfABinaryStlMayHoldAnyWord) {
  for (const std::string word : {"solid part", "ply ", "glTF", "OFF", "v 1 2 3", "{\"asset\""}) {
    std::string stl = word;
    stl.resize(80, ' ');
    stl.append("\1\0\0\0", 4).append(50, '\0');
    const auto loaded = load_text(stl, "x.ply");
    ASSERT_TRUE(loaded) << word << ": " << loaded.error().message();
    EXPECT_EQ(loaded->parts()[0].mesh.triangles().size(), 1U);
  }
}

TEST(Load, GivesUpOnWhatIsNeither) {
  const auto loaded = load_text("to whom it may concern\n", "letter.txt");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, IoError::Code::unknown_format);
  EXPECT_EQ(loaded.error().message(),
            "letter.txt: neither content nor suffix tell the format; STEP, IGES, BREP, STL, OBJ, PLY, OFF, glTF and "
            "COLLADA are read");
}

/// Counts how often a file is opened.
class Openings {
 public:
  explicit Openings(const std::filesystem::path& file) : events_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    EXPECT_GE(::inotify_add_watch(events_, file.c_str(), IN_OPEN | IN_CLOSE), 0);
  }
  ~Openings() { ::close(events_); }
  Openings(const Openings&) = delete;
  Openings& operator=(const Openings&) = delete;

  [[nodiscard]] int count() const {
    int opened = 0;
    std::array<char, 4096> events;
    for (ssize_t size; (size = ::read(events_, events.data(), events.size())) > 0;)
      for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
        inotify_event event;
        std::memcpy(&event, events.data() + at, sizeof event);
        opened += (event.mask & IN_OPEN) != 0 ? 1 : 0;
        at += sizeof event + event.len;
      }
    return opened;
  }

 private:
  int events_;
};

LoadOptions hashed() { return {.units = LengthUnit::millimetre, .hash = true}; }

TEST(Load, OpensAFileOnceAndHashesWhatItRead) {
  const TempDir dir;
  Assembly assembly(LengthUnit::millimetre);
  (void)assembly.add({"knot", scenes::bumpy_knot(60, 20), {}});
  for (const std::string name : {"a.stl", "a.obj", "a.ply", "a.off", "a.glb"}) {
    SCOPED_TRACE(name);
    const auto file = dir.path() / name;
    ASSERT_TRUE(save(assembly, file));
    const Openings openings(file);
    const auto loaded = load(file, hashed());
    EXPECT_EQ(openings.count(), 1);
    ASSERT_TRUE(loaded) << loaded.error().message();
    EXPECT_EQ(loaded->sha256, file_sha256(file).value());
    EXPECT_EQ(loaded->sha256, sha256_of(test::slurp(file)));
    EXPECT_EQ(to_string(loaded->format), name == "a.glb" ? "gltf" : name.substr(2));
    EXPECT_EQ(loaded->units, LengthUnit::millimetre);
    EXPECT_EQ(openings.count(), 2) << "by file_sha256() and by slurp()";
    EXPECT_TRUE(load_mesh(file));
    EXPECT_EQ(openings.count(), 1);
  }
}

TEST(Load, TheHashIsOfTheWholeFileWhateverTheReaderLeavesOut) {
  const TempDir dir;
  std::string stl(80, ' ');
  stl.append("\1\0\0\0", 4).append(50, '\0').append(20, 'x');  // padding that nobody reads
  for (const auto& [name, content] : {std::pair<std::string, std::string>{"a.stl", stl},
                                      {"a.obj", k_obj},
                                      {"long.obj", "# " + std::string(300'000, 'c') + '\n' + k_obj}}) {
    SCOPED_TRACE(name);
    const auto file = dir.write(name, content);
    const auto loaded = load(file, hashed());
    ASSERT_TRUE(loaded) << loaded.error().message();
    EXPECT_EQ(loaded->sha256, sha256_of(content));
  }
}

TEST(OpenFile, KnowsItsFormatAndCanBeLoadedSeveralTimes) {
  const TempDir dir;
  const auto path = dir.write("a.obj", k_obj);
  const Openings openings(path);
  auto file = OpenFile::open(path);
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->format(), FileFormat::obj);
  EXPECT_EQ(file->load().error().code, IoError::Code::units_missing);
  const auto first = file->load(hashed()), second = file->load({.units = LengthUnit::inch, .hash = true});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->sha256, second->sha256);
  EXPECT_EQ(first->sha256, sha256_of(k_obj));
  EXPECT_EQ(second->units, LengthUnit::inch);
  EXPECT_TRUE(file->load(in_mm())->sha256.empty());
  const auto mesh = file->load_mesh();
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->mesh.triangles().size(), 1U);
  EXPECT_FALSE(mesh->units);
  EXPECT_EQ(openings.count(), 1);
}

TEST(OpenFile, LoadsWithinTheLimitOfEachCall) {
  const TempDir dir;
  const std::string content(k_obj);
  auto file = OpenFile::open(dir.write("a.obj", content));
  ASSERT_TRUE(file);
  LoadOptions options = in_mm();
  for (const std::uint64_t limit : {content.size() - 1, content.size()}) {
    options.max_file_bytes = limit;
    const bool small = limit == content.size();
    const auto loaded = file->load(options);
    const auto mesh = file->load_mesh(options);
    EXPECT_EQ(loaded.has_value(), small) << limit;
    EXPECT_EQ(mesh.has_value(), small) << limit;
    if (small) continue;
    EXPECT_EQ(loaded.error().code, IoError::Code::too_large);
    EXPECT_EQ(mesh.error().code, IoError::Code::too_large);
  }
}

TEST(OpenFile, RefusesWhatWasWrittenToSinceItWasOpened) {
  const TempDir dir;
  const auto path = dir.write("a.obj", k_obj);
  auto file = OpenFile::open(path);
  ASSERT_TRUE(file && file->load(in_mm()));
  ::usleep(20'000);  // times of change are as fine as the system's clock ticks
  dir.write("a.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n");  // as long as before
  const auto loaded = file->load(in_mm());
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, IoError::Code::unreadable);
  EXPECT_EQ(loaded.error().text, "the file changed while it was read");
  EXPECT_EQ(file->load_mesh().error().text, "the file changed while it was read");
  EXPECT_TRUE(load(path, in_mm()));
}

TEST(Merge, PathsThatOccurInSeveralFilesGetTheNameOfTheFile) {
  Assembly a(LengthUnit::millimetre), b(LengthUnit::millimetre);
  const Mesh mesh = scenes::bumpy_knot(8, 6);
  for (const char* path : {"lid", "a/base"}) (void)a.add({path, mesh, {}});
  for (const char* path : {"lid", "base"}) (void)b.add({path, mesh, {}});
  b.add_problem({"lid", "odd"});
  b.add_loss({"gone", "lost"});
  const MergedFiles whole = merge(std::array{a, b, b}, std::array<std::string, 3>{"x/a.obj", "b.obj", "y/b.obj"});
  std::vector<std::string> paths;
  for (const Part& part : whole.assembly.parts()) paths.push_back(part.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"a/lid", "a/base", "b/lid", "b/base", "b/lid (2)", "b/base (2)"}));
  EXPECT_EQ(whole.origins[4].file, 2U);
  EXPECT_EQ(whole.origins[4].path, "lid");
  EXPECT_EQ(whole.assembly.problems()[1].part, "b/lid (2)");
  EXPECT_EQ(whole.assembly.losses()[0].text, "b.obj: lost");
}

TEST(LoadMesh, PutsPartsTogetherInOrder) {
  const TempDir dir;
  const auto file = dir.write("a.obj", k_obj + "o two\nv 0 0 9\nv 1 0 9\nv 0 1 9\ng x\nf 4 5 6\ng y\nf 6 5 4\n");
  const auto mesh = load_mesh(file);
  ASSERT_TRUE(mesh) << mesh.error().message();
  EXPECT_EQ(mesh->triangles().size(), 3U);
  EXPECT_EQ(mesh->triangles()[1], (Index3{3, 4, 5}));
  ASSERT_EQ(mesh->surfaces().size(), 3U);
  EXPECT_EQ(mesh->surfaces()[2].name, "y");
  EXPECT_EQ(mesh->surface_of(2), 2U);
}

TEST(Load, ReportsProgressThatNeverFalls) {
  const TempDir dir;
  Assembly assembly(LengthUnit::millimetre);
  (void)assembly.add({"knot", scenes::bumpy_knot(400, 60), {}});
  for (const std::string name : {"knot.obj", "knot.stl"}) {
    std::vector<double> saved, loaded;
    SaveOptions save_options;
    save_options.progress = [&](double share) { saved.push_back(share); };
    ASSERT_TRUE(save(assembly, dir.path() / name, save_options));
    LoadOptions load_options = in_mm();
    load_options.progress = [&](double share) { loaded.push_back(share); };
    ASSERT_TRUE(test::load_assembly(dir.path() / name, load_options));
    for (const auto& shares : {saved, loaded}) {
      ASSERT_GT(shares.size(), 3U);
      EXPECT_EQ(shares.front(), 0);
      EXPECT_EQ(shares.back(), 1);
      EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    }
  }
}

TEST(Load, StopsWhenCancelled) {
  const TempDir dir;
  Assembly assembly(LengthUnit::millimetre);
  (void)assembly.add({"knot", scenes::bumpy_knot(400, 60), {}});
  ASSERT_TRUE(save(assembly, dir.path() / "knot.obj"));
  ASSERT_TRUE(save(assembly, dir.path() / "knot.stl"));
  ASSERT_TRUE(save(assembly, dir.path() / "text.stl", {.ascii = true}));
  for (const std::string name : {"knot.obj", "knot.stl", "text.stl"}) {
    for (const double at : {0.0, 0.3, 0.6}) {
      CancelToken token;
      LoadOptions options = in_mm();
      options.cancel = &token;
      options.progress = [&](double share) {
        if (share >= at) token.cancel();
      };
      const auto loaded = test::load_assembly(dir.path() / name, options);
      ASSERT_FALSE(loaded) << name << at;
      EXPECT_EQ(loaded.error().code, IoError::Code::cancelled);
    }
  }
}

TEST(IoError, MessagesNameFileAndPlace) {
  EXPECT_EQ((IoError{IoError::Code::malformed, "a.obj", 12, {}, "bad"}.message()), "a.obj:12: bad");
  EXPECT_EQ((IoError{IoError::Code::malformed, "a.stl", {}, 84, "bad"}.message()), "a.stl: at byte 84: bad");
  EXPECT_EQ((IoError{IoError::Code::malformed, "a.stl", {}, {}, "bad"}.message()), "a.stl: bad");
  EXPECT_EQ(to_string(FileFormat::gltf), "gltf");
  EXPECT_EQ(to_string(IoError::Code::not_found), "not_found");
  EXPECT_EQ(to_string(IoError::Code::malformed), "malformed");
  EXPECT_EQ(to_string(IoError::Code::invalid_option), "invalid_option");
}

TEST(Load, LinesMayEndInCarriageReturns) {
  const auto with_cr = [](std::string_view text) {
    std::string out(text);
    std::ranges::replace(out, '\n', '\r');
    return out;
  };
  const std::string stl =
      "solid x\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\nendsolid\n";
  const std::string off = "# a comment\nOFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  for (const std::string& text : {"# a comment\n" + k_obj, stl, off, ply}) {
    const auto loaded = load_text(with_cr(text), "x");
    ASSERT_TRUE(loaded) << loaded.error().message();
    EXPECT_EQ(loaded->parts()[0].mesh.triangles().size(), 1U);
  }
  EXPECT_EQ(test::error_of(with_cr("v 0 0 0\nv 1 0 0\nv 0 x 0\nf 1 2 3\n")),
            "part.obj:3: expected three numbers after 'v', found 'x'");
}

TEST(Load, SaysThatUtf16IsNotRead) {
  std::string little, big;
  for (const char c : k_obj) {
    little.append(1, c).append(1, '\0');
    big.append(1, '\0').append(1, c);
  }
  std::string marked = "\xFF\xFE";
  marked += little;
  for (const std::string& text : {marked, little, big}) {
    const auto loaded = load_text(text);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, IoError::Code::unsupported);
    EXPECT_EQ(loaded.error().message(), "part.obj: at byte 0: expected UTF-8 text or binary data, found UTF-16");
  }
}

TEST(Load, NamesHoldNothingThatCommandsATerminalOrTurnsTheText) {
  const auto name_of = [](const std::string& name) {
    const auto loaded = load_text("o " + name + '\n' + k_obj, "a.obj", in_mm());
    return loaded ? loaded->parts()[0].path : loaded.error().message();
  };
  for (const char* bad : {"\x1B", "\x7F", "\xC2\x80", "\xC2\x9B", "\xC2\x9F", "\xE2\x80\xAA", "\xE2\x80\xAE",
                          "\xE2\x81\xA6", "\xE2\x81\xA9"})
    EXPECT_EQ(name_of(std::string("a") + bad + "b"), "a b") << bad;
  for (const char* good : {"\xC2\xA0", "\xC3\x9B", "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\xA5", "\xE2\x81\xAA",
                           "\xE3\x80\xAA", "\xF0\x9F\x94\xA9"})
    EXPECT_EQ(name_of(std::string("a") + good + "b"), std::string("a") + good + "b") << good;
}

TEST(Load, OptionsOutOfRangeAreSaidToBe) {
  LoadOptions options = in_mm();
  options.crease_angle_degrees = -1.5;
  const auto loaded = load_text(k_obj, "part.obj", options);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, IoError::Code::invalid_option);
  EXPECT_EQ(loaded.error().text, "expected a crease angle from 0 to 180 degrees, found -1.5");
}

TEST(Load, NamesWithAZeroByteNameNothing) {
  const TempDir dir;
  dir.write("a.obj", k_obj);
  const auto loaded = test::load_assembly(dir.path() / std::string("a.obj\0.obj", 10), in_mm());
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, IoError::Code::not_found);
}

TEST(Load, WhatIsWrongWithTheWholeContentHasAPlaceToo) {
  std::string ply =
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty char x\nproperty char y\nproperty char z\n"
      "element face 1\nproperty list uchar char vertex_indices\nend_header\n";
  ply += std::string("\0\0\0\1\0\0\0\1\0\2\0\1", 12);
  const auto loaded = load_text(ply, "thin.ply");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, IoError::Code::malformed);
  EXPECT_EQ(loaded.error().byte, ply.size());
}

}  // namespace
}  // namespace snug
