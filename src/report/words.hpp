#pragma once

#include "report/text.hpp"
#include "support/rooms.hpp"

#include <snug/report.hpp>

#include <array>
#include <string>
#include <string_view>

// How reports put findings into words.

namespace snug::report {

inline constexpr std::array k_gravest_first{Verdict::contained, Verdict::clash, Verdict::undecided, Verdict::touch,
                                            Verdict::near};

[[nodiscard]] Color color_of(Verdict verdict) noexcept;
/// What the verdict means and what to do about it, in one sentence.
[[nodiscard]] std::string_view advice(Verdict verdict) noexcept;

/// What all paths have in common at their beginning, up to and with the last '/': "gearbox/lid/". Empty for one part.
[[nodiscard]] std::string common_folder(const Assembly& assembly);

/// "4 mm deep", "0.25 mm thick, b out by 6 mm", "crosses along 12 mm, b out by 3 mm", "gap 0.3 mm", "in contact".
/// What lies below the resolution is 0.
[[nodiscard]] std::string size_of(const Finding& finding, LengthUnit units);
/// "12.5 mm³".
[[nodiscard]] std::string volume_of(const Finding& finding, LengthUnit units);
/// To what a coordinate of a place is told: a thousandth of the smaller part, or the resolution if that is larger.
[[nodiscard]] double place_step(const Finding& finding, const Assembly& assembly);
/// "(1, 2, 5300000003.5)", see coordinate().
[[nodiscard]] std::string place_of(const Vec3& point, double step);
/// A translation, long enough although rounded: "(0.1905002, 0, 0)". Components within the resolution are 0.
[[nodiscard]] std::string way_of(const Vec3& way, double resolution);
/// "a lies inside b"; empty where no shell lies inside the other.
[[nodiscard]] std::string inside_of(const Finding& finding);
/// "left, side +3 | top": names, or ids where surfaces have none, of a and of b. Where faces lie flat on one another, those
/// alone, largest area first.
[[nodiscard]] std::string surfaces_of(const Finding& finding, const Assembly& assembly);
/// "touch", and "touch?" where finer triangles might change it.
[[nodiscard]] std::string verdict_word(const Finding& finding);
/// "2 planar mates, concentric with 0.02 mm clearance"; empty where nothing is known.
[[nodiscard]] std::string matings_of(const Finding& finding, LengthUnit units);

}  // namespace snug::report
