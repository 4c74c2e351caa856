// What is kept of an importer between processes: it must not outlive the program it was asked of.

#include "io/cad/find_importer.hpp"
#include "unit/fake_importer.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

namespace snug {
namespace {

namespace fs = std::filesystem;
using Code = IoError::Code;

/// A folder with a cache and a program that hands its work to the fake importer, or refuses it.
class ImporterIdentity : public testing::Test {
 protected:
  ImporterIdentity() { fs::create_directory(temp_.path() / "cache"); }

  [[nodiscard]] fs::path program() const { return temp_.path() / "importer"; }
  [[nodiscard]] fs::path folder() const { return temp_.path(); }

  /// As large and as old whatever the version is, in a file of its own. `before`: what a run does first.
  void install(char version, const std::string& before = {}, const std::string& shell = "/bin/sh") const {
    const fs::path fresh = temp_.path() / "fresh";
    std::string text = "#!" + shell + "\nif [ \"$1\" = --version ]; then " + (before.empty() ? ":" : before) +
                       "; echo importer " + version + "; exit 0; fi\n" + before + "\n";
    text += "if [ " + std::string(1, version) + " = 2 ]; then echo 'error: this is version 2' >&2; exit 3; fi\n";
    text += "exec '" + test::fake_importer().string() + "' \"$@\"\n";
    std::ofstream(fresh) << text;
    fs::permissions(fresh, fs::perms::owner_all);
    fs::last_write_time(fresh, fs::file_time_type(std::chrono::seconds(0)));
    fs::rename(fresh, program());
  }

  [[nodiscard]] Result<Assembly, IoError> load(const std::string& mode) const {
    LoadOptions options;
    options.cad.importer = program();
    options.cad.cache = temp_.path() / "cache";
    options.cad.max_seconds = 60;
    return test::load_text(test::fake_file(mode), "gear.step", options);
  }
  [[nodiscard]] bool is_kept() const {
    const support::DiskCache cache(temp_.path() / "cache", 1 << 20);
    const auto identity = io::importer_identity(program(), cache);
    return identity && identity->kept;
  }

 private:
  test::TempDir temp_;
};

TEST_F(ImporterIdentity, IsNotThatOfAnotherProgramOfTheSameSizeAndTime) {
  install('1');
  ASSERT_TRUE(load("whole 2"));
  EXPECT_TRUE(is_kept());
  ASSERT_TRUE(load("whole 2")) << "from the cache";
  const auto size = fs::file_size(program());
  const auto time = fs::last_write_time(program());
  install('2');
  ASSERT_EQ(fs::file_size(program()), size);
  ASSERT_EQ(fs::last_write_time(program()), time);
  EXPECT_FALSE(is_kept());
  const auto loaded = load("whole 2");
  ASSERT_FALSE(loaded) << "a model of version 1";
  EXPECT_NE(loaded.error().text.find("this is version 2"), std::string::npos) << loaded.error().text;
}

TEST_F(ImporterIdentity, IsForgottenOnceTheProgramMissesALibrary) {
  const std::string missing = (folder() / "missing").string();
  install('1', "if [ -e '" + missing + "' ]; then echo 'cannot open libTKernel.so' >&2; exit 127; fi");
  ASSERT_TRUE(load("whole 2"));
  ASSERT_TRUE(is_kept());
  std::ofstream(missing) << "all of it";
  EXPECT_TRUE(load("whole 2")) << "what is in the cache needs no kernel";
  const auto loaded = load("whole 3");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, Code::no_importer) << loaded.error().text;
  EXPECT_NE(loaded.error().text.find("libTKernel.so"), std::string::npos) << loaded.error().text;
  EXPECT_NE(loaded.error().text.find("libocct"), std::string::npos) << loaded.error().text;
  EXPECT_FALSE(is_kept());
}

TEST_F(ImporterIdentity, IsForgottenOnceTheProgramCannotBeStarted) {
  const fs::path shell = folder() / "shell";
  fs::create_symlink("/bin/sh", shell);
  install('1', {}, shell.string());
  ASSERT_TRUE(load("whole 2"));
  ASSERT_TRUE(is_kept());
  fs::remove(shell);
  const auto loaded = load("whole 3");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, Code::no_importer) << loaded.error().text;
  EXPECT_NE(loaded.error().text.find("cannot be started"), std::string::npos) << loaded.error().text;
  EXPECT_FALSE(is_kept());
}

TEST_F(ImporterIdentity, AnOddExitOfAProgramThatRunsIsStillOne) {
  install('1');
  ASSERT_TRUE(load("whole 2"));
  const auto loaded = load("exit 127");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, Code::import_failed) << loaded.error().text;
}

}  // namespace
}  // namespace snug
