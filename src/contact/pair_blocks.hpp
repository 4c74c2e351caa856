#pragma once

#include "query/device_set.hpp"
#include "support/rooms.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace snug::contact {

/// A pair of bodies that the broad phase has found, and what its rays cost, as far as known: any unit.
struct PairCost {
  std::uint64_t pair = 0;
  double cost = 0;
};

/// Which device takes which pair, step after step. A pair stays with its device until it leaves the broad phase, since what the step
/// before has told of it lies there (Lehericey 2013); it is moved only where devices are so unevenly loaded that it pays. The
/// same for every order of history with the same pairs and costs: ties are broken by pair.
class PairBlocks {
 public:
  struct Policy {
    double move_cost = 4;  ///< moving a pair costs as much as so many steps of it
    double horizon = 16;   ///< steps that a move is expected to last
  };
  explicit PairBlocks(std::size_t devices) : PairBlocks(devices, Policy()) {}
  PairBlocks(std::size_t devices, const Policy& policy) : policy_(policy), load_(devices > 0 ? devices : 1, 0.0) {}

  /// The devices of all pairs of a step, in their order. Pairs are to be different.
  [[nodiscard]] std::span<const std::uint32_t> assign(std::span<const PairCost> pairs);
  /// One device less: what it had is shared out anew, and those behind it move up.
  void take_out(std::uint32_t device);

  [[nodiscard]] std::size_t devices() const noexcept { return load_.size(); }
  /// Costs of the last step's pairs by device.
  [[nodiscard]] std::span<const double> load() const noexcept { return load_; }
  [[nodiscard]] std::uint64_t moved() const noexcept { return moved_; }

 private:
  void even_out(std::span<const PairCost> pairs);

  Policy policy_;
  std::map<std::uint64_t, std::uint32_t> device_of_;
  std::vector<double> load_;
  std::vector<std::size_t> count_;      ///< of pairs, by device
  std::vector<std::uint32_t> devices_;  ///< of the step's pairs
  std::uint64_t moved_ = 0;
};

/// What kernels take for rays, in boxes that are looked at. Never nothing: a walk that stays where it is takes its time, too.
[[nodiscard]] double work_of(const DeviceRaysTold::Work& work) noexcept;

/// The rays of a pair in a step, and their work, as work_of() has it.
struct PairWork {
  std::uint64_t pair = 0;
  double rays = 0, work = 0;
  bool walks = false;  ///< or through the whole target, which is another matter
};

/// What pairs are expected to cost: as much for each ray as when they last had rays of that kind; those that never had, as much
/// as all others on average.
class PairCosts {
 public:
  /// Of the pairs of a step, by their rays; their work is not known yet.
  [[nodiscard]] std::vector<PairCost> expect(std::span<const PairWork> step) const;
  /// What it has been, for the next.
  void remember(std::span<const PairWork> step);

 private:
  /// Of a ray; first of those through the whole target, then of walks.
  using OfKinds = std::array<std::optional<double>, 2>;
  std::map<std::uint64_t, OfKinds> of_pair_;
  OfKinds of_all_;
};

}  // namespace snug::contact
