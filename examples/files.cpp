// Reads an assembly and lists its parts. Run it in the folder of post.obj.
#include <snug/snug.hpp>

#include <iostream>

int main() {
  const auto loaded = snug::load("post.obj", {.units = snug::LengthUnit::millimetre});
  if (!loaded) {
    std::cerr << loaded.error().message() << '\n';
    return 3;
  }
  for (const snug::Part& part : loaded->assembly.parts())
    std::cout << part.path << ": " << part.mesh.triangles().size() << " triangles, " << part.mesh.surfaces().size()
              << " surfaces\n";
  for (const snug::Problem& problem : loaded->assembly.problems()) std::cout << problem.text << '\n';
}
