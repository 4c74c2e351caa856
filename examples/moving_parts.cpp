// 200 parts fly through a room and bounce off its walls; each frame lists who touches whom.
#include <snug/snug.hpp>

#include <cmath>
#include <iostream>
#include <vector>

// An octahedron, stretched.
snug::Mesh spindle(double radius, double length) {
  snug::MeshInput input;
  input.vertices = {{radius, 0, 0}, {-radius, 0, 0}, {0, radius, 0}, {0, -radius, 0}, {0, 0, length}, {0, 0, -length}};
  input.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  return snug::Mesh::build(input).value();
}

struct Flight {
  snug::Vec3 place, velocity;
  double spin;

  void advance() {
    place = place + velocity;
    const auto bounce = [](double x, double& v) { v = std::abs(x) > 10 ? (x > 0 ? -std::abs(v) : std::abs(v)) : v; };
    bounce(place.x, velocity.x), bounce(place.y, velocity.y), bounce(place.z, velocity.z);
  }
  snug::Pose at(int frame) const {
    const snug::Pose turned = snug::rotation({1, 2, 3}, spin * frame);
    return snug::compose(snug::translation(place.x, place.y, place.z), turned);
  }
};

int main() {
  const snug::Shape thin{spindle(0.5, 3)}, thick{spindle(1, 1)};
  snug::Scene scene;
  std::vector<snug::BodyId> bodies;
  std::vector<Flight> flights;
  for (int i = 0; i < 200; ++i) {  // the same every time: numbers that scatter well enough
    const auto scatter = [i](double k) { return 2 * (i * k - std::floor(i * k)) - 1; };
    flights.push_back({{9 * scatter(0.618), 9 * scatter(0.414), 9 * scatter(0.732)},
                       {0.2 * scatter(0.303), 0.2 * scatter(0.828), 0.2 * scatter(0.561)},
                       0.05 * scatter(0.236)});
    bodies.push_back(scene.add(i % 2 == 0 ? thin : thick, flights.back().at(0)).value());
  }
  scene.ignore(bodies[0], bodies[1]).value();  // these two may touch

  snug::SceneScratch scratch;
  snug::SceneContacts contacts;
  std::vector<snug::Pose> poses(bodies.size());
  for (int frame = 0; frame < 5; ++frame) {
    for (std::size_t i = 0; i < flights.size(); ++i) flights[i].advance(), poses[i] = flights[i].at(frame);
    scene.set_poses(bodies, poses).value();
    scene.contacts(scratch, contacts).value();
    std::cout << "frame " << frame << ": " << contacts.bodies.size() << " contacts";
    for (std::size_t k = 0; k < contacts.bodies.size() && k < 3; ++k) {
      const auto& contact = contacts.bodies[k];
      std::cout << ", " << contact.a.index << '-' << contact.b.index << " (" << contacts.of(contact).size()
                << " pairs of triangles)";
    }
    std::cout << '\n';
  }
}
