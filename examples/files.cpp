// Reads an assembly and lists its parts. Run it in the folder of post.obj.
#include <snug/snug.hpp>

#include <iostream>

int main() {
  const auto assembly = snug::load("post.obj", {.units = snug::LengthUnit::millimetre});
  if (!assembly) {
    std::cerr << assembly.error().message() << '\n';
    return 3;
  }
  for (const snug::Part& part : assembly->parts())
    std::cout << part.path << ": " << part.mesh.triangles().size() << " triangles, " << part.mesh.surfaces().size()
              << " surfaces\n";
  for (const snug::Problem& problem : assembly->problems()) std::cout << problem.text << '\n';
}
