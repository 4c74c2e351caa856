// Reading CAD files with an importer that misbehaves in every way it can: see test/fake_importer.cpp.
#include "io/cad/find_importer.hpp"
#include "io/cad/wire.hpp"
#include "unit/fake_importer.hpp"

#include <snug/importer.hpp>

#include <chrono>
#include <csignal>
#include <limits>
#include <thread>

namespace snug {
namespace {

using Code = IoError::Code;

LoadOptions with_fake() {
  LoadOptions options;
  options.cad.importer = test::fake_importer();
  options.cad.max_seconds = 60;
  return options;
}

Result<Assembly, IoError> load_fake(const std::string& mode, const LoadOptions& options = with_fake()) {
  return test::load_text(test::fake_file(mode), "gear.step", options);
}

struct Outcome {
  Code code;
  std::string text;
};

Outcome outcome(const std::string& mode, const LoadOptions& options = with_fake()) {
  const auto loaded = load_fake(mode, options);
  EXPECT_FALSE(loaded) << mode;
  EXPECT_TRUE(test::left_processes().empty()) << mode;
  return loaded ? Outcome{} : Outcome{loaded.error().code, loaded.error().text};
}

TEST(CadRead, TurnsTheAnswerIntoAnAssembly) {
  const auto loaded = load_fake("answer 2");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->units(), LengthUnit::millimetre);
  std::vector<std::string> paths;
  for (const Part& part : loaded->parts()) paths.push_back(part.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"frame/bolt", "frame/plate", "frame/bolt#2", "gear"}));
  EXPECT_EQ(loaded->distinct_meshes(), 2U);
  EXPECT_TRUE(loaded->parts()[0].mesh.same_data(loaded->parts()[2].mesh));
  EXPECT_EQ(loaded->parts()[0].color, (Rgba{255, 0, 0, 255}));
  EXPECT_FALSE(loaded->parts()[2].color);
  EXPECT_EQ(loaded->parts()[1].pose.translation().x, 20);
  EXPECT_EQ(loaded->parts()[1].mesh.surfaces().size(), 6U);
  ASSERT_EQ(loaded->losses().size(), 1U);
  EXPECT_EQ(loaded->losses()[0], (Problem{"frame/nut", "a face  could not be meshed"}));
  const auto problems = test::problem_texts(*loaded);
  EXPECT_NE(std::ranges::find(problems, "frame/plate: odd"), problems.end());
  EXPECT_NE(std::ranges::find(problems, "of the file"), problems.end());
  EXPECT_EQ(problems.size(), 2U) << "instances of one name are no problem";
}

TEST(CadRead, TellsHowTheImporterFailed) {
  Outcome got = outcome("crash 11");
  EXPECT_EQ(got.code, Code::import_failed);
  EXPECT_EQ(got.text, "the CAD kernel crashed on this file (signal 11)");
  got = outcome("words");
  EXPECT_EQ(got.code, Code::malformed);
  EXPECT_EQ(got.text, "the CAD kernel says: no shapes in it  [31m and more");
  EXPECT_EQ(outcome("exit 1").code, Code::import_failed);
  EXPECT_EQ(outcome("exit 3").code, Code::import_failed) << "without words";
  for (const char* mode : {"garbage", "cut", "nothing"}) {
    got = outcome(mode);
    EXPECT_EQ(got.code, Code::import_failed) << mode;
    EXPECT_TRUE(got.text.starts_with("the importer's answer is not valid: ")) << got.text;
  }
}

TEST(CadRead, NamesTheLimitThatWasHit) {
  LoadOptions options = with_fake();
  options.cad.max_seconds = 0.5;
  for (const char* mode : {"hang", "deaf", "talk", "spin"}) {
    const auto start = std::chrono::steady_clock::now();
    const Outcome got = outcome(mode, options);
    EXPECT_EQ(got.code, Code::import_limit) << mode;
    EXPECT_NE(got.text.find("--import-seconds"), std::string::npos) << got.text;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << mode;
  }
  options = with_fake();
  options.cad.max_output_bytes = 1 << 20;
  const Outcome got = outcome("flood", options);
  EXPECT_EQ(got.code, Code::import_limit);
  EXPECT_NE(got.text.find("max_output_bytes"), std::string::npos) << got.text;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(CadRead, NamesTheLimitOfMemory) {
  LoadOptions options = with_fake();
  options.cad.max_memory_bytes = 300 << 20;
  for (const char* mode : {"boxed_allocate", "boxed_starve"}) {
    const Outcome got = outcome(mode, options);
    EXPECT_EQ(got.code, Code::import_limit) << mode << ": " << got.text;
    EXPECT_NE(got.text.find("--import-memory"), std::string::npos) << got.text;
  }
}
#endif

TEST(CadRead, AnswersWithOneBitWrongNeverCrash) {
  int read = 0;
  const std::uint64_t count = test::scaled(400);
  for (std::uint64_t i = 0; i < count; ++i) {
    SCOPED_TRACE(i);
    const auto loaded = load_fake("flip " + std::to_string(i * 37));
    read += loaded ? 1 : 0;
    if (!loaded) {
      EXPECT_EQ(loaded.error().code, Code::import_failed) << loaded.error().message();
    }
  }
  EXPECT_LT(read, static_cast<int>(count)) << "some must be noticed";
}

TEST(CadRead, KeepsNothingAliveAndGivesLittleAway) {
  ASSERT_TRUE(load_fake("offspring"));
  EXPECT_TRUE(test::left_processes().empty());
  EXPECT_EQ(outcome("descriptors").text, "the CAD kernel says: 0 1 2 ");
  EXPECT_EQ(outcome("environment").text.find("HOME"), std::string::npos);
  EXPECT_EQ(outcome("write").text, "the CAD kernel says: not written");
}

TEST(CadRead, StopsWhenCancelled) {
  CancelToken cancel;
  LoadOptions options = with_fake();
  options.cancel = &cancel;
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    cancel.cancel();
  });
  EXPECT_EQ(outcome("hang", options).code, Code::cancelled);
}

TEST(CadRead, ProgressRisesToOne) {
  std::vector<double> shares;
  LoadOptions options = with_fake();
  options.progress = [&](double share) { shares.push_back(share); };
  const test::TempDir temp;
  ASSERT_TRUE(test::load_assembly(temp.write("a.step", test::fake_file("slow 0.1")), options));
  ASSERT_GT(shares.size(), 9U);
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_EQ(shares.back(), 1);
}

TEST(CadRead, RefinementsNamePartsByTheirPaths) {
  LoadOptions options = with_fake();
  options.cad.refinements = {{"frame/plate", 5, 1e-5}, {"frame/bolt#2", 3, 2e-5}, {"gear", 3, 1e-6}};
  const auto loaded = load_fake("answer", options);
  ASSERT_TRUE(loaded) << loaded.error().message();
  std::vector<std::string> refined;
  for (const std::string& text : test::problem_texts(*loaded))
    if (text.starts_with("refined ")) refined.push_back(text);
  // The bolt and the nameless part are one mesh: the finer wish counts.
  EXPECT_EQ(refined, (std::vector<std::string>{"refined 0:3:1e-06", "refined 1:5:1e-05"}));
  options.cad.refinements = {{"frame/nut", 0, 1e-5}};
  EXPECT_EQ(outcome("answer", options).code, Code::invalid_option);
  options.cad.refinements = {{"frame/bolt", 6, 1e-5}};
  EXPECT_EQ(outcome("answer", options).code, Code::invalid_option);
}

TEST(CadRead, RefusesOptionsOutOfRange) {
  const double infinite = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](auto&& change) {
    LoadOptions options = with_fake();
    change(options.cad);
    return outcome("answer", options).code == Code::invalid_option;
  };
  for (const double sag : {0.0, -1.0, infinite, nan}) {
    EXPECT_TRUE(refused([&](CadOptions& cad) { cad.sag_metres = sag; })) << sag;
    EXPECT_TRUE(refused([&](CadOptions& cad) { cad.refinements = {{"frame/bolt", 0, sag}}; })) << sag;
    EXPECT_TRUE(refused([&](CadOptions& cad) { cad.max_seconds = sag; })) << sag;
  }
  for (const double angle : {0.0, -1.0, 180.0, infinite, nan})
    EXPECT_TRUE(refused([&](CadOptions& cad) { cad.angle_degrees = angle; })) << angle;
  EXPECT_TRUE(refused([](CadOptions& cad) { cad.max_memory_bytes = 0; }));
  EXPECT_TRUE(refused([](CadOptions& cad) { cad.max_output_bytes = 0; }));
}

TEST(CadRead, TheCacheSavesImportsAndOnlyTheRightOnes) {
  const test::TempDir temp;
  LoadOptions options = with_fake();
  options.cad.cache = temp.path() / "cache";
  const auto imported = [&](const std::string& mode) {
    // The fake tells progress when it is asked; a kept answer comes without.
    std::vector<double> shares;
    options.progress = [&](double share) { shares.push_back(share); };
    const auto loaded = load_fake(mode, options);
    EXPECT_TRUE(loaded) << loaded.error().message();
    return std::ranges::any_of(shares, [](double share) { return share > 0.1; });
  };
  EXPECT_TRUE(imported("slow 0.01"));
  EXPECT_FALSE(imported("slow 0.01"));
  EXPECT_TRUE(imported("slow 0.02")) << "another content";
  options.cad.sag_metres = 2e-4;
  EXPECT_TRUE(imported("slow 0.01"));
  options.cad.angle_degrees = 10;
  EXPECT_TRUE(imported("slow 0.01"));
  options.cad.refinements = {{"gear", 0, 1e-5}};
  EXPECT_TRUE(imported("slow 0.01"));
  EXPECT_FALSE(imported("slow 0.01"));
  options.cad.max_seconds = 59;
  EXPECT_FALSE(imported("slow 0.01")) << "a limit changes no answer";

  // A damaged entry costs an import, nothing else.
  for (const auto& entry : std::filesystem::directory_iterator(options.cad.cache))
    std::ofstream(entry.path(), std::ios::binary) << "damaged";
  EXPECT_TRUE(imported("slow 0.01"));
  EXPECT_FALSE(imported("slow 0.01"));
}

TEST(CadRead, FailuresAreNotKept) {
  const test::TempDir temp;
  LoadOptions options = with_fake();
  options.cad.cache = temp.path() / "cache";
  for (const char* mode : {"crash 11", "garbage", "words"}) EXPECT_FALSE(load_fake(mode, options));
  EXPECT_TRUE(std::filesystem::is_empty(options.cad.cache));
}

TEST(CadRead, AnswersWithLossesAreNotKept) {
  const test::TempDir temp;
  LoadOptions options = with_fake();
  options.cad.cache = temp.path() / "cache";
  for (int i = 0; i < 2; ++i) {
    const auto partial = load_fake("answer", options);
    ASSERT_TRUE(partial) << partial.error().message();
    EXPECT_EQ(partial->losses().size(), 1U);
    EXPECT_TRUE(std::filesystem::is_empty(options.cad.cache));
  }
  const auto whole = load_fake("whole", options);
  ASSERT_TRUE(whole) << whole.error().message();
  EXPECT_TRUE(whole->losses().empty());
  EXPECT_FALSE(std::filesystem::is_empty(options.cad.cache));
}

TEST(CadRead, AMissingImporterIsNamedWithItsPackages) {
  LoadOptions options;
  options.cad.importer = "/nonexistent/snug-import";
  const auto missing = outcome("answer", options);
  EXPECT_EQ(missing.code, Code::no_importer);
  EXPECT_NE(missing.text.find("/nonexistent/snug-import"), std::string::npos);
  EXPECT_NE(missing.text.find("libocct-data-exchange-dev"), std::string::npos);
  options.cad.importer = "/bin/false";
  EXPECT_EQ(outcome("answer", options).code, Code::no_importer) << "a program, but no importer";
}

TEST(CadRead, AMissingLibraryOfTheImporterIsNamedWithItsPackages) {
  const test::TempDir temp;
  LoadOptions options;
  options.cad.importer =
      temp.write("snug-import", "#!/bin/sh\necho \"libTKSTEP.so: cannot open\033 shared object file\" >&2\nexit 127\n");
  std::filesystem::permissions(options.cad.importer, std::filesystem::perms::owner_all);
  const auto got = outcome("answer", options);
  EXPECT_EQ(got.code, Code::no_importer);
  EXPECT_NE(got.text.find("cannot run; it says: libTKSTEP.so: cannot open  shared object file"), std::string::npos)
      << got.text;
  EXPECT_NE(got.text.find("libocct-data-exchange-dev"), std::string::npos) << got.text;
  const auto info = describe_importer(options.cad);
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().text, got.text);
}

TEST(CadRead, SaysWhyNothingCanBeReadWhereSIGCHLDIsIgnored) {
  struct sigaction ignore = {}, before = {};
  ignore.sa_handler = SIG_IGN;
  ASSERT_EQ(::sigaction(SIGCHLD, &ignore, &before), 0);
  const auto loaded = load_fake("answer");
  ASSERT_EQ(::sigaction(SIGCHLD, &before, nullptr), 0);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, Code::no_importer);
  EXPECT_NE(loaded.error().text.find("SIGCHLD"), std::string::npos) << loaded.error().text;
}

TEST(CadRead, TheEnvironmentNamesTheImporter) {
  ::setenv("SNUG_IMPORT", test::fake_importer().c_str(), 1);
  const auto found = io::find_importer({});
  ::unsetenv("SNUG_IMPORT");
  ASSERT_TRUE(found) << found.error();
  EXPECT_EQ(*found, test::fake_importer());
}

TEST(CadRead, FormatsAreRecognisedByContent) {
  const auto format = [](std::string_view head, std::string_view suffix = ".dat") {
    return io::recognise(head, head.size(), suffix);
  };
  EXPECT_EQ(format("ISO-10303-21;\nHEADER;"), FileFormat::step);
  EXPECT_EQ(format("\xEF\xBB\xBFISO-10303-21;\nHEADER;"), FileFormat::step);
  EXPECT_EQ(format("\n\n  ISO-10303-21;\nHEADER;", ".stl"), FileFormat::step);
  EXPECT_EQ(format("DBRep_DrawableShape\n\nCASCADE Topology V1, (c) Matra-Datavision\n"), FileFormat::brep);
  EXPECT_EQ(format("\nCASCADE Topology V1, (c) Matra-Datavision\n"), FileFormat::brep);
  const std::string text(72, ' ');
  EXPECT_EQ(format(text + "S      1\n"), FileFormat::iges);
  EXPECT_EQ(format(text + "S0000001\r\n"), FileFormat::iges);
  EXPECT_EQ(format(text + "S       \n"), std::nullopt);
  EXPECT_EQ(format(text + "T      1\n"), std::nullopt);
  EXPECT_EQ(format("anything", ".igs"), FileFormat::iges);
  EXPECT_EQ(format("anything", ".STP"), FileFormat::step);
}

TEST(CadRead, BrepNeedsAUnitAndOthersBringOne) {
  const auto brep = test::load_text("DBRep_DrawableShape\n", "a.brep", with_fake());
  ASSERT_FALSE(brep);
  EXPECT_EQ(brep.error().code, Code::units_missing);
  LoadOptions other = with_fake();
  other.units = LengthUnit::inch;
  EXPECT_EQ(outcome("answer", other).code, Code::invalid_option);
}

TEST(CadRead, TellsWhatIsInForceAndWhatWasRefused) {
  CadOptions options;
  options.importer = test::fake_importer();
  const auto info = describe_importer(options);
  ASSERT_TRUE(info) << info.error().message();
  EXPECT_EQ(info->version, "fake importer 1");
  EXPECT_GE(info->attempts.size(), 12U);
  if (info->in_force.find("system calls filtered") == std::string::npos)
    GTEST_SKIP() << "no system call filter here: " << info->in_force;
  for (const auto& attempt : info->attempts) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    if (attempt.what == "memory beyond the limit") continue;
#endif
    EXPECT_TRUE(attempt.refused) << attempt.what << ": " << attempt.outcome;
  }
}

}  // namespace
}  // namespace snug
