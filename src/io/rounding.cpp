#include "io/errors.hpp"
#include "io/writer.hpp"

namespace snug::io {

void Rounding::note(ByteSink& sink, const std::string& part, LengthUnit unit) const {
  if (most_ == 0) return;
  sink.note_loss(part, "coordinates rounded to single precision, by up to " + number_text(most_) + ' ' +
                           std::string(to_string(unit)));
}

}  // namespace snug::io
