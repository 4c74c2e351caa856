#include "io/gltf/accessor.hpp"

#include "io/bytes/binary_reader.hpp"
#include "io/errors.hpp"
#include "io/gltf/notes.hpp"
#include "io/text/number.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace snug::io {

namespace {

using Code = IoError::Code;

std::size_t size_of(GltfType type) {
  switch (type) {
    case GltfType::int8:
    case GltfType::uint8:
      return 1;
    case GltfType::int16:
    case GltfType::uint16:
      return 2;
    case GltfType::uint32:
    case GltfType::float32:
      return 4;
  }
  return 0;
}

bool is_index_type(GltfType type) {
  return type == GltfType::uint8 || type == GltfType::uint16 || type == GltfType::uint32;
}

bool read_type(GltfDocument& document, JsonView json, GltfType& out) {
  std::uint64_t code = 0;
  if (!document.read_whole(json, "componentType", code, true)) return false;
  const bool known = (code >= 5120 && code <= 5123) || code == 5125 || code == 5126;
  if (!known)
    return document.fail(Code::malformed, json, "expected a known 'componentType', found " + std::to_string(code));
  out = static_cast<GltfType>(code);
  return true;
}

/// Lays `array.count` elements of `size` bytes over a buffer view, from json's byteOffset on.
bool map_view(GltfDocument& document, GltfBuffers& buffers, JsonView json, std::uint32_t view_id, std::size_t size,
              bool may_stride, GltfArray& array) {
  const JsonView view = document.item("bufferViews", view_id);
  const std::string name = "bufferView " + std::to_string(view_id);
  std::optional<std::uint32_t> buffer;
  std::uint64_t offset = 0, view_offset = 0, length = 0, stride = 0;
  if (!document.read_index(view, "buffer", "buffers", buffer) ||
      !document.read_whole(view, "byteOffset", view_offset) || !document.read_whole(view, "byteLength", length, true) ||
      !document.read_whole(view, "byteStride", stride) || !document.read_whole(json, "byteOffset", offset))
    return false;
  if (!buffer) return document.fail(Code::malformed, view, "expected a 'buffer' in " + name + ", found none");
  std::string_view bytes;
  if (!buffers.bytes(*buffer, bytes)) return false;
  if (view_offset > bytes.size() || length > bytes.size() - view_offset)
    return document.fail(Code::out_of_range, view,
                         name + " reaches beyond the " + counted(bytes.size(), "byte", "bytes") + " of buffer " +
                             std::to_string(*buffer));
  if (stride == 0 || !may_stride) stride = size;
  if (stride < size)
    return document.fail(
        Code::malformed, view,
        "expected a 'byteStride' of at least " + std::to_string(size) + ", found " + std::to_string(stride));
  const bool fits = offset <= length && length - offset >= size && array.count - 1 <= (length - offset - size) / stride;
  if (!fits)
    return document.fail(Code::out_of_range, json,
                         array.place + " has " + counted(array.count, "element", "elements") + ", more than " + name +
                             " of " + counted(length, "byte", "bytes") + " can hold");
  array.buffer = *buffer;
  array.offset = view_offset + offset;
  array.data = bytes.data() + array.offset;
  array.stride = static_cast<std::size_t>(stride);
  buffers.use(array.buffer, array.offset, array.offset + (array.count - 1) * stride + size, array.count * size);
  return true;
}

/// Everything about an accessor but its sparse part.
bool open_array(GltfDocument& document, GltfBuffers& buffers, std::uint32_t accessor, std::string_view shape,
                std::size_t components, GltfArray& array) {
  const JsonView json = document.item("accessors", accessor);
  array.place = "accessor " + std::to_string(accessor);
  std::string found_shape;
  std::optional<std::uint32_t> view;
  if (!read_type(document, json, array.type) || !document.read_whole(json, "count", array.count, true) ||
      !document.read_string(json, "type", found_shape) || !document.read_flag(json, "normalized", array.normalised) ||
      !document.read_index(json, "bufferView", "bufferViews", view))
    return false;
  if (found_shape != shape)
    return document.fail(
        Code::malformed, json,
        "expected type " + std::string(shape) + " of " + array.place + ", found " + io::quoted(found_shape));
  if (array.count == 0)
    return document.fail(Code::malformed, json, "expected elements in " + array.place + ", found a count of 0");
  if (array.count > k_max_ids)
    return document.fail(Code::too_large, json, array.place + " has more than 2^32 - 1 elements");
  // Without either, all would be zero: a mesh that is a point, of as many triangles as the file cares to claim.
  if (!view && !json.find("sparse"))
    return document.fail(Code::malformed, json, "expected a 'bufferView' in " + array.place + ", found none");
  const std::size_t size = components * size_of(array.type);
  return !view || map_view(document, buffers, json, *view, size, true, array);
}

std::uint32_t load_index(const char* from, GltfType type) {
  if (type == GltfType::uint8) return load_number<std::uint8_t>(from, std::endian::little);
  if (type == GltfType::uint16) return load_number<std::uint16_t>(from, std::endian::little);
  return load_number<std::uint32_t>(from, std::endian::little);
}

/// The indices and the values of a sparse accessor's replacements.
bool open_sparse(GltfDocument& document, GltfBuffers& buffers, JsonView sparse, const GltfArray& base,
                 std::size_t components, std::vector<std::uint32_t>& indices, GltfArray& values) {
  std::optional<JsonView> index_json, value_json;
  std::optional<std::uint32_t> index_view, value_view;
  GltfArray index_array;
  if (!document.read_whole(sparse, "count", index_array.count, true) ||
      !document.read_object(sparse, "indices", index_json) || !document.read_object(sparse, "values", value_json))
    return false;
  if (!index_json || !value_json)
    return document.fail(Code::malformed, sparse, "expected 'indices' and 'values' of a sparse accessor");
  if (index_array.count == 0 || index_array.count > base.count)
    return document.fail(Code::out_of_range, sparse,
                         "a sparse accessor replaces " + std::to_string(index_array.count) + " of " +
                             counted(base.count, "element", "elements"));
  if (!read_type(document, *index_json, index_array.type) ||
      !document.read_index(*index_json, "bufferView", "bufferViews", index_view) ||
      !document.read_index(*value_json, "bufferView", "bufferViews", value_view))
    return false;
  if (!index_view || !value_view)
    return document.fail(Code::malformed, sparse,
                         "expected a 'bufferView' for the indices and values of a sparse accessor");
  if (!is_index_type(index_array.type)) return document.fail(Code::malformed, *index_json, "expected unsigned indices");

  index_array.place = base.place + " (sparse)";
  values = base;
  values.count = index_array.count;
  values.place = index_array.place;
  if (!map_view(document, buffers, *index_json, *index_view, size_of(index_array.type), false, index_array) ||
      !map_view(document, buffers, *value_json, *value_view, components * size_of(base.type), false, values) ||
      !document.charge(index_array.count * sizeof(std::uint32_t), sparse))
    return false;
  indices.reserve(static_cast<std::size_t>(index_array.count));
  for (std::uint64_t i = 0; i < index_array.count; ++i) {
    const std::uint32_t index = load_index(index_array.data + i * index_array.stride, index_array.type);
    if (index >= base.count)
      return document.fail(Code::out_of_range, sparse,
                           "a sparse accessor replaces element " + std::to_string(index) + " of " +
                               counted(base.count, "element", "elements"));
    if (!indices.empty() && index <= indices.back())
      return document.fail(Code::malformed, sparse, "expected ascending indices in a sparse accessor");
    indices.push_back(index);
  }
  return true;
}

constexpr std::string_view k_changed =
    "; the file was changed after snug wrote it: export it again, or without the notes (extras) of snug";

bool is_finite(const Point3& p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

/// Always true.
bool to_unit(Point3& p, LengthUnit from, LengthUnit to) {
  if (from != to) p = {convert_length(p.x, from, to), convert_length(p.y, from, to), convert_length(p.z, from, to)};
  return true;
}

}  // namespace

bool GltfPositions::open(GltfDocument& document, GltfBuffers& buffers, std::uint32_t accessor) {
  buffers_ = &buffers;
  unit_ = document.unit();
  json_ = document.item("accessors", accessor);
  if (!open_array(document, buffers, accessor, "VEC3", 3, array_)) return false;
  if (array_.type == GltfType::uint32)
    return document.fail(Code::malformed, *json_, "expected positions of type float in " + array_.place);
  std::optional<JsonView> sparse;
  if (!document.read_object(*json_, "sparse", sparse)) return false;
  if (sparse && !open_sparse(document, buffers, *sparse, array_, 3, replaced_, replacement_)) return false;
  const auto noted = notes(*json_);
  return !noted || open_exact(document, *noted);
}

/// Tools that drop what they do not know of leave a note without its doubles, or with those of another array.
void GltfPositions::lose_exact(GltfDocument& document, const std::string& why) {
  lost_exact_ = true;
  const std::string text = "the exact positions noted by snug for " + array_.place + why +
                           ": its floats are taken, which are rounded to single precision";
  auto& told = document.problems();  // it is opened more than once
  if (std::ranges::find(told, text) == told.end()) told.push_back(text);
}

bool GltfPositions::open_exact(GltfDocument& document, JsonView notes) {
  if (!read_noted_unit(document, *json_, exact_unit_)) return false;
  if (const auto noted = notes.find("exact");
      noted && noted->is(Json::Kind::number) && noted->number() >= static_cast<double>(document.count("bufferViews"))) {
    lose_exact(document, " are not in the file");
    return true;
  }
  std::optional<std::uint32_t> view;
  if (!document.read_index(notes, "exact", "bufferViews", view)) return false;
  if (!view) return true;
  constexpr std::size_t k_size = 3 * sizeof(double);
  std::uint64_t length = 0;
  if (!document.read_whole(document.item("bufferViews", *view), "byteLength", length, true)) return false;
  if (length != array_.count * k_size) {
    lose_exact(document,
               " are " + counted(length, "byte", "bytes") + " instead of " + std::to_string(array_.count * k_size));
    return true;
  }
  exact_.emplace();
  exact_->count = array_.count;
  exact_->place = "the exact positions of " + array_.place;
  return map_view(document, *buffers_, notes, *view, k_size, false, *exact_);
}

double GltfPositions::component(const char* from, std::size_t axis) const {
  const auto load = [&]<class T>(T) { return load_number<T>(from + axis * sizeof(T), std::endian::little); };
  // Integers stand for [-1, 1] or [0, 1] when normalised (KHR_mesh_quantization).
  const auto scaled = [&](auto value) {
    using T = decltype(value);
    const double number = value;
    return array_.normalised ? std::max(number / std::numeric_limits<T>::max(), -1.0) : number;
  };
  switch (array_.type) {
    case GltfType::int8:
      return scaled(load(std::int8_t{}));
    case GltfType::uint8:
      return scaled(load(std::uint8_t{}));
    case GltfType::int16:
      return scaled(load(std::int16_t{}));
    case GltfType::uint16:
      return scaled(load(std::uint16_t{}));
    default:
      return static_cast<double>(load(float{}));
  }
}

bool GltfPositions::read(std::uint64_t i, Point3& out) {
  SNUG_ASSERT(i < count() && buffers_ != nullptr);
  const GltfArray* array = &array_;
  std::uint64_t element = i;
  if (!replaced_.empty()) {
    const auto found = std::ranges::lower_bound(replaced_, i);
    if (found != replaced_.end() && *found == i) {
      array = &replacement_;
      element = static_cast<std::uint64_t>(found - replaced_.begin());
    }
  }
  const char* const from = array->data == nullptr ? nullptr : array->data + element * array->stride;
  out = from == nullptr ? Point3{} : Point3{component(from, 0), component(from, 1), component(from, 2)};
  if (is_finite(out)) return exact_ ? read_exact(i, out) : to_unit(out, LengthUnit::metre, unit_);
  return buffers_->fail(Code::non_finite, array->buffer, array->offset + element * array->stride, *json_,
                        "element " + std::to_string(i) + " of " + array_.place + " is not finite");
}

bool GltfPositions::read_exact(std::uint64_t i, Point3& position) {
  SNUG_ASSERT(exact_ && exact_->data != nullptr && i < exact_->count);
  const std::uint64_t at = i * exact_->stride;
  const auto load = [&](std::size_t axis) {
    return load_number<double>(exact_->data + at + axis * sizeof(double), std::endian::little);
  };
  const Point3 floats = position;
  position = {load(0), load(1), load(2)};
  const auto fail = [&](Code code, const std::string& text) {
    return buffers_->fail(code, exact_->buffer, exact_->offset + at, *json_,
                          "element " + std::to_string(i) + " of " + exact_->place + text);
  };
  if (!is_finite(position)) return fail(Code::non_finite, " is not finite");
  const auto stands_for = [&](double single, double exact) {
    return static_cast<float>(single) == to_single(convert_length(exact, exact_unit_, LengthUnit::metre));
  };
  if (!stands_for(floats.x, position.x) || !stands_for(floats.y, position.y) || !stands_for(floats.z, position.z))
    return fail(Code::malformed, " is not what the accessor holds" + std::string(k_changed));
  return to_unit(position, exact_unit_, unit_);
}

bool read_gltf_indices(GltfDocument& document, GltfBuffers& buffers, std::uint32_t accessor, std::uint64_t limit,
                       std::vector<std::uint32_t>& out) {
  const JsonView json = document.item("accessors", accessor);
  GltfArray array;
  if (!open_array(document, buffers, accessor, "SCALAR", 1, array)) return false;
  if (!is_index_type(array.type))
    return document.fail(Code::malformed, json, "expected unsigned indices in " + array.place);
  std::optional<JsonView> sparse;
  if (!document.read_object(json, "sparse", sparse)) return false;
  std::vector<std::uint32_t> replaced;
  GltfArray replacement;
  if (sparse && !open_sparse(document, buffers, *sparse, array, 1, replaced, replacement)) return false;
  if (!document.charge(array.count * sizeof(std::uint32_t), json)) return false;
  out.assign(static_cast<std::size_t>(array.count), 0);
  if (array.data != nullptr)
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = load_index(array.data + i * array.stride, array.type);
  SNUG_ASSERT(replaced.empty() || (std::ranges::is_sorted(replaced) && replaced.back() < out.size()));
  for (std::size_t i = 0; i < replaced.size(); ++i)
    out[replaced[i]] = load_index(replacement.data + i * replacement.stride, replacement.type);

  // The largest number of the type is reserved by the format.
  const std::uint32_t restart = array.type == GltfType::uint8    ? 0xFF
                                : array.type == GltfType::uint16 ? 0xFFFF
                                                                 : 0xFFFF'FFFF;
  const std::uint64_t end = std::min<std::uint64_t>(limit, restart);
  const auto bad = std::ranges::find_if(out, [&](std::uint32_t v) { return v >= end; });
  if (bad == out.end()) return true;
  const auto i = static_cast<std::uint64_t>(bad - out.begin());
  const auto sparse_at = std::ranges::lower_bound(replaced, i);
  const bool is_replaced = sparse_at != replaced.end() && *sparse_at == i;
  const GltfArray& from = is_replaced ? replacement : array;
  const std::uint64_t element = is_replaced ? static_cast<std::uint64_t>(sparse_at - replaced.begin()) : i;
  std::string text = "index " + std::to_string(i) + " of " + array.place + " is " + std::to_string(*bad);
  text += *bad >= limit ? ", but there are " + counted(limit, "vertex", "vertices") : ", which the format reserves";
  if (from.data == nullptr) return document.fail(Code::out_of_range, json, std::move(text));
  return buffers.fail(Code::out_of_range, from.buffer, from.offset + element * from.stride, json, std::move(text));
}

}  // namespace snug::io
