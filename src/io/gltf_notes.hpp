#pragma once

#include "io/gltf_document.hpp"

namespace snug::io {

// What our own writer notes in `extras` under `snug`, beside what glTF can hold. Lengths in a note are in the unit it names
// under `unit`, metres without one; every note names its own, since tools that rewrite a file keep some and drop others.

/// The notes on an object, or one of them.
[[nodiscard]] std::optional<JsonView> notes(JsonView object);
[[nodiscard]] std::optional<JsonView> note(JsonView object, std::string_view key);

/// The unit of the lengths in the notes on an object. False after storing an error: it is none.
bool read_noted_unit(GltfDocument& document, JsonView object, LengthUnit& out);

/// The unit to hand the file out in: that of its author if it is noted, else metres; `asked` may be either. Metres
/// that were noted in another unit are converted, which the problems of the document tell.
bool choose_unit(GltfDocument& document, std::optional<LengthUnit> asked, LengthUnit& out);

/// Replaces a node's translation, in metres, by the one noted, in `unit`, unless the node was moved since: then, and
/// without a note, it is converted. `moved` tells which.
bool read_noted_translation(GltfDocument& document, JsonView node, LengthUnit unit, Vec3& translation, bool& moved);

}  // namespace snug::io
