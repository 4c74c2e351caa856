#pragma once

#include "chip/model/stages.hpp"
#include "chip/model/system_pins.hpp"

#include <systemc>

#include <vector>

// The units of the whole chip around its pipe. Registers are members that change at a rising edge and are shown on signals; methods
// named signals() make what follows from them within a clock.

namespace snug::hardware::units {

using sc_core::sc_in;
using sc_core::sc_module;
using sc_core::sc_module_name;
using sc_core::sc_out;
using sc_core::sc_signal;

struct Links {
  std::uint32_t left = 0, right = 0;
  bool leaf() const { return right == 0; }
  bool operator==(const Links& o) const { return left == o.left && right == o.right; }
};
/// Two nodes or triangles.
struct Numbers {
  bool triangles = false;
  std::uint32_t a = 0, b = 0;
  bool operator==(const Numbers& o) const { return triangles == o.triangles && a == o.a && b == o.b; }
};
/// What GetData has loaded; changes with every pair, so that contents need not be compared.
struct LoadedPair {
  unsigned serial = 0;
  Numbers numbers;
  std::array<std::array<std::uint64_t, 24>, 2> words{};
  bool operator==(const LoadedPair& o) const { return serial == o.serial; }
};
struct Entry {
  std::array<std::uint32_t, 2> a{}, b{};
  bool triangles = false, two_a = false, two_b = false, next_a = false, next_b = false;

  Numbers numbers() const { return {triangles, a[next_a ? 1 : 0], b[next_b ? 1 : 0]}; }
  /// Moves on to its next pair; false if there is none.
  bool advance() {
    if (!next_b && two_b) {
      next_b = true;
      return true;
    }
    next_b = false;
    const bool more = !next_a && two_a;
    next_a = true;
    return more;
  }
  bool operator==(const Entry& o) const {
    return a == o.a && b == o.b && triangles == o.triangles && two_a == o.two_a && two_b == o.two_b &&
           next_a == o.next_a && next_b == o.next_b;
  }
};
struct MemoryRequest {
  bool valid = false;
  std::uint32_t address = 0;
  unsigned bursts = 0;
  bool operator==(const MemoryRequest& o) const {
    return valid == o.valid && address == o.address && bursts == o.bursts;
  }
};
struct MemoryBeat {
  bool valid = false, error = false;
  std::array<std::uint64_t, 2> data{};
  bool operator==(const MemoryBeat& o) const { return valid == o.valid && error == o.error && data == o.data; }
};
#define SNUG_CHIP_SIGNAL(Type)                                                             \
  inline std::ostream& operator<<(std::ostream& out, const Type&) { return out << #Type; } \
  inline void sc_trace(sc_core::sc_trace_file*, const Type&, const std::string&) {}
SNUG_CHIP_SIGNAL(Numbers)
SNUG_CHIP_SIGNAL(LoadedPair)
SNUG_CHIP_SIGNAL(Entry)
SNUG_CHIP_SIGNAL(MemoryRequest)
SNUG_CHIP_SIGNAL(MemoryBeat)
#undef SNUG_CHIP_SIGNAL

/// What GetData is doing, as others need to know it.
enum class Loading { idle, pop, ask_a, ask_b, load, full };

/// A word of so many bits, signed, of numbers packed from the lowest bit on.
std::uint64_t bits_of(const std::array<std::uint64_t, 24>& words, unsigned at, unsigned bits);
std::int64_t signed_of(const std::array<std::uint64_t, 24>& words, unsigned at, unsigned bits);

class Unit : public sc_module {
 public:
  sc_in<bool> clock{"clock"}, reset{"reset"};

  SC_HAS_PROCESS(Unit);
  explicit Unit(const sc_module_name& name) : sc_module(name) {
    SC_METHOD(edge);
    sensitive << clock.pos();
    dont_initialize();
  }

 protected:
  virtual void advance() = 0;
  virtual void clear() = 0;
  void show_again() { shown_.write(!shown_.read()); }
  sc_signal<bool> shown_{"shown"};  ///< toggles after each edge: registers have new values

 private:
  void edge() {
    reset.read() ? clear() : advance();
    show_again();
  }
};

/// Section 5, GetData.
class GetData final : public Unit {
 public:
  sc_in<bool> run{"run"}, ask{"ask"}, push{"push"}, handed_over{"handed_over"}, request_ready{"request_ready"};
  sc_in<Numbers> popped{"popped"};
  sc_in<MemoryBeat> beat{"beat"};
  sc_out<int> loading{"loading"};
  sc_out<LoadedPair> next{"next"};
  sc_out<MemoryRequest> request{"request"};

  SC_HAS_PROCESS(GetData);
  GetData(const sc_module_name& name, unsigned record_bursts);
  const SystemSetup* setup = nullptr;

 private:
  void advance() override;
  void clear() override;
  void show();
  const unsigned bursts_;
  Loading state_ = Loading::idle;
  LoadedPair next_;
  unsigned beats_ = 0, beats_each_ = 0;
};

/// Section 5, the current pair and its tests.
class Tester final : public Unit {
 public:
  sc_in<bool> hand_over{"hand_over"}, more{"more"}, halt{"halt"}, result_counts{"result_counts"},
      separated{"separated"};
  sc_in<LoadedPair> next{"next"};
  sc_in<stages::Tag> result{"result"};
  sc_out<bool> testing{"testing"}, last{"last"}, given_up{"given_up"};
  sc_out<stages::Pins> pins{"pins"};
  sc_out<Entry> children{"children"};  ///< of the pair whose result there is

  SC_HAS_PROCESS(Tester);
  Tester(const sc_module_name& name, unsigned width);
  const SystemSetup* setup = nullptr;

 private:
  struct Pair {
    std::uint32_t a = 0, b = 0;
    Links links_a, links_b;
  };
  void advance() override;
  void clear() override;
  void signals();
  bool is_last() const;
  const unsigned width_;
  bool testing_ = false;
  unsigned axis_ = 0;
  Pair current_, previous_;
  AxisTest test_;
  unsigned serial_ = 0;
};

/// Sections 3, 4 and 6: state, stack, results.
class Controller final : public Unit {
 public:
  sc_in<bool> start{"start"}, result_valid{"result_valid"}, separated{"separated"}, testing{"testing"}, last{"last"},
      given_up{"given_up"}, triangle_takes{"triangle_takes"}, triangle_empty{"triangle_empty"};
  sc_in<stages::Tag> result{"result"};
  sc_in<Entry> children{"children"};
  sc_in<int> loading{"loading"};
  sc_in<LoadedPair> next{"next"};
  sc_in<MemoryBeat> beat{"beat"};
  sc_out<bool> run{"run"}, busy{"busy"}, ask{"ask"}, push{"push"}, over_dops{"over_dops"},
      over_triangles{"over_triangles"}, handed_over{"handed_over"}, more{"more"}, halt{"halt"},
      result_counts{"result_counts"};
  sc_out<Numbers> popped{"popped"};

  SC_HAS_PROCESS(Controller);
  Controller(const sc_module_name& name, unsigned depth);
  bool done = false, overflow = false, error = false;

 private:
  enum class State { ready, run, stop };
  void advance() override;
  void clear() override;
  void signals();
  bool counts() const;
  const std::size_t depth_;
  State state_ = State::ready;
  std::vector<Entry> stack_;
  bool dead_ = false;
  stages::Tag dead_pair_;
  unsigned in_flight_ = 0;
};

/// Section 7.
class TriangleUnit final : public Unit {
 public:
  sc_in<bool> hand_over{"hand_over"}, hit_ready{"hit_ready"};
  sc_in<LoadedPair> next{"next"};
  sc_out<bool> takes{"takes"}, empty{"empty"}, hit_valid{"hit_valid"};

  SC_HAS_PROCESS(TriangleUnit);
  TriangleUnit(const sc_module_name& name, unsigned width);
  const SystemSetup* setup = nullptr;
  Numbers pair;

 private:
  static constexpr unsigned k_clocks = 64;
  void advance() override;
  void clear() override;
  void signals();
  CornerWords corners(const std::array<std::uint64_t, 24>& words) const;
  const unsigned width_;
  unsigned left_ = 0;
  bool kept_ = false;
};

}  // namespace snug::hardware::units
