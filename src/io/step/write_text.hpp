#pragma once

#include "io/bytes/byte_sink.hpp"
#include "support/rooms.hpp"

#include <snug/vec.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace snug::io {

/// Number of an entity in the file, from 1.
using StepId = std::uint64_t;

/// A string as STEP has it, in its quotes: quotes and backslashes doubled, all but printable ASCII as \X2\…\X0\.
[[nodiscard]] std::string step_string(std::string_view utf8);
/// "#12".
[[nodiscard]] std::string step_ref(StepId id);
/// "(#12,#13)".
[[nodiscard]] std::string step_refs(std::span<const StepId> ids);
/// The shortest decimals that read back as the same double, with the point that STEP wants: "1.", "2.5E-07".
[[nodiscard]] std::string step_real(double value);
/// "(0.,1.,0.)".
[[nodiscard]] std::string step_reals(const Vec3& v);

/// Numbers the entities of the data section and writes them one after the other, each behind those it refers to.
class StepText {
 public:
  explicit StepText(ByteSink& sink) : sink_(sink) {}

  /// "PLANE('',#7)" becomes a line of its own.
  StepId add(std::string_view entity);
  StepId point(const Point3& p) { return add("CARTESIAN_POINT(''," + step_reals(p) + ')'); }
  StepId direction(const Vec3& v) { return add("DIRECTION(''," + step_reals(v) + ')'); }
  /// A frame: z along `axis`, x along `x`, which is square to it. Both unit.
  StepId placement(const Point3& origin, const Vec3& axis, const Vec3& x);

  [[nodiscard]] ByteSink& sink() noexcept { return sink_; }

 private:
  ByteSink& sink_;
  StepId last_ = 0;
};

}  // namespace snug::io
