#pragma once

#include "io/step/write_shape.hpp"
#include "io/step/write_text.hpp"
#include "support/rooms.hpp"

#include <snug/assembly.hpp>

#include <string>
#include <vector>

namespace snug::io {

/// What all shapes of a file refer to.
struct StepContexts {
  StepId product = 0, definition = 0, geometry = 0;
  StepId origin = 0;  ///< the frame that all shapes are in
};
[[nodiscard]] StepContexts write_contexts(StepText& step, LengthUnit unit, double uncertainty);

/// A product with its shape, to be placed any number of times.
struct StepProduct {
  StepId definition = 0, shape = 0;
};
[[nodiscard]] StepProduct write_part(StepText& step, const StepContexts& contexts, const std::string& id,
                                     const std::string& name, const StepShape& shape);

struct StepOccurrence {
  StepProduct product;
  std::string name;
  Pose pose;
};
[[nodiscard]] StepProduct write_subassembly(StepText& step, const StepContexts& contexts, const std::string& id,
                                            const std::string& name, const std::vector<StepOccurrence>& children);

/// Colours of solids, sheets and faces: each is given to one entity.
void write_colors(StepText& step, const StepContexts& contexts, const std::vector<std::pair<StepId, Rgba>>& colors);

}  // namespace snug::io
