#include "scenes/solids.hpp"
#include "shape/shape_data.hpp"

#include <gtest/gtest.h>

#include <utility>

// Search structures of a shape and memories of a scratch are found by their type. There is no limit on the number of types.

namespace snug::detail {
namespace {

constexpr int k_types = 40;

template <int number>
struct Numbered {
  int value = number;
};

/// Calls a function with a value of each type.
template <class Call, int... numbers>
void for_each_type(const Call& call, std::integer_sequence<int, numbers...>) {
  (call(Numbered<numbers>{}), ...);
}
template <class Call>
void for_each_type(const Call& call) {
  for_each_type(call, std::make_integer_sequence<int, k_types>());
}

}  // namespace

template <int number>
Numbered<number> build(StructureOf<Numbered<number>> /*of*/, const ShapeData&, const CancelToken*) {
  return {};
}

namespace {

TEST(TypeSlots, ManyTypesHaveMemoriesOfTheirOwn) {
  ScratchData scratch;
  for_each_type([&]<class T>(T) { scratch.get<T>().value += 1000; });
  for_each_type([&]<class T>(T fresh) { EXPECT_EQ(scratch.get<T>().value, fresh.value + 1000); });
}

TEST(TypeSlots, ManyTypesHaveStructuresOfTheirOwn) {
  for (const double radius : {1.0, 2.0}) {
    const Shape shape(scenes::sphere(radius, 4, 6));
    const ShapeData& data = Access::data(shape);
    for_each_type([&]<class T>(T) { EXPECT_EQ(data.structures.find<T>(), nullptr); });
    for_each_type([&]<class T>(T fresh) { EXPECT_EQ(data.get<T>().value, fresh.value); });
    // Each stays where it was built.
    for_each_type([&]<class T>(T fresh) {
      EXPECT_EQ(&data.get<T>(), data.structures.find<T>());
      EXPECT_EQ(data.get<T>().value, fresh.value);
    });
  }
}

}  // namespace
}  // namespace snug::detail
