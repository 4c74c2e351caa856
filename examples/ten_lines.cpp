#include <snug/snug.hpp>

#include <iostream>

int main() {
  const snug::Shape post{snug::load_mesh("post.obj").value()};
  const snug::Shape screw{snug::load_mesh("screw.obj").value()};
  snug::Scratch scratch;
  for (const auto& pair : snug::triangle_pairs(post, {}, screw, snug::translation(30, 30, 45), scratch))
    std::cout << pair.a << " / " << pair.b << ": " << to_string(pair.relation) << '\n';
}
