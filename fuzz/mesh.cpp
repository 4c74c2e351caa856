// Arbitrary mesh input: it is refused with an element that exists, or everything that takes a mesh accepts it.
#include <snug/inspect.hpp>
#include <snug/mesh.hpp>
#include <snug/query.hpp>
#include <snug/shape.hpp>
#include <snug/solid.hpp>

#include <utility>

#include "bytes.hpp"

namespace {

constexpr std::size_t k_most_triangles = 16;  // keeps the all-pairs query quick

snug::MeshInput take_input(snug::fuzz::Bytes& bytes) {
  snug::MeshInput input;
  const auto flags = bytes.take<std::uint8_t>();
  const std::size_t vertices = bytes.take<std::uint8_t>() % 16;
  const std::size_t triangles = bytes.take<std::uint8_t>() % k_most_triangles;
  const std::size_t surfaces = bytes.take<std::uint8_t>() % 4;
  bytes.take<std::uint32_t>();  // so that what follows starts at a multiple of eight
  for (std::size_t i = 0; i < vertices; ++i) {
    const auto take = [&] { return (flags & 1) != 0 ? bytes.take_grid() : bytes.take<double>(); };
    const double x = take();
    const double y = take();
    input.vertices.push_back({x, y, take()});
  }
  for (std::size_t i = 0; i < triangles; ++i) {
    const auto a = bytes.take<std::uint8_t>();
    const auto b = bytes.take<std::uint8_t>();
    input.triangles.push_back({a, b, bytes.take<std::uint8_t>()});
    if (surfaces > 0) input.surface_of_triangle.push_back(bytes.take<std::uint8_t>());
  }
  input.surfaces.resize(surfaces);
  return input;
}

void check_mesh(const snug::Mesh& mesh) {
  std::size_t grouped = 0;
  for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) {
    for (const std::uint32_t t : mesh.triangles_of(s)) {
      FUZZ_CHECK(mesh.surface_of(t) == s);
      ++grouped;
    }
  }
  FUZZ_CHECK(grouped == mesh.triangles().size());
  FUZZ_CHECK(snug::inspect(mesh).closed == snug::is_closed(mesh.view()));
  if (snug::is_closed(mesh.view())) (void)snug::locate(mesh.bounds().lo, mesh.view());
}

void check_query(const snug::Mesh& mesh) {
  const snug::Shape shape{mesh};
  snug::Scratch scratch;
  const auto pose = snug::rotation({1, 2, 3}, 0.5);
  const auto pairs = snug::triangle_pairs(shape, {}, shape, pose, scratch);
  auto exchanged = snug::triangle_pairs(shape, pose, shape, {}, scratch);
  for (auto& pair : exchanged) std::swap(pair.a, pair.b);
  std::sort(exchanged.begin(), exchanged.end());
  FUZZ_CHECK(pairs == exchanged);
  FUZZ_CHECK(snug::intersects(shape, {}, shape, pose, scratch) == !pairs.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  snug::fuzz::Bytes bytes(data, size);
  snug::MeshInput input = take_input(bytes);
  const std::size_t elements = std::max(input.vertices.size(), input.triangles.size());
  const auto mesh = snug::Mesh::build(std::move(input));
  if (!mesh) {
    FUZZ_CHECK(mesh.error().element <= elements);
    FUZZ_CHECK(!mesh.error().message().empty());
    return 0;
  }
  check_mesh(*mesh);
  check_query(*mesh);
  return 0;
}
