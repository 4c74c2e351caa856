#pragma once

#include "io/errors.hpp"
#include "io/xml/xml.hpp"
#include "support/rooms.hpp"

#include <snug/io.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace snug::io {

/// A COLLADA file as elements, with what refers to what. Errors name the line.
class DaeDocument {
 public:
  /// `text` must outlive it.
  static Result<DaeDocument, IoError> parse(std::string_view text, const std::string& path);

  [[nodiscard]] const Xml& xml() const noexcept { return xml_; }
  [[nodiscard]] const XmlElement& root() const noexcept { return xml_.root(); }
  [[nodiscard]] const XmlElement& element(std::uint32_t id) const noexcept { return xml_.elements[id]; }
  [[nodiscard]] const XmlElement* child(const XmlElement& of, std::string_view name) const noexcept {
    return xml_.child(of, name);
  }
  [[nodiscard]] Failure<IoError> fail(const XmlElement& at, std::string text,
                                      IoError::Code code = IoError::Code::malformed) const;

  /// The element that "#id" in an attribute stands for; it must have this name.
  [[nodiscard]] Result<const XmlElement*, IoError> target(const XmlElement& of, std::string_view attribute,
                                                          std::string_view name) const;
  /// A whole number in an attribute; `otherwise` if it is absent.
  [[nodiscard]] Result<std::uint64_t, IoError> count(const XmlElement& of, std::string_view attribute,
                                                     std::uint64_t otherwise) const;
  /// All numbers of an element's text: finite, within k_max_coordinate.
  [[nodiscard]] Result<std::vector<double>, IoError> numbers(const XmlElement& of) const;
  /// The same, of which there must be so many.
  [[nodiscard]] Result<std::vector<double>, IoError> numbers(const XmlElement& of, std::size_t expected) const;
  [[nodiscard]] Result<std::vector<std::uint32_t>, IoError> indices(const XmlElement& of) const;

 private:
  std::string path_;
  Xml xml_;
  std::unordered_map<std::string, std::uint32_t> ids_;
};

}  // namespace snug::io
