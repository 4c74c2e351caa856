#include "io/text/number.hpp"

#include "scenes/random.hpp"
#include "unit/io_support.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace snug::io {
namespace {

struct Parsed {
  NumberState state;
  double value;
  std::string_view rest;
};

Parsed parse(std::string_view text) {
  const char* at = text.data();
  double value = -7;
  const NumberState state = parse_double(at, text.data() + text.size(), value);
  return {state, value, text.substr(static_cast<std::size_t>(at - text.data()))};
}

TEST(ParseDouble, AcceptsEveryDecimalForm) {
  const std::pair<std::string_view, double> cases[] = {{"0", 0.0},
                                                       {"-0", -0.0},
                                                       {"+1", 1.0},
                                                       {"1.", 1.0},
                                                       {".5", 0.5},
                                                       {"-.5e1", -5.0},
                                                       {"1e3", 1000.0},
                                                       {"1E+3", 1000.0},
                                                       {"1.25e-2", 0.0125},
                                                       {"00012.50", 12.5},
                                                       {"1e-400", 0.0},
                                                       {"-1e-999", -0.0},
                                                       {"4e-324", 5e-324},
                                                       {"123456789012345678901234567890", 1.2345678901234568e29},
                                                       {"0.1", 0.1},
                                                       {"9007199254740993", 9007199254740992.0},
                                                       {"1.7976931348623157e308", 1.7976931348623157e308},
                                                       {"0.00000000000000000000000000000001", 1e-32},
                                                       {"0e9999", 0.0}};
  for (const auto& [text, value] : cases) {
    const Parsed p = parse(text);
    EXPECT_EQ(p.state, NumberState::ok) << text;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(p.value), std::bit_cast<std::uint64_t>(value)) << text;
    EXPECT_TRUE(p.rest.empty()) << text;
  }
}

TEST(ParseDouble, StopsBehindTheNumber) {
  EXPECT_EQ(parse("1.5 2").rest, " 2");
  EXPECT_EQ(parse("1.5e").rest, "e");
  EXPECT_EQ(parse("1-2").rest, "-2");
  EXPECT_EQ(parse("12,5").rest, ",5");
}

TEST(ParseDouble, RefusesWhatIsNotFinite) {
  for (const std::string_view text : {"nan", "NaN", "-nan(ind)", "inf", "-Infinity", "+INF", "1.#QNAN", "-1.#IND",
                                      "1e309", "-1e999", "1e99999999999999999999", "99999e305"})
    EXPECT_EQ(parse(text).state, NumberState::non_finite) << text;
}

TEST(ParseDouble, RefusesWhatIsNoNumber) {
  for (const std::string_view text : {"", "-", "+", ".", "x", "e5", "--1", "+-1", "- 1", "\xff"}) {
    EXPECT_EQ(parse(text).state, NumberState::malformed) << text;
    EXPECT_EQ(parse(text).rest, text);
  }
}

TEST(ParseDouble, AgreesWithTheStandardLibraryBitForBit) {
  scenes::Random random(1);
  for (std::size_t i = 0, cases = test::scaled(200'000); i < cases; ++i) {
    char text[64];
    int length = 0;
    switch (i % 4) {
      case 0:
        length =
            std::snprintf(text, sizeof text, "%.*g", 1 + static_cast<int>(random.below(20)), random.uniform(-1e6, 1e6));
        break;
      case 1:
        length =
            std::snprintf(text, sizeof text, "%.*f", static_cast<int>(random.below(18)), random.uniform(-100, 100));
        break;
      case 2: {
        const double any = std::bit_cast<double>(random.next());
        length = std::snprintf(text, sizeof text, "%.17g", std::isfinite(any) ? any : 1.0);
        break;
      }
      default:
        length = std::snprintf(text, sizeof text, "%llu",
                               static_cast<unsigned long long>(random.next() >> random.below(64)));
    }
    const Parsed p = parse({text, static_cast<std::size_t>(length)});
    ASSERT_EQ(p.state, NumberState::ok) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(p.value), std::bit_cast<std::uint64_t>(std::strtod(text, nullptr))) << text;
  }
}

TEST(ParseCoordinate, RefusesWhatAMeshCannotHold) {
  double value = 0;
  const std::string_view huge = "1e305", fine = "-6e299";
  const char* at = huge.data();
  EXPECT_EQ(parse_coordinate(at, huge.data() + huge.size(), value), NumberState::non_finite);
  EXPECT_EQ(at, huge.data());
  at = fine.data();
  EXPECT_EQ(parse_coordinate(at, fine.data() + fine.size(), value), NumberState::ok);
}

TEST(ParseInteger, KnowsItsLimits) {
  const auto parse_all = [](std::string_view text, std::int64_t& value) {
    const char* at = text.data();
    return parse_integer(at, text.data() + text.size(), value);
  };
  std::int64_t value = 0;
  EXPECT_EQ(parse_all("-17", value), NumberState::ok);
  EXPECT_EQ(value, -17);
  EXPECT_EQ(parse_all("+9223372036854775807", value), NumberState::ok);
  EXPECT_EQ(value, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_all("0000000000000000000000000000005", value), NumberState::ok);
  EXPECT_EQ(value, 5);
  EXPECT_EQ(parse_all("9223372036854775808", value), NumberState::non_finite);
  EXPECT_EQ(parse_all("99999999999999999999999", value), NumberState::non_finite);
  EXPECT_EQ(parse_all("", value), NumberState::malformed);
  EXPECT_EQ(parse_all("-", value), NumberState::malformed);
}

}  // namespace
}  // namespace snug::io
