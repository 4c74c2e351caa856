#pragma once

#include "chip/model/overlap_unit.hpp"

#include <systemc>

#include <ostream>

// The stages of the cycle-accurate pipe, one module each, with registers as wide as the chip has them. Written from the
// formulas, not from the RTL: the two are held to one another by co-simulation.

namespace snug::hardware::stages {

/// What a register of so many bits makes of a number: two's complement.
inline Wide held(Wide value, unsigned bits) {
  const unsigned unused = 128 - bits;
  __extension__ using Unsigned = unsigned __int128;
  return static_cast<Wide>(static_cast<Unsigned>(value) << unused) >> unused;
}

/// What six numbers of each of the two sums travel as.
struct Twelve {
  std::array<Wide, 6> first{}, second{};
  bool operator==(const Twelve& o) const { return first == o.first && second == o.second; }
};
struct Selected {
  Twelve coefficients;
  std::array<Wide, 6> weights{};
  bool operator==(const Selected& o) const { return coefficients == o.coefficients && weights == o.weights; }
};
/// Of the two sums: so far, and what is still to be added.
struct Partial {
  std::array<Wide, 3> first{}, second{};
  bool operator==(const Partial& o) const { return first == o.first && second == o.second; }
};
struct Tag {
  std::uint32_t node_a = 0, node_b = 0;
  bool last = false;
  bool operator==(const Tag& o) const { return node_a == o.node_a && node_b == o.node_b && last == o.last; }
};
/// A test on the pins.
struct Pins {
  AxisTest test;
  unsigned serial = 0;  ///< changes with every test, so that they need not be compared
  bool operator==(const Pins& o) const { return serial == o.serial; }
};

// SystemC wants its signals printable and traceable.
#define SNUG_CHIP_SIGNAL(Type)                                                             \
  inline std::ostream& operator<<(std::ostream& out, const Type&) { return out << #Type; } \
  inline void sc_trace(sc_core::sc_trace_file*, const Type&, const std::string&) {}
SNUG_CHIP_SIGNAL(Twelve)
SNUG_CHIP_SIGNAL(Selected)
SNUG_CHIP_SIGNAL(Partial)
SNUG_CHIP_SIGNAL(Tag)
SNUG_CHIP_SIGNAL(Pins)
#undef SNUG_CHIP_SIGNAL

/// A module that does something at a rising edge, if the pipe moves.
class Stage : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clock{"clock"}, move{"move"};

  SC_HAS_PROCESS(Stage);
  Stage(const sc_core::sc_module_name& name, unsigned width) : sc_module(name), width_(width) {
    SC_METHOD(edge);
    sensitive << clock.pos();
    dont_initialize();
  }

 protected:
  virtual void advance() = 0;
  const unsigned width_;

 private:
  void edge() {
    if (move.read()) advance();
  }
};

/// Holds a value for `depth` moves.
template <class T>
class Delay final : public Stage {
 public:
  sc_core::sc_in<T> in{"in"};
  sc_core::sc_out<T> out{"out"};
  Delay(const sc_core::sc_module_name& name, unsigned depth) : Stage(name, 0), held_(depth) {}

 private:
  void advance() override {
    held_[next_] = in.read();
    next_ = (next_ + 1) % held_.size();
    out.write(held_[next_]);
  }
  // What is written comes out after as many moves as there are places; the signal behind is the last of them.
  std::vector<T> held_;
  std::size_t next_ = 0;
};

/// Selects three coefficients of each body and the three opposite to them.
class Select final : public Stage {
 public:
  sc_core::sc_in<Pins> in{"in"};
  sc_core::sc_out<Selected> out{"out"};
  using Stage::Stage;

 private:
  void advance() override;
};

/// Twelve products, in one stage or in three: four products of parts, the sum of the two in the middle, the total.
class Multiply final : public Stage {
 public:
  sc_core::sc_in<Selected> in{"in"};
  sc_core::sc_out<Twelve> out{"out"};
  Multiply(const sc_core::sc_module_name& name, unsigned width, unsigned stages)
      : Stage(name, width), stages_(stages) {}

 private:
  /// Products of the parts of two words, divided at bit 17.
  struct Parts {
    Wide low = 0, cross_x = 0, cross_y = 0, high = 0;
  };
  struct Middle {
    Wide low = 0, middle = 0, high = 0;
  };
  void advance() override;
  [[nodiscard]] Parts parts(Wide x, Wide y) const;
  [[nodiscard]] Middle middle(const Parts& p) const;
  [[nodiscard]] Wide total(const Middle& m) const;

  const unsigned stages_;
  std::array<Parts, 12> parts_;
  std::array<Middle, 12> middles_;
};

/// Products in pairs; then the offset comes in, then all is one.
class AddPairs final : public Stage {
 public:
  sc_core::sc_in<Twelve> in{"in"};
  sc_core::sc_out<Partial> out{"out"};
  using Stage::Stage;

 private:
  void advance() override;
};
class AddOffset final : public Stage {
 public:
  sc_core::sc_in<Partial> in{"in"};
  sc_core::sc_in<std::int64_t> offset{"offset"};
  sc_core::sc_out<Partial> out{"out"};
  using Stage::Stage;

 private:
  void advance() override;
};
class AddAll final : public Stage {
 public:
  sc_core::sc_in<Partial> in{"in"};
  sc_core::sc_out<Partial> out{"out"};
  using Stage::Stage;

 private:
  void advance() override;
};

/// sn() of both sums.
class Negatives final : public Stage {
 public:
  sc_core::sc_in<Selected> in{"in"};
  sc_core::sc_out<Partial> out{"out"};
  using Stage::Stage;

 private:
  void advance() override;
};

class Correct final : public Stage {
 public:
  sc_core::sc_in<Partial> in{"in"}, negatives{"negatives"};
  sc_core::sc_out<Partial> out{"out"};
  using Stage::Stage;

 private:
  void advance() override;
};

class Compare final : public Stage {
 public:
  sc_core::sc_in<Partial> in{"in"};
  sc_core::sc_out<bool> out{"out"};
  using Stage::Stage;

 private:
  void advance() override;
};

}  // namespace snug::hardware::stages
