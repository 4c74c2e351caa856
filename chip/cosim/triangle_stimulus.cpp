#include "chip/cosim/triangle_stimulus.hpp"

#include <algorithm>
#include <array>

namespace snug::hardware {

namespace {

using query::fixed::Corner;

std::int64_t most(unsigned bits) { return (std::int64_t{1} << (bits - 1)) - 1; }

/// From -reach to reach.
std::int64_t within(Random& random, std::int64_t reach) {
  return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(2 * reach + 1))) - reach;
}

void number(Random& random, PlacedTest& made) {
  made.test.triangle_a = static_cast<std::uint32_t>(random.next());
  made.test.triangle_b = static_cast<std::uint32_t>(random.next());
}

template <class Word>
PlacedTest filled(const Configuration& c, Word&& word) {
  PlacedTest made;
  for (TriangleWords* t : {&made.test.a, &made.test.b})
    for (Corner& corner : *t)
      for (std::int64_t& x : corner) x = word(c.width);
  for (std::int64_t& r : made.placement.rotation) r = word(c.width);
  for (std::int64_t& t : made.placement.translation) t = word(c.width + 2);
  return made;
}

/// The rotation of a quaternion, rounded as a host does.
void rotate(Random& random, const Configuration& c, Placement& placement) {
  const Quaternion q = random.rotation();
  const double s = 2 / ((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z));
  const std::array<double, 9> m{
      1 - s * (q.y * q.y + q.z * q.z), s * (q.x * q.y - q.z * q.w),     s * (q.x * q.z + q.y * q.w),
      s * (q.x * q.y + q.z * q.w),     1 - s * (q.x * q.x + q.z * q.z), s * (q.y * q.z - q.x * q.w),
      s * (q.x * q.z - q.y * q.w),     s * (q.y * q.z + q.x * q.w),     1 - s * (q.x * q.x + q.y * q.y)};
  const double one = static_cast<double>(most(c.width)) + 1;
  for (std::size_t i = 0; i < 9; ++i)
    placement.rotation[i] = std::clamp(query::fixed::rounded(m[i] * one), -most(c.width) - 1, most(c.width));
}

/// As nothing is turned: coordinates below half of the range come through as they are.
void leave_as_is(Placement& placement, const Configuration& c) {
  placement.rotation = {};
  for (std::size_t i = 0; i < 9; i += 4) placement.rotation[i] = most(c.width);
}

/// Triangles of any size about the same place, b turned and moved there.
PlacedTest legal(Random& random, const Configuration& c) {
  PlacedTest made;
  rotate(random, c, made.placement);
  // Mostly large: what is small is within the error, and kept.
  const auto size = [&] {
    const auto less = static_cast<unsigned>(random.one_in(4) ? random.below(c.width - 1) : random.below(4));
    return most(c.width - less);
  };
  const std::int64_t size_a = size(), size_b = random.one_in(2) ? size_a : size();
  const auto fill = [&](TriangleWords& t, std::int64_t reach) {
    Corner middle{};
    for (std::int64_t& x : middle) x = within(random, most(c.width) - reach);
    for (Corner& corner : t)
      for (std::size_t i = 0; i < 3; ++i) corner[i] = middle[i] + within(random, reach);
  };
  fill(made.test.a, size_a);
  fill(made.test.b, size_b);
  // A corner of b comes upon one of a or between two, or near to it.
  const std::int64_t off =
      random.one_in(4) ? 0 : std::max(size_a, size_b) / (1 + static_cast<std::int64_t>(random.below(8)));
  const Corner at = query::fixed::placed(made.test.b[random.below(3)], made.placement, c.width - 1);
  const Corner one = made.test.a[random.below(3)], other = made.test.a[random.below(3)];
  for (std::size_t i = 0; i < 3; ++i)
    made.placement.translation[i] =
        std::clamp((one[i] + other[i]) / 2 - at[i] + within(random, off), -most(c.width + 2), most(c.width + 2));
  made.placement.slack = std::min(c.width - 1, random.one_in(4) ? static_cast<unsigned>(random.below(c.width)) : 3);
  return made;
}

/// Four corners are the origin and a point on each coordinate of a box: a triple product of 256 * 198 * 198, which is the error
/// of a box with a side of 256 and a slack of 8. What it is of depends on whose corners they are. A power of two changes nothing.
PlacedTest at_the_error(Random& random, const Configuration& c) {
  PlacedTest made;
  leave_as_is(made.placement, c);
  const unsigned power = static_cast<unsigned>(random.below(c.width - 10));
  made.placement.slack = 3 + power;
  constexpr std::int64_t k_side = 256;
  const auto unit = std::int64_t{1} << power;
  std::array<std::int64_t, 3> side{k_side, 198, 198};
  std::swap(side[0], side[random.below(3)]);
  const std::int64_t little = random.one_in(3) ? 0 : static_cast<std::int64_t>(random.below(3)) - 1;
  side[random.below(3)] -= random.one_in(2) ? 0 : 1;

  // The four, and two more, in any order; the two keep within the longest side.
  std::array<Corner, 6> corners{};
  for (std::size_t i = 0; i < 3; ++i) corners[1 + i][i] = side[i] * unit;
  for (std::size_t k = 4; k < 6; ++k)
    for (std::int64_t& x : corners[k])
      x = random.one_in(2)   ? static_cast<std::int64_t>(random.below(k_side * static_cast<std::uint64_t>(unit) + 1))
          : random.one_in(2) ? k_side * unit
                             : 0;
  corners[random.below(6)][random.below(3)] += little;
  for (std::size_t k = 5; k > 0; --k) std::swap(corners[k], corners[random.below(k + 1)]);
  // Mirrored and moved; what b is moved by comes from the placement.
  Corner from{};
  for (std::int64_t& x : from) x = within(random, k_side * unit / 2);
  for (Corner& corner : corners)
    for (std::size_t i = 0; i < 3; ++i) corner[i] -= from[i];
  for (std::size_t i = 0; i < 3; ++i) {
    if (random.one_in(2))
      for (Corner& corner : corners) corner[i] = -corner[i];
    made.placement.translation[i] = within(random, k_side * unit / 4);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    made.test.a[k] = corners[k];
    for (std::size_t i = 0; i < 3; ++i) made.test.b[k][i] = corners[3 + k][i] - made.placement.translation[i];
  }
  return made;
}

PlacedTest flat(Random& random, const Configuration& c) {
  PlacedTest made = legal(random, c);
  const std::size_t along = random.below(3);
  const std::int64_t height = made.test.a[0][along], thick = static_cast<std::int64_t>(random.below(20));
  for (Corner& corner : made.test.a)
    corner[along] = std::clamp(height + within(random, thick), -most(c.width), most(c.width));
  if (random.one_in(2)) {
    leave_as_is(made.placement, c);
    for (Corner& corner : made.test.b) corner[along] = made.test.b[0][along];
    made.placement.translation = {};
    made.placement.translation[along] = height - made.test.b[0][along] + within(random, 40);
  }
  if (random.one_in(4)) made.test.b[2] = made.test.b[random.below(2)];  // no area
  return made;
}

}  // namespace

PlacedTest random_triangles(Random& random, const Configuration& c, TriangleKind kind) {
  PlacedTest made;
  switch (kind) {
    case TriangleKind::random:
      made = filled(c, [&](unsigned bits) { return random.word(bits); });
      if (random.one_in(2)) made.placement.translation = {};
      made.placement.slack = static_cast<unsigned>(random.below(c.width) / (1 + random.below(4)));
      break;
    case TriangleKind::legal:
      made = legal(random, c);
      break;
    case TriangleKind::extreme: {
      const bool few = random.one_in(2);
      made = filled(c, [&](unsigned bits) {
        const std::int64_t far = random.one_in(2) ? most(bits) : -most(bits) - 1;
        return few || random.one_in(2) ? far : within(random, 1);
      });
      if (random.one_in(2)) made.placement.translation = {};
      made.placement.slack = random.one_in(2) ? c.width - 1 : 0;
      break;
    }
    case TriangleKind::edge:
      made = c.width > 10 ? at_the_error(random, c) : legal(random, c);
      break;
    case TriangleKind::flat:
      made = flat(random, c);
      break;
  }
  made.placement.usable = !random.one_in(32);
  number(random, made);
  return made;
}

}  // namespace snug::hardware
