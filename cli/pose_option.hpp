#pragma once

#include <snug/assembly.hpp>

#include <string>
#include <string_view>

namespace snug::cli {

/// "part=x,y,z,qw,qx,qy,qz": where to place a part, in the unit of the assembly.
struct PoseOption {
  std::string part;
  Pose pose;

  /// Ends the program (wrong usage) for anything of another form. The last '=' ends the name, which may hold others.
  static PoseOption parse(std::string_view text);
  /// Ends the program (wrong usage) when there is no such part, naming those that look like it.
  void apply(Assembly& assembly) const;
};

}  // namespace snug::cli
