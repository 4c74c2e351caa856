#pragma once

#include "io/xml/xml.hpp"
#include "support/rooms.hpp"

#include <snug/io.hpp>
#include <snug/pose.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace snug::robot {

/// Attributes of URDF elements as values. Errors name the file and the line.
class UrdfValues {
 public:
  UrdfValues(const io::Xml& xml, const std::string& path) : xml_(xml), path_(path) {}

  [[nodiscard]] const io::Xml& xml() const noexcept { return xml_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] Failure<IoError> fail(const io::XmlElement& at, std::string text,
                                      IoError::Code code = IoError::Code::malformed) const;

  /// Must be there and not empty.
  [[nodiscard]] Result<std::string, IoError> word(const io::XmlElement& of, std::string_view name) const;
  /// Finite; `otherwise` where it is absent, an error if there is no such.
  [[nodiscard]] Result<double, IoError> number(const io::XmlElement& of, std::string_view name,
                                               std::optional<double> otherwise = std::nullopt) const;
  /// Finite and above zero.
  [[nodiscard]] Result<double, IoError> size(const io::XmlElement& of, std::string_view name) const;
  /// Three finite numbers between blanks, likewise.
  [[nodiscard]] Result<Vec3, IoError> three(const io::XmlElement& of, std::string_view name,
                                            std::optional<Vec3> otherwise = std::nullopt) const;
  /// Of the child <origin xyz rpy>; the identity without.
  [[nodiscard]] Result<Pose, IoError> origin(const io::XmlElement& of) const;
  /// The child of this name, which must be there, once.
  [[nodiscard]] Result<const io::XmlElement*, IoError> only(const io::XmlElement& of, std::string_view name) const;

 private:
  const io::Xml& xml_;
  const std::string& path_;
};

}  // namespace snug::robot
