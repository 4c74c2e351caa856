#pragma once

#include "io/gltf/document.hpp"
#include "support/rooms.hpp"

namespace snug::io {

// What our own writer notes in `extras` under `snug`, beside what glTF can hold. Lengths in a note are in the unit it names
// under `unit`, metres without one; every note names its own, since tools that rewrite a file keep some and drop others.

/// The notes on an object, or one of them.
[[nodiscard]] std::optional<JsonView> notes(JsonView object);
[[nodiscard]] std::optional<JsonView> note(JsonView object, std::string_view key);

/// The unit of the lengths in the notes on an object. False after storing an error: it is none.
bool read_noted_unit(GltfDocument& document, JsonView object, LengthUnit& out);

struct GltfUnit {
  LengthUnit unit = LengthUnit::metre;    ///< to convert lengths to, from the metres of the format
  LengthUnit called = LengthUnit::metre;  ///< what the numbers then are: another if the user declared it
  std::optional<LengthUnit> noted = {};   ///< by the author, if lengths are converted from it
};
/// The unit to hand the file out in: that of its author if it is noted, else metres; `asked` may be either. Metres
/// that were noted in another unit are converted. Without a note, any other unit that is asked for is a declaration: numbers
/// stay as they are. The problems of the document tell of both.
bool choose_unit(GltfDocument& document, std::optional<LengthUnit> asked, GltfUnit& out);

/// Replaces a node's translation, in metres, by the one noted, in `unit`, unless the node was moved since: then, and
/// without a note, it is converted. `moved` tells which.
bool read_noted_translation(GltfDocument& document, JsonView node, LengthUnit unit, Vec3& translation, bool& moved);

}  // namespace snug::io
