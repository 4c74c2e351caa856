// The chip's memory, on which all its clocks rest, against clocks counted by hand.

#include "bvh/dop24/records.hpp"
#include "chip/memory.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace snug::chip {
namespace {

constexpr unsigned k_row = 8192 / k_burst_bytes;  // bursts of a row
constexpr unsigned k_bank = 1;                    // rows follow each other in the next bank, of four

/// Requests at given clocks, all accepted, and the clocks in which their beats came.
class Driver {
 public:
  Driver() : words_(std::size_t{64} * k_row * k_burst_words), memory_(words_) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = i;
  }

  void until(std::uint64_t clock) {
    while (now_ < clock) step({});
  }
  /// Returns the number of its first beat.
  std::size_t request(std::uint64_t clock, std::uint32_t address, unsigned bursts = 1) {
    until(clock);
    EXPECT_TRUE(memory_.ready());
    const std::size_t first = expected_.size();
    for (std::uint64_t i = 0; i < std::uint64_t{bursts} * k_burst_beats; ++i)
      expected_.push_back(std::uint64_t{address} * k_burst_words + i * k_beat_words);
    step({true, address, bursts});
    return first;
  }
  /// In which clock a beat came; lets time pass until then.
  std::uint64_t beat(std::size_t number) {
    while (came_.size() <= number && now_ < 100'000) step({});
    return came_.at(number);
  }
  DdrMemory& memory() { return memory_; }

 private:
  void step(const Request& request) {
    if (const Beat beat = memory_.beat(); beat.valid) {
      EXPECT_FALSE(beat.error);
      EXPECT_LT(came_.size(), expected_.size());
      EXPECT_EQ(beat.data[0], expected_[came_.size()]) << "beats come in the order of requests";
      came_.push_back(now_);
    }
    memory_.clock(request);
    ++now_;
  }

  Words words_;
  DdrMemory memory_;
  std::uint64_t now_ = 0;
  std::vector<std::uint64_t> expected_, came_;
};

TEST(ChipMemory, TakesTheClocksOfRowsThatAreOpenClosedOrOthers) {
  // One clock into the controller, one out, two from reading to data; two to open a row, two more if another has to be closed.
  Driver ddr;
  EXPECT_EQ(ddr.beat(ddr.request(10, 0)), 16U);            // 10 + 1 + 2 + 2 + 1: closed
  EXPECT_EQ(ddr.beat(ddr.request(40, 5)), 44U);            // 40 + 1 + 2 + 1: open
  EXPECT_EQ(ddr.beat(ddr.request(70, 4 * k_row)), 78U);    // 70 + 1 + 2 + 2 + 2 + 1: another row of the same bank
  EXPECT_EQ(ddr.beat(ddr.request(100, k_row)), 106U);      // the next bank, closed
  EXPECT_EQ(ddr.beat(ddr.request(130, 4 * k_row)), 134U);  // and the first is as it was left
  EXPECT_EQ(ddr.memory().row_misses(), 3U);
  EXPECT_EQ(ddr.memory().refreshes(), 0U);
}

TEST(ChipMemory, BringsBeatsWithoutGapsAndOpensRowsMeanwhile) {
  Driver ddr;
  (void)ddr.beat(ddr.request(10, 0));
  const std::size_t two = ddr.request(40, 0, 2);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(ddr.beat(two + i), 44 + i);
  // Another bank: its row is opened behind the data of the burst before.
  const std::size_t open = ddr.request(70, 0), other = ddr.request(71, k_bank * k_row);
  EXPECT_EQ(ddr.beat(open), 74U);
  EXPECT_EQ(ddr.beat(other), 78U);
  // The same bank: only when that burst is read, 71 + 4, is its row closed, and the other opened.
  const std::size_t first = ddr.request(100, 0), second = ddr.request(101, 4 * k_row);
  EXPECT_EQ(ddr.beat(first), 104U);
  EXPECT_EQ(ddr.beat(second), 101U + 4 + 2 + 2 + 2 + 1);
}

TEST(ChipMemory, RefreshesInTimeAndClosesAllRows) {
  Driver ddr;
  (void)ddr.beat(ddr.request(10, 0));
  EXPECT_EQ(ddr.beat(ddr.request(778, 0)), 782U);  // read in 779, before the refresh of 780
  // 780 is due, but the burst of 779 is read until 783: 783 + 2 to close + 8, then the row is opened again.
  EXPECT_EQ(ddr.beat(ddr.request(783, 0)), 783U + 2 + 8 + 2 + 2 + 1);
  EXPECT_EQ(ddr.memory().refreshes(), 1U);
  EXPECT_EQ(ddr.memory().row_misses(), 2U);
  // Nobody asked for a long time: refreshes were made up, and rows are closed, but nothing waits for them.
  EXPECT_EQ(ddr.beat(ddr.request(4000, 0)), 4006U);
  EXPECT_EQ(ddr.memory().refreshes(), 5U);  // 780, 1560, 2340, 3120, 3900
  EXPECT_EQ(ddr.memory().row_misses(), 3U);
}

TEST(ChipMemory, TurnsBetweenReadingAndWriting) {
  Driver ddr;
  (void)ddr.beat(ddr.request(10, 0));
  ddr.until(40);
  EXPECT_TRUE(ddr.memory().ready_to_write());
  ddr.memory().write(0, 2);  // 41 to 49
  const std::size_t after = ddr.request(41, 0);
  EXPECT_EQ(ddr.beat(after), 49U + 3 + 2 + 1);
  ddr.until(80);
  for (unsigned i = 0; i < 20; ++i) ddr.memory().write(0, 1);
  EXPECT_FALSE(ddr.memory().ready_to_write()) << "it takes a burst in four clocks";
}

TEST(ChipMemory, TellsOfWhatIsNotThere) {
  const Words words(k_burst_words);
  DdrMemory memory(words);
  memory.clock({true, 1, 1});
  unsigned errors = 0;
  for (int i = 0; i < 20; ++i) {
    errors += memory.beat().valid && memory.beat().error ? 1 : 0;
    memory.clock({});
  }
  EXPECT_EQ(errors, k_burst_beats);
}

}  // namespace
}  // namespace snug::chip
