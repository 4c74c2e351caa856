// Puts two parts together and asks what they are to each other. Run it in the folder of post.obj and screw.obj.
#include <snug/snug.hpp>

#include <iostream>

int main() {
  snug::Assembly assembly{snug::LengthUnit::millimetre};
  (void)assembly.add({"post", snug::load_mesh("post.obj").value(), {}});
  (void)assembly.add({"screw", snug::load_mesh("screw.obj").value(), snug::translation(30, 30, 45)});
  for (const auto& finding : snug::check(assembly, {.tolerances = {.clearance = 0.5}}).findings) {
    std::cout << finding.a.part << " / " << finding.b.part << ": " << to_string(finding.verdict);
    if (finding.depth) std::cout << ", " << finding.depth->upper << " mm deep";
    std::cout << '\n';
  }
}
