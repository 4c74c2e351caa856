#include "support/disk_cache.hpp"
#include "unit/io_support.hpp"

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

namespace snug {
namespace {

namespace fs = std::filesystem;
using support::DiskCache;

ContentHash key(std::uint8_t number) {
  ContentHash out{};
  out[0] = number;
  return out;
}

fs::path entry_of(const fs::path& folder, std::uint8_t number) { return folder / (to_hex(key(number)) + ".cad"); }

std::uint64_t total_bytes(const fs::path& folder) {
  std::uint64_t sum = 0;
  for (const auto& entry : fs::directory_iterator(folder)) sum += entry.file_size();
  return sum;
}

TEST(DiskCache, KeepsWhatIsStoredForThisUserOnly) {
  const test::TempDir temp;
  const fs::path folder = temp.path() / "deep" / "cache";
  const support::DiskCache cache(folder, 1 << 20);
  EXPECT_TRUE(cache.usable());
  EXPECT_FALSE(cache.find(key(1)));
  for (const std::string& bytes : {std::string("abc"), std::string(), std::string(100'000, '\0')}) {
    cache.store(key(1), bytes);
    EXPECT_EQ(cache.find(key(1)), bytes);
  }
  EXPECT_FALSE(cache.find(key(2)));
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(entry_of(folder, 1)).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  cache.drop(key(1));
  EXPECT_FALSE(cache.find(key(1)));
}

TEST(DiskCache, FindsNothingButWhatWasStored) {
  const test::TempDir temp;
  const support::DiskCache cache(temp.path(), 1 << 20);
  const std::string bytes = "some bytes that matter";
  cache.store(key(1), bytes);
  const std::string good = test::slurp(entry_of(temp.path(), 1));
  std::vector<std::string> damaged{good.substr(0, good.size() - 1), good + 'x', "", good.substr(0, 20)};
  for (std::size_t i = 0; i < good.size(); ++i) {
    damaged.push_back(good);
    damaged.back()[i] ^= 1;
  }
  for (const std::string& content : damaged) {
    temp.write(entry_of(temp.path(), 1).filename().string(), content);
    EXPECT_FALSE(cache.find(key(1)));
    EXPECT_FALSE(fs::exists(entry_of(temp.path(), 1))) << "a damaged entry stays";
  }
  // An entry under another's name.
  temp.write(entry_of(temp.path(), 2).filename().string(), good);
  EXPECT_FALSE(cache.find(key(2)));
}

TEST(DiskCache, RemovesWhatWasNotUsedForLongest) {
  const test::TempDir temp;
  const support::DiskCache cache(temp.path(), 4000);
  const std::string bytes(900, 'x');
  const auto age = [&](std::uint8_t number, int hours) {
    fs::last_write_time(entry_of(temp.path(), number), fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  for (std::uint8_t number = 1; number <= 4; ++number) {
    cache.store(key(number), bytes);
    age(number, 10 - number);
  }
  EXPECT_TRUE(cache.find(key(1)));  // the oldest, and now the youngest
  cache.store(key(5), bytes);
  EXPECT_LE(total_bytes(temp.path()), 4000U);
  EXPECT_TRUE(cache.find(key(1)));
  EXPECT_FALSE(cache.find(key(2)));
  EXPECT_TRUE(cache.find(key(3)));
  EXPECT_TRUE(cache.find(key(5)));
  cache.store(key(6), std::string(4000, 'x'));
  EXPECT_FALSE(cache.find(key(6))) << "larger than all there is room for";
  EXPECT_TRUE(cache.find(key(5)));
}

TEST(DiskCache, ClearsAwayWhatKilledWritersLeave) {
  const test::TempDir temp;
  temp.write(".writing-1-abc", "half an ent");
  temp.write("somebody's notes", "stay");
  const fs::path busy = temp.write(".writing-2-def", "in work");
  const int lock = ::open(busy.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  const support::DiskCache cache(temp.path(), 1 << 20);
  EXPECT_FALSE(fs::exists(temp.path() / ".writing-1-abc"));
  EXPECT_TRUE(fs::exists(busy)) << "its writer lives";
  ::close(lock);
  const support::DiskCache next(temp.path(), 1 << 20);
  EXPECT_EQ(temp.file_count(), 1U);
}

TEST(DiskCache, IsNotUsedWhereOthersMayWrite) {
  const test::TempDir temp;
  ASSERT_EQ(::chmod(temp.path().c_str(), 0777), 0);
  const support::DiskCache open_to_all(temp.path(), 1 << 20);
  EXPECT_FALSE(open_to_all.usable());
  open_to_all.store(key(1), "x");
  EXPECT_FALSE(open_to_all.find(key(1)));
  EXPECT_EQ(temp.file_count(), 0U);
}

TEST(DiskCache, FailsInSilence) {
  const test::TempDir temp;
  const fs::path file = temp.write("file", "not a folder");
  for (const fs::path& folder : {fs::path(), file, file / "below"}) {
    const support::DiskCache cache(folder, 1 << 20);
    EXPECT_FALSE(cache.usable());
    cache.store(key(1), "x");
    EXPECT_FALSE(cache.find(key(1)));
  }
  // Deleted while in use.
  const fs::path folder = temp.path() / "cache";
  const support::DiskCache cache(folder, 1 << 20);
  cache.store(key(1), "x");
  fs::remove_all(folder);
  EXPECT_FALSE(cache.find(key(1)));
  cache.store(key(1), "y");
  EXPECT_EQ(cache.find(key(1)), "y");
}

TEST(DiskCache, ManyAtOnceFindWhatIsRightOrNothing) {
  const test::TempDir temp;
  constexpr std::uint64_t k_bound = 20'000;
  const auto content = [](std::uint8_t number) { return std::string(500U + 300U * number, static_cast<char>(number)); };
  std::atomic<int> wrong{0}, found{0};
  std::vector<std::jthread> team;
  for (unsigned seed = 0; seed < 6; ++seed)
    team.emplace_back([&, seed] {
      std::mt19937 chance(seed);
      for (int i = 0; i < 60; ++i) {
        const auto number = static_cast<std::uint8_t>(chance() % 16);
        const support::DiskCache cache(temp.path(), k_bound);
        if (chance() % 2 == 0) cache.store(key(number), content(number));
        const auto bytes = cache.find(key(number));
        found += bytes ? 1 : 0;
        wrong += bytes && *bytes != content(number) ? 1 : 0;
        if (chance() % 20 == 0) cache.drop(key(number));
      }
    });
  team.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(found, 20);
  EXPECT_LE(total_bytes(temp.path()), k_bound);
}

bool holds_an_entry(const fs::path& folder) {
  return std::ranges::any_of(fs::directory_iterator(folder),
                             [](const fs::directory_entry& entry) { return entry.path().extension() == ".cad"; });
}

TEST(DiskCache, KilledWritersLeaveWholeEntriesWithinTheBound) {
  const test::TempDir temp;
  constexpr std::uint64_t k_bound = 1'000'000;
  const auto content = [](std::uint8_t number) { return std::string(150'000U + number, static_cast<char>(number)); };
  const std::uint64_t kills = test::scaled(200);
  std::mt19937 chance(11);
  SCOPED_TRACE("seed 11");
  std::size_t half_written = 0, whole = 0;
  for (std::uint64_t i = 0; i < kills; ++i) {
    const pid_t writer = ::fork();
    if (writer == 0) {
      for (auto number = static_cast<std::uint8_t>(i % 16);; number = static_cast<std::uint8_t>((number + 1) % 16))
        support::DiskCache(temp.path(), k_bound).store(key(number), content(number));
    }
    ASSERT_GT(writer, 0);
    std::this_thread::sleep_for(std::chrono::microseconds(chance() % 8000));
    // Some may finish an entry first, however slow the machine.
    for (int wait = 0; i % 5 == 4 && wait < 2000 && !holds_an_entry(temp.path()); ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ::kill(writer, SIGKILL);
    ASSERT_EQ(::waitpid(writer, nullptr, 0), writer);
    std::uint64_t entries = 0;
    for (const auto& entry : fs::directory_iterator(temp.path())) {
      const bool is_entry = entry.path().extension() == ".cad";
      entries += is_entry ? entry.file_size() : 0;
      half_written += is_entry ? 0 : 1;
    }
    ASSERT_LE(entries, k_bound) << "after kill " << i;
    const support::DiskCache cache(temp.path(), k_bound);
    for (std::uint8_t number = 0; number < 16; ++number) {
      const bool exists = fs::exists(entry_of(temp.path(), number));
      const auto bytes = cache.find(key(number));
      ASSERT_EQ(bytes.has_value(), exists) << "an entry is whole or not there";
      if (bytes) {
        ASSERT_EQ(*bytes, content(number));
        ++whole;
      }
    }
    for (const auto& entry : fs::directory_iterator(temp.path()))
      ASSERT_EQ(entry.path().extension(), ".cad") << "what the dead left goes with the next that comes";
  }
  EXPECT_GT(half_written, 0U) << "no writer was killed at work: the test shows nothing";
  EXPECT_GT(whole, 0U);
  RecordProperty("half_written", static_cast<int>(half_written));
}

}  // namespace
}  // namespace snug
