#include "io/dae/mesh.hpp"

#include "io/fan.hpp"
#include "io/reader.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace snug::io {

namespace {

using Code = IoError::Code;

/// Reads one <mesh>.
class DaeMeshReader {
 public:
  DaeMeshReader(const DaeDocument& document, const XmlElement& mesh, std::uint64_t most_numbers)
      : document_(document), mesh_(mesh), numbers_left_(most_numbers) {}

  Result<DaeMesh, IoError> read() {
    for (const std::uint32_t id : mesh_.children) {
      const XmlElement& element = document_.element(id);
      const auto kind = std::ranges::find(k_kinds, element.name, &Kind::name);
      if (kind == k_kinds.end()) continue;
      if (auto done = read_primitives(element, *kind); !done) return Failure{done.error()};
    }
    if (misfits_ > 0) out_.problems.push_back(misfit_fans_text(misfits_));
    if (collapsed_ > 0) out_.problems.push_back(collapsed_text(collapsed_));
    return std::move(out_);
  }

 private:
  enum class Cut : std::uint8_t { triples, by_vcount, polygons, strips, fans };
  struct Kind {
    std::string_view name;
    Cut cut;
  };
  static constexpr std::array<Kind, 5> k_kinds{{{"triangles", Cut::triples},
                                                {"polylist", Cut::by_vcount},
                                                {"polygons", Cut::polygons},
                                                {"tristrips", Cut::strips},
                                                {"trifans", Cut::fans}}};

  /// The vertices of one <vertices> in the mesh.
  struct VertexRange {
    std::uint32_t first = 0, count = 0;
  };

  Result<void, IoError> read_primitives(const XmlElement& element, const Kind& kind) {
    std::uint64_t stride = 1, offset = 0;
    const XmlElement* vertices = nullptr;
    for (const std::uint32_t id : element.children) {
      const XmlElement& input = document_.element(id);
      if (input.name == "ph")
        return document_.fail(input, "polygons with holes (<ph>) are not read", Code::unsupported);
      if (input.name != "input") continue;
      const auto own = document_.count(input, "offset", 0);
      if (!own) return Failure{own.error()};
      if (*own >= k_most_inputs)
        return document_.fail(input, "the offset of <input> is out of range", Code::out_of_range);
      stride = std::max(stride, *own + 1);
      const std::string* semantic = input.attribute("semantic");
      if (semantic == nullptr || *semantic != "VERTEX" || vertices != nullptr) continue;
      const auto found = document_.target(input, "source", "vertices");
      if (!found) return Failure{found.error()};
      vertices = *found, offset = *own;
    }
    if (vertices == nullptr) return document_.fail(element, "there is no <input> of VERTEX in <" + element.name + '>');
    const auto range = positions(*vertices);
    if (!range) return Failure{range.error()};
    return read_lists(element, kind.cut, *range, stride, offset);
  }

  Result<void, IoError> read_lists(const XmlElement& element, Cut cut, const VertexRange& range, std::uint64_t stride,
                                   std::uint64_t offset) {
    std::vector<std::uint32_t> sizes;
    if (cut == Cut::by_vcount) {
      const XmlElement* vcount = document_.child(element, "vcount");
      if (vcount == nullptr)
        return document_.child(element, "p") == nullptr ? Result<void, IoError>{}
                                                        : document_.fail(element, "there is no <vcount> in <polylist>");
      auto read = document_.indices(*vcount);
      if (!read) return Failure{read.error()};
      sizes = std::move(*read);
    }
    for (const std::uint32_t id : element.children) {
      const XmlElement& list = document_.element(id);
      if (list.name != "p") continue;
      const auto all = document_.indices(list);
      if (!all) return Failure{all.error()};
      if (all->size() % stride != 0)
        return document_.fail(list, "<p> holds " + std::to_string(all->size()) + " numbers, which is no multiple of " +
                                        std::to_string(stride));
      std::vector<std::uint32_t> corners;
      for (std::size_t i = offset; i < all->size(); i += stride) {
        if ((*all)[i] >= range.count)
          return document_.fail(list,
                                "<p> names vertex " + std::to_string((*all)[i]) + " of " + std::to_string(range.count),
                                Code::out_of_range);
        corners.push_back(range.first + (*all)[i]);
      }
      if (auto done = cut_up(list, cut, corners, sizes); !done) return done;
    }
    return {};
  }

  Result<void, IoError> cut_up(const XmlElement& list, Cut cut, std::span<const std::uint32_t> corners,
                               std::span<const std::uint32_t> sizes) {
    switch (cut) {
      case Cut::triples:
        if (corners.size() % 3 != 0)
          return document_.fail(list, "<p> of <triangles> ends within a triangle", Code::truncated);
        for (std::size_t i = 0; i + 2 < corners.size(); i += 3) add({corners[i], corners[i + 1], corners[i + 2]});
        return {};
      case Cut::by_vcount: {
        std::size_t at = 0;
        for (const std::uint32_t size : sizes) {
          if (size > corners.size() - at)
            return document_.fail(list, "<p> is shorter than <vcount> says", Code::truncated);
          fan(corners.subspan(at, size));
          at += size;
        }
        if (at != corners.size())
          return document_.fail(
              list, "<p> names " + std::to_string(corners.size()) + " corners, <vcount> counts " + std::to_string(at));
        return {};
      }
      case Cut::polygons:
      case Cut::fans:
        fan(corners);
        return {};
      case Cut::strips:
        for (std::size_t i = 0; i + 2 < corners.size(); ++i)
          add(i % 2 == 0 ? Index3{corners[i], corners[i + 1], corners[i + 2]}
                         : Index3{corners[i + 1], corners[i], corners[i + 2]});
        return {};
    }
    return {};
  }

  void fan(std::span<const std::uint32_t> corners) {
    const std::size_t before = out_.mesh.triangles.size();
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) add({corners[0], corners[i], corners[i + 1]});
    const auto made = std::span(out_.mesh.triangles).subspan(before);
    if (made.size() > 1 && fan_misfits(out_.mesh.vertices, made)) ++misfits_;
  }
  void add(const Index3& t) {
    collapsed_ += has_twin_corners(t) ? 1 : 0;
    out_.mesh.triangles.push_back(t);
  }

  /// Where the vertices begin in the mesh; they are read when they are first named.
  Result<VertexRange, IoError> positions(const XmlElement& vertices) {
    if (const auto known = read_.find(&vertices); known != read_.end()) return known->second;
    const XmlElement* input = nullptr;
    for (const std::uint32_t id : vertices.children) {
      const XmlElement& element = document_.element(id);
      const std::string* semantic = element.attribute("semantic");
      if (element.name == "input" && semantic != nullptr && *semantic == "POSITION") input = &element;
    }
    if (input == nullptr) return document_.fail(vertices, "there is no <input> of POSITION in <vertices>");
    const auto source = document_.target(*input, "source", "source");
    if (!source) return Failure{source.error()};
    const auto first = static_cast<std::uint32_t>(out_.mesh.vertices.size());
    if (auto done = read_source(**source); !done) return Failure{done.error()};
    const VertexRange range{first, static_cast<std::uint32_t>(out_.mesh.vertices.size()) - first};
    read_.emplace(&vertices, range);
    return range;
  }

  Result<void, IoError> read_source(const XmlElement& source) {
    const XmlElement* technique = document_.child(source, "technique_common");
    const XmlElement* accessor = technique == nullptr ? nullptr : document_.child(*technique, "accessor");
    if (accessor == nullptr) return document_.fail(source, "there is no <accessor> in <source>");
    const auto array = document_.target(*accessor, "source", "float_array");
    if (!array) return Failure{array.error()};
    const auto stride = document_.count(*accessor, "stride", 1), offset = document_.count(*accessor, "offset", 0),
               count = document_.count(*accessor, "count", 0);
    for (const auto* number : {&stride, &offset, &count})
      if (!*number) return Failure{number->error()};
    // Parameters without a name are passed over.
    std::vector<std::uint64_t> places;
    std::uint64_t place = 0;
    for (const std::uint32_t id : accessor->children) {
      const XmlElement& param = document_.element(id);
      if (param.name != "param") continue;
      if (const std::string* name = param.attribute("name"); name != nullptr && !name->empty()) places.push_back(place);
      ++place;
    }
    if (places.size() < 3) places = {0, 1, 2};
    if (*stride <= places[2])
      return document_.fail(*accessor, "the accessor of positions has a stride of " + std::to_string(*stride) +
                                           ", too few for three coordinates");
    const auto numbers = document_.numbers(**array);
    if (!numbers) return Failure{numbers.error()};
    // Many accessors may name one array, and each copies what it reads.
    if (const std::uint64_t taken = numbers->size() + 3 * *count; taken <= numbers_left_)
      numbers_left_ -= taken;
    else
      return document_.fail(source, "its arrays are read too often: they take too much memory", Code::too_large);
    // All of these are below 2^32.
    if (*count > 0 && *offset + (*count - 1) * *stride + places[2] >= numbers->size())
      return document_.fail(
          **array,
          "<float_array> holds " + std::to_string(numbers->size()) + " numbers, fewer than the accessor asks for",
          Code::truncated);
    for (std::uint64_t i = 0; i < *count; ++i) {
      const std::uint64_t at = *offset + i * *stride;
      out_.mesh.vertices.push_back(
          {(*numbers)[at + places[0]], (*numbers)[at + places[1]], (*numbers)[at + places[2]]});
    }
    return {};
  }

  static constexpr std::uint64_t k_most_inputs = 256;

  const DaeDocument& document_;
  const XmlElement& mesh_;
  DaeMesh out_;
  std::map<const XmlElement*, VertexRange> read_;  ///< of each <vertices>
  std::uint64_t numbers_left_;                     ///< that may still be read
  std::uint64_t misfits_ = 0, collapsed_ = 0;
};

}  // namespace

Result<DaeMesh, IoError> read_dae_mesh(const DaeDocument& document, const XmlElement& geometry,
                                       std::uint64_t most_numbers) {
  const XmlElement* mesh = document.child(geometry, "mesh");
  if (mesh == nullptr) {
    if (document.child(geometry, "convex_mesh") == nullptr && document.child(geometry, "spline") == nullptr)
      return document.fail(geometry, "there is no <mesh> in <geometry>");
    return document.fail(geometry, "<geometry> without a <mesh> (splines, hulls of other meshes) is not read",
                         Code::unsupported);
  }
  return DaeMeshReader(document, *mesh, most_numbers).read();
}

}  // namespace snug::io
