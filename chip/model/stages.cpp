#include "chip/model/stages.hpp"

namespace snug::hardware::stages {

namespace {

constexpr unsigned k_low_bits = 17;  ///< of words that are divided for multipliers of 18 bits

std::array<Wide, 3> in_pairs(const std::array<Wide, 6>& six, unsigned bits) {
  return {held(six[0] + six[1], bits), held(six[2] + six[3], bits), held(six[4] + six[5], bits)};
}

}  // namespace

void Select::advance() {
  const AxisTest& test = in.read().test;
  Selected selected;
  const auto take = [&](const AxisMapping& map, const std::array<std::int64_t, 24>& dop, std::size_t at,
                        std::array<Wide, 6>& near, std::array<Wide, 6>& opposite) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = map.slab[i];
      near[at + i] = held(dop[j], width_);
      opposite[at + i] = held(dop[(j + dop.size() / 2) % dop.size()], width_);
      selected.weights[at + i] = held(map.weight[i], width_);
    }
  };
  take(test.map_a, test.dop_a, 0, selected.coefficients.first, selected.coefficients.second);
  take(test.map_b, test.dop_b, 3, selected.coefficients.second, selected.coefficients.first);
  out.write(selected);
}

Multiply::Parts Multiply::parts(Wide x, Wide y) const {
  const Wide low_mask = (Wide{1} << k_low_bits) - 1;
  const Wide x_low = x & low_mask, y_low = y & low_mask;
  const Wide x_high = x >> k_low_bits, y_high = y >> k_low_bits;
  return {x_low * y_low, x_high * y_low, x_low * y_high, x_high * y_high};
}

Multiply::Middle Multiply::middle(const Parts& p) const { return {p.low, p.cross_x + p.cross_y, p.high}; }

Wide Multiply::total(const Middle& m) const {
  const Wide one = Wide{1} << k_low_bits;
  return held(m.low + m.middle * one + m.high * one * one, 2 * width_);
}

void Multiply::advance() {
  const Selected& operands = in.read();
  Twelve products;
  const auto product = [&](std::size_t i) -> Wide& { return i < 6 ? products.first[i] : products.second[i - 6]; };
  for (std::size_t i = 0; i < 12; ++i) {
    const Wide weight = operands.weights[i % 6];
    const Wide coefficient = i < 6 ? operands.coefficients.first[i] : operands.coefficients.second[i - 6];
    if (stages_ == 1) {
      product(i) = held(weight * coefficient, 2 * width_);
      continue;
    }
    // Backwards, so that each stage reads what the one before held until now.
    product(i) = total(middles_[i]);
    middles_[i] = middle(parts_[i]);
    parts_[i] = parts(weight, coefficient);
  }
  out.write(products);
}

void AddPairs::advance() {
  const Twelve& products = in.read();
  out.write({in_pairs(products.first, 2 * width_ + 1), in_pairs(products.second, 2 * width_ + 1)});
}

void AddOffset::advance() {
  const Partial& pairs = in.read();
  const auto add = [&](const std::array<Wide, 3>& p, std::int64_t shifted) {
    const Wide unit = Wide{1} << (width_ - 1);
    return std::array<Wide, 3>{held(p[0] + p[1], 2 * width_ + 2), held(p[2] + shifted * unit, 2 * width_ + 2), 0};
  };
  const std::int64_t p = offset.read();
  out.write({add(pairs.first, p), add(pairs.second, -(p + 1))});
}

void AddAll::advance() {
  const Partial& parts = in.read();
  const auto add = [&](const std::array<Wide, 3>& p) {
    return std::array<Wide, 3>{held(p[0] + p[1], 2 * width_ + 3), 0, 0};
  };
  out.write({add(parts.first), add(parts.second)});
}

void Negatives::advance() {
  const Twelve& coefficients = in.read().coefficients;
  const auto add = [&](const std::array<Wide, 6>& six) {
    Wide sum = 0;
    for (const Wide c : six) sum += c < 0 ? c : 0;
    return std::array<Wide, 3>{held(sum, width_ + 3), 0, 0};
  };
  out.write({add(coefficients.first), add(coefficients.second)});
}

void Correct::advance() {
  const Partial &sums = in.read(), &corrections = negatives.read();
  const unsigned bits = 2 * width_ + 3;
  out.write({{held(sums.first[0] + corrections.first[0], bits), 0, 0},
             {held(sums.second[0] + corrections.second[0], bits), 0, 0}});
}

void Compare::advance() { out.write(in.read().first[0] > 0 || in.read().second[0] > 0); }

}  // namespace snug::hardware::stages

/// SystemC's library wants one; programs here have their own main().
int sc_main(int /*argc*/, char** /*argv*/) { return 0; }
