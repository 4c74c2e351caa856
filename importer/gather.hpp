#pragma once

#include "document.hpp"

#include <map>
#include <string>
#include <utility>

namespace snug::importer {

/// Collects placed shapes into a document, in which equal shapes are stored once.
class Gather {
 public:
  explicit Gather(Document& document) : document_(document) {}

  /// Parts that are added from now on belong to this sub-assembly: into Document::frames.
  void enter(std::uint32_t frame) { frame_ = frame; }
  [[nodiscard]] std::uint32_t frame() const noexcept { return frame_; }
  /// A part with the placement of `shape` itself inside `outer`. Placements that scale or mirror are worked into a shape
  /// of their own. With nothing in it, it is a loss, with curves only a problem; edges beside the faces are one too. `looks` are as
  /// faces_of(shape) has them, or empty. Throws when there are too many parts.
  void add(const std::string& path, const TopoDS_Shape& shape, const gp_Trsf& outer, std::vector<FaceLook> looks,
           const std::optional<Rgba>& color);

 private:
  std::size_t distinct(const TopoDS_Shape& shape, std::vector<FaceLook> looks);

  Document& document_;
  std::uint32_t frame_ = io::CadInstance::k_top;
  std::map<std::pair<const void*, int>, std::size_t> known_;  ///< by shared geometry and orientation
};

}  // namespace snug::importer
