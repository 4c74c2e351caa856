#pragma once

#include "support/rooms.hpp"

#include <snug/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snug::io {

struct XmlError {
  std::uint64_t line = 0;  ///< from 1
  std::string text;
  bool too_large = false;  ///< a limit was passed, rather than a rule broken
  [[nodiscard]] const std::string& message() const noexcept { return text; }
};

struct XmlAttribute {
  std::string name, value;
};

struct XmlElement {
  std::string name;
  std::uint64_t line = 0;  ///< where its tag begins
  std::vector<XmlAttribute> attributes;
  std::vector<std::uint32_t> children;  ///< places in Xml::elements, in the order of the text
  std::string_view text;  ///< of an element without children: what stands between its tags, as it is; borrowed

  /// Its value, or nothing.
  [[nodiscard]] const std::string* attribute(std::string_view wanted) const noexcept;
};

/// Elements and their attributes; text between elements is passed over, but for that of elements without children. It is
/// that which was parsed, and must be kept for as long as it is asked for.
struct Xml {
  std::vector<XmlElement> elements;  ///< the root first, parents before children

  [[nodiscard]] const XmlElement& root() const noexcept { return elements.front(); }
  /// The first child of this name, or nothing.
  [[nodiscard]] const XmlElement* child(const XmlElement& of, std::string_view name) const noexcept;
};

/// Reads XML 1.0 in UTF-8. What could make a small text grow or reach for other files is refused: DOCTYPE, and with it every
/// entity but the five that are always there. So are other encodings, more than 64 levels, `max_elements` elements or 256
/// attributes of an element. Works without recursion, in time and memory proportional to the text.
[[nodiscard]] Result<Xml, XmlError> parse_xml(std::string_view text, std::size_t max_elements = std::size_t{1} << 18);

}  // namespace snug::io
