#include "chip/memory.hpp"

#include "bvh/dop24/records.hpp"
#include "support/assert.hpp"

#include <algorithm>

namespace snug::chip {

DdrMemory::DdrMemory(const Words& words, const DdrTiming& timing)
    : contents_(words),
      timing_(timing),
      next_refresh_(timing.between),
      open_row_(timing.banks, k_no_row),
      bank_free_(timing.banks, 0) {
  SNUG_ASSERT(timing.banks > 0 && timing.row_bytes >= k_burst_bytes);
}

Beat DdrMemory::beat() const {
  if (under_way_.empty() || now_ < under_way_.front().clock) return {};
  SNUG_ASSERT(now_ - under_way_.front().clock < k_burst_beats);
  return contents_.beat(under_way_.front().beat + (now_ - under_way_.front().clock));
}

void DdrMemory::clock(const Request& request) {
  const bool accepted = request.valid && ready();
  if (!under_way_.empty() && now_ + 1 == under_way_.front().clock + k_burst_beats) under_way_.pop_front();
  ++now_;
  if (!accepted) return;
  const unsigned way_in = timing_.controller / 2, way_out = timing_.controller - way_in;
  for (unsigned i = 0; i < request.bursts; ++i) {
    // now_ is already the clock after acceptance; the controller's first clock is that one.
    const std::uint64_t read = access(request.address + i, now_ - 1 + way_in, false);
    SNUG_ASSERT(under_way_.empty() || read + timing_.to_data + way_out >= under_way_.back().clock + k_burst_beats);
    under_way_.push_back({read + timing_.to_data + way_out, (std::uint64_t{request.address} + i) * k_burst_beats});
  }
}

void DdrMemory::write(std::uint32_t address, unsigned bursts) {
  for (unsigned i = 0; i < bursts; ++i) (void)access(address + i, now_ + timing_.controller / 2, true);
}

/// Finds out when a burst is read or written. Rows of one bank are opened while another bank's data is on the bus.
std::uint64_t DdrMemory::access(std::uint32_t burst, std::uint64_t from, bool writing) {
  const std::uint64_t page = burst / (timing_.row_bytes / k_burst_bytes);
  const std::size_t bank = page % timing_.banks;
  const auto row = static_cast<std::uint32_t>(page / timing_.banks);
  if (writing != written_) next_access_ += timing_.to_turn;
  written_ = writing;
  std::uint64_t begin = from, at = 0;
  for (;;) {
    std::uint64_t open = std::max(begin, bank_free_[bank]);
    if (open_row_[bank] != row) open += (open_row_[bank] == k_no_row ? 0 : timing_.to_close) + timing_.to_read;
    at = std::max(open, next_access_);
    if (at < next_refresh_) break;
    // A refresh is due first: all rows are closed for it.
    ++refreshes_;
    begin = std::max(begin, std::max(next_refresh_, next_access_) + timing_.to_close + timing_.refresh);
    next_refresh_ += timing_.between;
    std::ranges::fill(open_row_, k_no_row);
  }
  if (open_row_[bank] != row) ++row_misses_;
  open_row_[bank] = row;
  next_access_ = bank_free_[bank] = at + k_burst_beats;
  SNUG_ASSERT(at >= from && at < next_refresh_);
  return at;
}

Beat SteadyMemory::beat() const {
  if (under_way_.empty() || now_ < under_way_.front().clock) return {};
  SNUG_ASSERT(now_ - under_way_.front().clock < under_way_.front().left);
  return contents_.beat(under_way_.front().beat + (now_ - under_way_.front().clock));
}

void SteadyMemory::clock(const Request& request) {
  if (!under_way_.empty() && now_ + 1 == under_way_.front().clock + under_way_.front().left) under_way_.pop_front();
  if (request.valid) {
    const std::uint64_t beats = std::uint64_t{request.bursts} * k_burst_beats;
    const std::uint64_t first = std::max(now_ + latency_, bus_free_);
    under_way_.push_back({first, std::uint64_t{request.address} * k_burst_beats, beats});
    bus_free_ = first + beats;
  }
  ++now_;
}

}  // namespace snug::chip
