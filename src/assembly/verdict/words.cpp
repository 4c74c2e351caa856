#include <snug/query.hpp>
#include <snug/verdict.hpp>

#include <array>

namespace snug {

namespace {

constexpr std::array<std::string_view, 6> k_verdicts{"clear", "near", "touch", "undecided", "clash", "contained"};
constexpr std::array<std::string_view, 6> k_matings{"none",       "planar_mate", "planar_align",
                                                    "concentric", "tangent",     "coincident"};
constexpr std::array<std::string_view, 4> k_methods{"surface", "brute", "dop", "dop_fixed"};

template <class Enum, std::size_t N>
std::optional<Enum> parse(const std::array<std::string_view, N>& words, std::string_view text) noexcept {
  for (std::size_t i = 0; i < N; ++i)
    if (words[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace

std::string_view to_string(Verdict verdict) noexcept { return k_verdicts.at(static_cast<std::size_t>(verdict)); }
std::optional<Verdict> parse_verdict(std::string_view text) noexcept { return parse<Verdict>(k_verdicts, text); }
std::string_view to_string(Mating mating) noexcept { return k_matings.at(static_cast<std::size_t>(mating)); }
std::string_view to_string(Method method) noexcept { return k_methods.at(static_cast<std::size_t>(method)); }
std::optional<Method> parse_method(std::string_view text) noexcept { return parse<Method>(k_methods, text); }

}  // namespace snug
