#pragma once

#include "device/worker.hpp"

#include <snug/shape.hpp>

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace snug::detail {

struct ShapeData;

/// How a piece of work on a device ended.
enum class DeviceOutcome : std::uint8_t {
  done,
  failed,        ///< and so did the device
  does_not_fit,  ///< its memory is too small
};

/// Shapes whose structures lie in a device's memory, so that queries need not send them again; of which kind they are, derived
/// classes know. Does not keep shapes alive.
class KeptShapes {
 public:
  virtual ~KeptShapes() = default;
  KeptShapes() = default;
  KeptShapes(const KeptShapes&) = delete;
  KeptShapes& operator=(const KeptShapes&) = delete;

  /// Sends those that are not there yet, behind the others. Where there is no room, or most of what is there has not been asked for
  /// of late, only those are kept that have.
  [[nodiscard]] DeviceOutcome bring(Worker& worker, std::span<const Shape* const> wanted);
  /// Of one that is there: which it is, in the order they were sent in.
  [[nodiscard]] std::uint32_t place(const Shape& shape) const;
  void forget() noexcept;

 protected:
  enum class Sent : std::uint8_t {
    done,
    failed,
    does_not_fit,
    grows,  ///< there is no room behind the others, and memory that grows loses what it held
  };
  /// Sends shapes behind those that are there.
  [[nodiscard]] virtual Sent send(Worker& worker, const std::vector<Shape>& shapes) = 0;
  /// Nothing is there any more.
  virtual void clear() noexcept = 0;

  /// Appends data to a slot that has room for it.
  template <class T>
  static void send_behind(Worker& worker, Worker::Slot slot, std::span<const T> data, std::size_t before) {
    std::ranges::copy(data, worker.host<T>(slot, data.size()).begin());
    worker.upload(slot, data.size_bytes(), before * sizeof(T));
  }
  /// Whether so much fits, and if so whether it does without growing while something is there.
  static Sent has_room(const Worker& worker, std::span<const Worker::Need> needs, bool something) noexcept;

 private:
  struct Kept {
    std::weak_ptr<const ShapeData> shape;  ///< another one may come to lie in the same place
    std::uint32_t place = 0;
    std::uint64_t used = 0;
    std::size_t triangles = 0;
  };
  [[nodiscard]] bool knows(const Shape& shape) const;
  /// Forgets what was not asked for of late; those that are still there are to be sent again.
  [[nodiscard]] std::vector<Shape> shed(const std::vector<Shape>& wanted);
  [[nodiscard]] DeviceOutcome add(Worker& worker, const std::vector<Shape>& shapes);

  std::unordered_map<const ShapeData*, Kept> kept_;
  std::uint32_t sent_ = 0;
  std::size_t triangles_ = 0;  ///< of all that were sent
  std::uint64_t calls_ = 0;
};

}  // namespace snug::detail
