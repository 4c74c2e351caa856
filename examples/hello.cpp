// The snippets of docs/hello.md that examples/first.cpp does not hold.
#include <snug/snug.hpp>

#include <iostream>

int main() {
  const auto broken = snug::Mesh::build({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 7}}, {}, {}});
  if (!broken) std::cout << broken.error().message() << '\n';

  snug::MeshInput input;
  for (int i = 0; i < 8; ++i) input.vertices.push_back({double(i & 1), double(i >> 1 & 1), double(i >> 2 & 1)});
  input.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  const snug::Mesh cube = snug::Mesh::build(input).value();
  const snug::Shape a{cube}, b{cube};
  snug::Scratch scratch;
  int touching = 0;
  for (const snug::TrianglePair& pair : snug::triangle_pairs(a, {}, b, snug::translation(1, 0.25, 0.25), scratch))
    touching += pair.relation == snug::Relation::touching ? 1 : 0;
  std::cout << touching << " pairs of triangles touch\n";
}
