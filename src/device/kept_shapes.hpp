#pragma once

#include "device/worker.hpp"
#include "support/assert.hpp"
#include "support/rooms.hpp"

#include <snug/shape.hpp>

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace snug::detail {

struct ShapeData;

}  // namespace snug::detail

namespace snug::device {

using detail::ShapeData;

/// How a piece of work on a device ended.
enum class DeviceOutcome : std::uint8_t {
  done,
  failed,        ///< and so did the device
  does_not_fit,  ///< beside what its memory holds
  never_fits,    ///< its memory is too small, whatever it holds
};

/// Shapes whose structures lie in a device's memory, so that queries need not send them again; of which kind they are, derived
/// classes know. Does not keep shapes alive.
class KeptShapes {
 public:
  virtual ~KeptShapes() = default;
  KeptShapes() = default;
  KeptShapes(const KeptShapes&) = delete;
  KeptShapes& operator=(const KeptShapes&) = delete;

  /// Sends those that are not there yet, behind the others. Where there is no room behind them, all that are alive are sent again, with
  /// room for more; where there is none for all, those that were not asked for the longest are left out. `beside`: what the work takes
  /// besides. Where it never fits, what is there stays.
  [[nodiscard]] DeviceOutcome bring(Worker& worker, std::span<const Shape* const> wanted,
                                    std::span<const Worker::Need> beside = {});
  /// Of one that is there: which it is, in the order they were sent in.
  [[nodiscard]] std::uint32_t place(const Shape& shape) const;
  void forget() noexcept;

 protected:
  /// Memory, slot by slot; of one kind of shapes always the same slots.
  using Needs = std::vector<Worker::Need>;
  /// What a shape takes.
  [[nodiscard]] virtual Needs needs_of(const Worker& worker, const Shape& shape) const = 0;

  enum class Sent : std::uint8_t {
    done,
    failed,
    too_many,  ///< for the numbers that name their elements
  };
  /// Sends shapes behind those that are there. There is room for them.
  [[nodiscard]] virtual Sent send(Worker& worker, const std::vector<Shape>& shapes) = 0;
  /// Nothing is there any more.
  virtual void clear() noexcept = 0;

  /// Appends data to a slot that has room for it.
  template <class T>
  static void send_behind(Worker& worker, Worker::Slot slot, std::span<const T> data, std::size_t before) {
    // A slot that grows loses what it holds.
    SNUG_ASSERT(before == 0 || !worker.ok() || worker.room(slot) >= (before + data.size()) * sizeof(T));
    std::ranges::copy(data, worker.host<T>(slot, data.size()).begin());
    worker.upload(slot, data.size_bytes(), before * sizeof(T));
  }

 private:
  struct Kept {
    std::weak_ptr<const ShapeData> shape;  ///< another one may come to lie in the same place
    std::uint32_t place = 0;
    std::uint64_t used = 0;
    Needs needs;
  };
  /// A shape to be sent.
  struct Sending {
    Shape shape;
    std::uint64_t used = 0;
    Needs needs;
  };
  [[nodiscard]] bool knows(const Shape& shape) const;
  /// All that are alive, those asked for last first.
  [[nodiscard]] std::vector<Sending> alive() const;
  [[nodiscard]] Sent add(Worker& worker, const std::vector<Sending>& some);
  /// From the beginning: those that are wanted now, and of the others as many as there is room for.
  [[nodiscard]] Sent send_again(Worker& worker, std::vector<Sending> fresh, const Needs& beside);

  std::unordered_map<const ShapeData*, Kept> kept_;
  std::uint32_t sent_ = 0;
  Needs taken_;  ///< by all that were sent, those included that are gone
  std::uint64_t calls_ = 0;
};

}  // namespace snug::device
