#include "io/bytes/binary_reader.hpp"
#include "io/bytes/large_array.hpp"
#include "io/errors.hpp"
#include "io/ply/ply.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace snug::io {

namespace {

using Code = IoError::Code;

/// Of an integer type.
std::int64_t load_integer(const char* from, PlyType type, std::endian order) {
  switch (type) {
    case PlyType::int8:
      return load_number<std::int8_t>(from, order);
    case PlyType::uint8:
      return load_number<std::uint8_t>(from, order);
    case PlyType::int16:
      return load_number<std::int16_t>(from, order);
    case PlyType::uint16:
      return load_number<std::uint16_t>(from, order);
    case PlyType::int32:
      return load_number<std::int32_t>(from, order);
    default:
      return load_number<std::uint32_t>(from, order);
  }
}

double load_double(const char* from, PlyType type, std::endian order) {
  if (type == PlyType::float32) return static_cast<double>(load_number<float>(from, order));
  if (type == PlyType::float64) return load_number<double>(from, order);
  return static_cast<double>(load_integer(from, type, order));
}

constexpr std::endian k_other_order =
    std::endian::native == std::endian::little ? std::endian::big : std::endian::little;

bool within_limits(double c) { return std::abs(c) <= k_max_coordinate; }  // false for NaN
/// Its upper bit is set unless within_limits(c): without the sign, larger numbers have larger bits, NaN the largest.
std::uint64_t excess(double c) {
  return std::bit_cast<std::uint64_t>(k_max_coordinate) - (std::bit_cast<std::uint64_t>(c) & ~(std::uint64_t{1} << 63));
}

class BodyReader {
 public:
  BodyReader(ByteSource& source, const PlyHeader& header)
      : reader_(source),
        header_(header),
        order_(header.encoding == PlyEncoding::big_endian ? std::endian::big : std::endian::little),
        vertex_count_(header.elements[header.vertex].count),
        fan_(mesh_) {}

  Result<PlyMesh, IoError> read() {
    for (std::size_t i = 0; i < header_.elements.size(); ++i) {
      element_ = &header_.elements[i];
      if (!fits()) return Failure{std::move(*error_)};
      const bool good = i == header_.vertex ? read_vertices() : i == header_.face ? read_faces() : skip_elements();
      if (!good) return Failure{std::move(*error_)};
    }
    if (reader_.remaining() > 0 && !only_a_line_end())
      return reader_.fail(Code::malformed, "expected the end of the file after the last element, found " +
                                               counted(reader_.remaining(), "more byte", "more bytes"));
    return std::move(mesh_);
  }

 private:
  /// Some writers end the file as they end a line of text.
  bool only_a_line_end() {
    if (reader_.remaining() > 2) return false;
    const std::string_view rest = reader_.take(static_cast<std::size_t>(reader_.remaining()));
    if (rest == "\n" || rest == "\r\n") return true;
    reader_.give_back(rest.size());
    return false;
  }

  bool fail(Failure<IoError> failure) {
    error_ = std::move(failure.error);
    return false;
  }
  bool fail_at_end() { return fail(reader_.fail_at_end(element_text())); }
  std::string element_text() const { return element_->name + ' ' + std::to_string(index_); }

  /// A count that promises more than the file can hold is found before anything is reserved for it.
  bool fits() {
    const std::uint64_t least = element_->least_bytes();
    if (least == 0 || element_->count <= reader_.remaining() / least) return true;
    return fail(reader_.fail(Code::truncated, "expected " + counted(element_->count, "element", "elements") + " '" +
                                                  element_->name + "' of at least " + counted(least, "byte", "bytes") +
                                                  ", found " + counted(reader_.remaining(), "byte", "bytes")));
  }

  bool fixed_size() const {
    return std::ranges::none_of(element_->properties, [](const PlyProperty& p) { return p.count_type.has_value(); });
  }
  std::size_t offset_of(std::size_t property) const {
    std::size_t offset = 0;
    for (std::size_t i = 0; i < property; ++i) offset += size_of(element_->properties[i].type);
    return offset;
  }

  bool skip_elements() {
    if (fixed_size()) return skip(element_->count * element_->least_bytes());
    for (index_ = 0; index_ < element_->count; ++index_)
      for (const PlyProperty& property : element_->properties)
        if (!skip_property(property)) return false;
    return true;
  }
  bool skip(std::uint64_t bytes) { return bytes == 0 || reader_.skip(bytes) || fail_at_end(); }
  bool skip_property(const PlyProperty& property) {
    std::uint64_t items = 1;
    return (!property.count_type || read_length(property, items)) && skip(items * size_of(property.type));
  }
  bool read_integer(PlyType type, std::int64_t& value) {
    const std::string_view bytes = reader_.take(size_of(type));
    if (bytes.empty()) return fail_at_end();
    value = load_integer(bytes.data(), type, order_);
    return true;
  }
  bool read_length(const PlyProperty& list, std::uint64_t& length) {
    std::int64_t value = 0;
    const std::uint64_t at = reader_.offset();
    if (!read_integer(*list.count_type, value)) return false;
    if (value < 0)
      return fail(
          reader_.fail_at(at, Code::malformed,
                          "a list '" + list.name + "' of length " + std::to_string(value) + " in " + element_text()));
    length = static_cast<std::uint64_t>(value);
    return true;
  }

  bool read_vertices() {
    reserve_large(mesh_.vertices, static_cast<std::size_t>(element_->count), pages_);
    if (!fixed_size()) return read_vertices_with_lists();
    const PlyType type = element_->properties[header_.x].type;
    const bool alike = type == element_->properties[header_.y].type && type == element_->properties[header_.z].type;
    if (alike && type == PlyType::float32) return read_vertex_records<float>();
    if (alike && type == PlyType::float64) return read_vertex_records<double>();
    return read_vertex_records<void>();
  }

  /// The common case: records of equal size, straight out of the buffer. T is the type of all three, or void.
  template <class T>
  bool read_vertex_records() {
    const std::array<std::size_t, 3> places{header_.x, header_.y, header_.z};
    std::array<std::size_t, 3> offsets{};
    std::array<PlyType, 3> types{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      offsets[axis] = offset_of(places[axis]);
      types[axis] = element_->properties[places[axis]].type;
    }
    const auto load = [=, order = order_](const char* record, std::size_t axis) {
      if constexpr (std::is_void_v<T>)
        return load_double(record + offsets[axis], types[axis], order);
      else
        return static_cast<double>(load_number<T>(record + offsets[axis], order));
    };
    const auto size = static_cast<std::size_t>(element_->least_bytes());
    const bool packed = order_ == std::endian::native && is_packed<T>(offsets, size);
    for (std::uint64_t left = element_->count; left > 0;) {
      index_ = element_->count - left;
      const std::string_view bytes = reader_.take_records(size, left);
      if (bytes.empty()) return fail_at_end();
      const std::size_t count = bytes.size() / size, first = mesh_.vertices.size();
      std::uint64_t wrong = 0;
      for (std::size_t done = 0; done < count;) {
        const std::size_t batch = std::min(vertices_.size(), count - done);
        const char* const records = bytes.data() + done * size;
        if (packed)
          wrong |= load_packed<T>(records, batch);
        else
          for (std::size_t i = 0; i < batch; ++i) {
            const char* const record = records + i * size;
            vertices_[i] = {load(record, 0), load(record, 1), load(record, 2)};
            wrong |= excess(vertices_[i].x) | excess(vertices_[i].y) | excess(vertices_[i].z);
          }
        mesh_.vertices.insert(mesh_.vertices.end(), vertices_.begin(),
                              vertices_.begin() + static_cast<std::ptrdiff_t>(batch));
        done += batch;
      }
      if (wrong >> 63 != 0)
        return blame_vertex(std::span(mesh_.vertices).subspan(first), reader_.offset() - bytes.size(), size, offsets);
      left -= count;
    }
    return true;
  }

  /// Nothing but x, y and z.
  template <class T>
  static bool is_packed(const std::array<std::size_t, 3>& offsets, std::size_t size) {
    if constexpr (std::is_void_v<T>)
      return false;
    else
      return size == 3 * sizeof(T) && offsets == std::array<std::size_t, 3>{0, sizeof(T), 2 * sizeof(T)};
  }
  /// Into vertices_, with distances that the compiler knows, which lets it use vector instructions.
  template <class T>
  std::uint64_t load_packed([[maybe_unused]] const char* from, [[maybe_unused]] std::size_t count) {
    std::uint64_t wrong = 0;
    if constexpr (!std::is_void_v<T>) {
      for (std::size_t i = 0; i < count; ++i) {
        std::array<T, 3> v;
        std::memcpy(v.data(), from + i * sizeof v, sizeof v);
        vertices_[i] = {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
      }
      for (std::size_t i = 0; i < count; ++i)
        wrong |= excess(vertices_[i].x) | excess(vertices_[i].y) | excess(vertices_[i].z);
    }
    return wrong;
  }

  bool blame_vertex(std::span<const Point3> records, std::uint64_t at, std::size_t size,
                    const std::array<std::size_t, 3>& offsets) {
    for (const Point3& v : records) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (!within_limits(v[axis])) return fail_coordinate(at + offsets[axis], axis, v[axis]);
      at += size;
      ++index_;
    }
    return true;
  }
  bool fail_coordinate(std::uint64_t at, std::size_t axis, double value) {
    return fail(reader_.fail_at(
        at, Code::non_finite,
        std::string("expected ") + "xyz"[axis] + " of " + element_text() + ", found " + std::to_string(value)));
  }

  bool read_vertices_with_lists() {
    for (index_ = 0; index_ < element_->count; ++index_) {
      std::array<double, 3> xyz{};
      for (std::size_t i = 0; i < element_->properties.size(); ++i) {
        const PlyProperty& property = element_->properties[i];
        const std::size_t axis = i == header_.x ? 0 : i == header_.y ? 1 : i == header_.z ? 2 : 3;
        if (axis == 3) {
          if (!skip_property(property)) return false;
          continue;
        }
        const std::uint64_t at = reader_.offset();
        const std::string_view bytes = reader_.take(size_of(property.type));
        if (bytes.empty()) return fail_at_end();
        xyz[axis] = load_double(bytes.data(), property.type, order_);
        if (!within_limits(xyz[axis])) return fail_coordinate(at, axis, xyz[axis]);
      }
      mesh_.vertices.push_back({xyz[0], xyz[1], xyz[2]});
    }
    return true;
  }

  bool read_faces() {
    const PlyProperty& corners = element_->properties[header_.corners];
    // If the faces come last this is the very number of triangles; else at least no more than the bytes can hold.
    const std::uint64_t indices =
        (reader_.remaining() - element_->count * element_->least_bytes()) / size_of(corners.type);
    const bool last = element_ == &header_.elements.back();
    const auto likely = static_cast<std::size_t>(indices < 2 * element_->count ? 0
                                                 : last ? std::min(indices - 2 * element_->count, k_max_ply_triangles)
                                                        : std::min(indices / 3, element_->count));
    reserve_large(mesh_.triangles, likely, pages_);
    if (header_.surface) reserve_large(mesh_.surface, likely);
    if (header_.part) reserve_large(mesh_.part, likely);

    const bool one_list =
        std::ranges::count_if(element_->properties, [](const PlyProperty& p) { return p.count_type.has_value(); }) == 1;
    // Negative indices are told by being too large as unsigned ones, which fails only for more than 2^31 vertices.
    const bool common = one_list && size_of(*corners.count_type) == 1 && size_of(corners.type) == 4 &&
                        vertex_count_ <= std::numeric_limits<std::int32_t>::max();
    for (index_ = 0; index_ < element_->count;) {
      if (common && !read_equal_faces()) return false;
      if (index_ == element_->count) break;
      if (!read_face()) return false;
      ++index_;
    }
    return true;
  }

  /// As many faces as have the same number of corners as the last one, as records of equal size. Nearly all meshes are
  /// all triangles or all quadrangles.
  bool read_equal_faces() {
    const std::size_t before = offset_of_list();
    const std::size_t corner_bytes = 4 * last_corners_;
    const std::size_t size = static_cast<std::size_t>(element_->least_bytes()) + corner_bytes;
    if (last_corners_ < 3 || size > BinaryReader::k_max_piece) return true;
    const std::size_t surface_at = number_offset(header_.surface, corner_bytes);
    const std::size_t part_at = number_offset(header_.part, corner_bytes);
    while (index_ < element_->count) {
      const std::string_view bytes = reader_.take_records(size, element_->count - index_);
      if (bytes.empty()) return true;  // the careful way tells why
      const std::size_t records = bytes.size() / size;
      if (mesh_.triangles.size() + records * last_corners_ > k_max_ply_triangles)
        return fail(reader_.fail(Code::too_large, "more than 2^32 - 1 triangles"));
      const std::size_t done =
          last_corners_ == 3 ? take_triangles(bytes, size, before) : take_polygons(bytes, size, before);
      for (std::size_t i = 0; i < done && (header_.surface || header_.part); ++i) {
        const char* const record = bytes.data() + i * size;
        if (header_.surface) append_number(mesh_.surface, record + surface_at, *header_.surface);
        if (header_.part) append_number(mesh_.part, record + part_at, *header_.part);
      }
      index_ += done;
      reader_.give_back(bytes.size() - done * size);
      if (done < records) return true;
    }
    return true;
  }

  std::size_t offset_of_list() const { return offset_of(header_.corners); }
  /// In a record whose corners take `corner_bytes`. offset_of() counts the list as one item; it has a length as well.
  std::size_t number_offset(const std::optional<std::size_t>& property, std::size_t corner_bytes) const {
    if (!property) return 0;
    const bool behind = *property > header_.corners;
    return offset_of(*property) - (behind ? 4 : 0) + (behind ? 1 + corner_bytes : 0);
  }
  void append_number(std::vector<std::uint32_t>& numbers, const char* from, std::size_t property) {
    const auto value = static_cast<std::uint32_t>(load_integer(from, element_->properties[property].type, order_));
    SNUG_ASSERT(last_corners_ >= 3);
    numbers.insert(numbers.end(), last_corners_ - 2, value);
  }

  /// Returns how many records were good triangles; stops before the first that is not.
  std::size_t take_triangles(std::string_view bytes, std::size_t size, std::size_t before) {
    const std::size_t records = bytes.size() / size;
    for (std::size_t done = 0; done < records;) {
      const std::size_t batch = std::min(records - done, triangle_batch_);
      const char* const list = bytes.data() + done * size + before;
      const bool good = order_ == std::endian::native ? load_triangles<std::endian::native>(list, size, batch)
                                                      : load_triangles<k_other_order>(list, size, batch);
      if (!good) {
        // Where triangles and other polygons take turns, runs are short: the next attempts are small ones.
        triangle_batch_ = k_first_batch;
        return done + take_triangles_singly(list, size, batch);
      }
      mesh_.triangles.insert(mesh_.triangles.end(), triangles_.begin(),
                             triangles_.begin() + static_cast<std::ptrdiff_t>(batch));
      done += batch;
      triangle_batch_ = std::min(2 * triangle_batch_, triangles_.size());
    }
    return records;
  }
  /// Into triangles_; false if one of them is no triangle or has an index that is out of range.
  template <std::endian Order>
  bool load_triangles(const char* list, std::size_t size, std::size_t count) {
    // Without branches, two indices at a time: the upper bit of i or of last - i is set if i is negative or beyond the
    // last. A borrow from the lower to the upper half happens only where the lower is wrong already.
    SNUG_ASSERT(count <= triangles_.size());
    const std::uint64_t last = vertex_count_ - 1, last_two = last << 32 | last;
    std::uint64_t wrong = 0;
    int odd = 0;
    for (std::size_t i = 0; i < count; ++i, list += size) {
      const Index3 t{load_number<std::uint32_t>(list + 1, Order), load_number<std::uint32_t>(list + 5, Order),
                     load_number<std::uint32_t>(list + 9, Order)};
      const std::uint64_t two = std::uint64_t{t[1]} << 32 | t[0];
      wrong |= two | (last_two - two) | t[2] | (last - t[2]);
      odd |= *list ^ 3;
      triangles_[i] = t;
    }
    return odd == 0 && (wrong & 0x8000'0000'8000'0000U) == 0;
  }
  std::size_t take_triangles_singly(const char* list, std::size_t size, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i, list += size) {
      const Index3 t{load_number<std::uint32_t>(list + 1, order_), load_number<std::uint32_t>(list + 5, order_),
                     load_number<std::uint32_t>(list + 9, order_)};
      if (*list != 3 || std::ranges::any_of(t, [&](std::uint32_t v) { return v >= vertex_count_; })) return i;
      mesh_.triangles.push_back(t);
    }
    return count;
  }

  std::size_t take_polygons(std::string_view bytes, std::size_t size, std::size_t before) {
    const std::size_t records = bytes.size() / size;
    for (std::size_t i = 0; i < records; ++i) {
      const char* const record = bytes.data() + i * size + before;
      if (static_cast<unsigned char>(*record) != last_corners_) return i;
      for (std::size_t c = 0; c < last_corners_; ++c)
        if (load_number<std::uint32_t>(record + 1 + 4 * c, order_) >= vertex_count_) return i;
      const auto corner = [&](std::size_t c) { return load_number<std::uint32_t>(record + 1 + 4 * c, order_); };
      for (std::size_t c = 2; c < last_corners_; ++c) mesh_.triangles.push_back({corner(0), corner(c - 1), corner(c)});
    }
    return records;
  }

  bool read_face() {
    std::int64_t surface = 0, part = 0;
    for (std::size_t i = 0; i < element_->properties.size(); ++i) {
      const PlyProperty& property = element_->properties[i];
      bool good = false;
      if (i == header_.corners)
        good = read_corners(property);
      else if (i == header_.surface)
        good = read_integer(property.type, surface);
      else if (i == header_.part)
        good = read_integer(property.type, part);
      else
        good = skip_property(property);
      if (!good) return false;
    }
    fan_.finish(header_, static_cast<std::uint32_t>(surface), static_cast<std::uint32_t>(part));
    return true;
  }

  bool read_corners(const PlyProperty& list) {
    std::uint64_t length = 0;
    if (!read_length(list, length)) return false;
    const std::size_t size = size_of(list.type);
    if (length > reader_.remaining() / size) {
      return fail(reader_.fail(Code::truncated, "expected " + counted(length, "corner", "corners") + " of " +
                                                    element_text() + ", found " +
                                                    counted(reader_.remaining(), "byte", "bytes")));
    }
    if (mesh_.triangles.size() + length > k_max_ply_triangles)
      return fail(reader_.fail(Code::too_large, "more than 2^32 - 1 triangles"));
    if (length < 256) last_corners_ = static_cast<std::size_t>(length);
    for (std::uint64_t left = length; left > 0;) {
      const std::string_view bytes = reader_.take_records(size, left);
      if (bytes.empty()) return fail_at_end();
      for (std::size_t at = 0; at < bytes.size(); at += size) {
        const std::int64_t index = load_integer(bytes.data() + at, list.type, order_);
        if (index < 0 || static_cast<std::uint64_t>(index) >= vertex_count_)
          return fail(reader_.fail_at(reader_.offset() - bytes.size() + at, Code::out_of_range,
                                      "vertex " + std::to_string(index) + " of " + element_text() +
                                          " does not exist: there are " +
                                          counted(vertex_count_, "vertex", "vertices")));
        fan_.corner(static_cast<std::uint32_t>(index));
      }
      left -= bytes.size() / size;
    }
    return true;
  }

  BinaryReader reader_;
  const PlyHeader& header_;
  std::endian order_;
  std::uint64_t vertex_count_;
  PlyMesh mesh_;
  PlyFan fan_;
  PagesAhead pages_;  ///< of the array being filled
  // Filled, then appended: to clear the room first, as resize() does, would take longer.
  static constexpr std::size_t k_first_batch = 8;
  std::array<Point3, 256> vertices_;
  std::array<Index3, 512> triangles_;
  std::size_t triangle_batch_ = k_first_batch;
  const PlyElement* element_ = nullptr;
  std::uint64_t index_ = 0;       ///< of the element being read
  std::size_t last_corners_ = 3;  ///< of the face read last
  std::optional<IoError> error_;
};

}  // namespace

Result<PlyMesh, IoError> read_ply_binary(ByteSource& source, const PlyHeader& header) {
  return BodyReader(source, header).read();
}

}  // namespace snug::io
