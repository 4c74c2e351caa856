// Two unit cubes, one moved aside: do they intersect?
#include <snug/snug.hpp>

#include <iostream>

snug::Mesh cube() {
  snug::MeshInput input;
  for (int i = 0; i < 8; ++i) input.vertices.push_back({double(i & 1), double(i >> 1 & 1), double(i >> 2 & 1)});
  input.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return snug::Mesh::build(input).value();
}

int main() {
  const snug::Shape a{cube()}, b{cube()};
  snug::Scratch scratch;
  for (const double x : {0.5, 1.0, 1.5}) {
    const bool hit = snug::intersects(a, {}, b, snug::translation(x, 0.25, 0.25), scratch);
    std::cout << "moved by " << x << ": " << (hit ? "they intersect" : "apart") << '\n';
  }
}
