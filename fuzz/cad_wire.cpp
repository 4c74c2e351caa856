// Any bytes as the importer's answer: they are refused with words, or they are what encode() makes of what they mean, and
// everything that takes a mesh or a pose accepts it.
#include "io/cad/wire.hpp"

#include <string>
#include <string_view>

#include "bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto model = snug::io::decode(bytes);
  if (!model) {
    FUZZ_CHECK(!model.error().empty());
    return 0;
  }
  FUZZ_CHECK(snug::io::encode(*model) == bytes);
  for (const snug::MeshInput& mesh : model->meshes) FUZZ_CHECK(snug::Mesh::build(mesh));
  for (const snug::io::CadInstance& instance : model->instances) {
    FUZZ_CHECK(instance.mesh < model->meshes.size());
    FUZZ_CHECK(snug::Pose::make(instance.rotation, instance.translation));
  }
  for (const auto* list : {&model->losses, &model->problems})
    for (const snug::io::CadProblem& problem : *list)
      FUZZ_CHECK(problem.instance == snug::io::CadProblem::k_none || problem.instance < model->instances.size());
  return 0;
}
