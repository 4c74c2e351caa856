#include "geometry/vec_ops.hpp"
#include "io/errors.hpp"
#include "io/json/json_fields.hpp"
#include "physics/headless/world_scene.hpp"

#include <snug/bullet.hpp>
#include <snug/report.hpp>
#include <snug/solid.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace snug::headless {

namespace {

using io::Json;
using io::JsonView;
using Kind = Json::Kind;
using Code = IoError::Code;

constexpr double k_most = 1e9;        // of rates, densities and speeds: more is a slip of the pen
constexpr double k_most_steps = 1e8;  // as --steps
// Metres. Bullet gives up a body whose box, with all that it sweeps in a step, is a million across, turned any way.
constexpr double k_most_reach = 1e5;

/// Reads one document; messages say which body, counted from 1 as people do.
class SceneReader {
 public:
  SceneReader(const std::filesystem::path& path, const CancelToken* cancel)
      : path_(path.string()), folder_(path.parent_path()), cancel_(cancel) {}

  Result<WorldScene, IoError> read(std::string_view text) {
    const auto json = io::parse_document(text, path_, "snug.scene/1");
    if (!json) return Failure{json.error()};
    const JsonView root = json->root();
    where_ = "the scene";
    if (auto ok = keys(root, {"bodies", "duration", "gravity", "name", "rate_hz", "schema", "units"}); !ok)
      return Failure{ok.error()};
    std::optional<std::string> name;
    if (auto ok = words(root, "name", name); !ok) return Failure{ok.error()};
    const auto named = io::string_of(root, "units");
    const auto units = parse_length_unit(named.value_or(""));
    if (!units)
      return fail(root, named ? "the unit " + support::quoted(*named) + " is not known (um, mm, cm, m, in, ft)"
                              : "names no unit ('units')");
    WorldScene scene{.name = name.value_or(std::filesystem::path(path_).stem().string()),
                     .assembly = Assembly(*units),
                     .bodies = {},
                     .gravity = (1 / metres_per(*units)) * Vec3{0, 0, -9.81}};
    if (auto ok = vector(root, "gravity", scene.gravity); !ok) return Failure{ok.error()};
    if (auto ok = number(root, "rate_hz", scene.rate_hz, 1, 1e6); !ok) return Failure{ok.error()};
    if (auto ok = number(root, "duration", scene.duration, 1 / scene.rate_hz, k_most); !ok) return Failure{ok.error()};
    if (scene.duration * scene.rate_hz > k_most_steps)
      return fail(root, "'duration' times 'rate_hz' is " + support::number_text(scene.duration * scene.rate_hz) +
                            " steps, more than " + support::number_text(k_most_steps));
    const auto bodies = root.find("bodies");
    if (!bodies || !bodies->is(Kind::array) || bodies->size() == 0) return fail(root, "has no bodies");
    for (std::size_t i = 0; i < bodies->size(); ++i)
      if (auto added = body((*bodies)[i], i + 1, scene); !added) return Failure{added.error()};
    return scene;
  }

 private:
  Failure<IoError> fail(const JsonView& at, const std::string& text) const {
    return io::failure_at_byte(Code::malformed, path_, at.byte(), where_ + ": " + text);
  }
  static std::optional<JsonView> unknown_key(const JsonView& object, std::initializer_list<std::string_view> known) {
    for (std::size_t i = 0; i < object.size(); ++i)
      if (std::ranges::find(known, object[i].key()) == known.end()) return object[i];
    return std::nullopt;
  }

  static std::optional<JsonView> repeated_key(const JsonView& object) {
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < object.size(); ++i)
      if (!seen.insert(object[i].key()).second) return object[i];
    return std::nullopt;
  }
  /// All keys of an object are known, and none is there twice.
  Result<void, IoError> keys(const JsonView& object, std::initializer_list<std::string_view> known) const {
    if (const auto odd = unknown_key(object, known))
      return fail(*odd, "has the unknown key " + support::quoted(odd->key()));
    if (const auto twice = repeated_key(object))
      return fail(*twice, "has the key " + support::quoted(twice->key()) + " twice");
    return {};
  }

  // What is absent keeps its value.

  Result<void, IoError> words(const JsonView& object, std::string_view name, std::optional<std::string>& value) const {
    const auto found = object.find(name);
    if (!found) return {};
    if (!found->is(Kind::string)) return fail(*found, "'" + std::string(name) + "' must be a text");
    value = found->string();
    return {};
  }

  Result<void, IoError> number(const JsonView& object, std::string_view name, double& value, double least,
                               double most) {
    const auto found = object.find(name);
    if (!found) return {};
    if (!found->is(Kind::number) || !(found->number() >= least) || !(found->number() <= most))
      return fail(*found, "'" + std::string(name) + "' must be a number from " + support::number_text(least) + " to " +
                              support::number_text(most));
    value = found->number();
    return {};
  }
  Result<void, IoError> vector(const JsonView& object, std::string_view name, Vec3& value) {
    const auto found = object.find(name);
    if (!found) return {};
    const auto three = io::numbers_of<3>(object, name);
    if (!three || !std::ranges::all_of(*three, [](double v) { return std::abs(v) <= k_most; }))
      return fail(*found,
                  "'" + std::string(name) + "' must be three numbers, none beyond " + support::number_text(k_most));
    value = {(*three)[0], (*three)[1], (*three)[2]};
    return {};
  }

  Result<void, IoError> body(const JsonView& json, std::size_t place, WorldScene& scene) {
    where_ = "body " + std::to_string(place);
    if (!json.is(Kind::object)) return fail(json, "is not an object");
    std::optional<std::string> name;
    if (auto ok = words(json, "name", name); !ok) return ok;
    if (name) where_ += " (" + support::quoted(*name) + ')';
    if (auto ok = keys(json, {"box", "density", "file", "fixed", "friction", "name", "part", "position", "release",
                              "restitution", "rotation", "spin", "velocity"});
        !ok)
      return ok;
    if (!name || name->empty()) return fail(json, "has no name");

    BodySpec spec{.velocity = {}, .spin = {}, .at = std::nullopt};
    if (const auto fixed = json.find("fixed")) {
      if (!fixed->is(Kind::boolean)) return fail(*fixed, "'fixed' must be true or false");
      spec.fixed = fixed->boolean();
    }
    Vec3 position;
    for (const auto& [key, value] :
         {std::pair{"position", &position}, {"velocity", &spec.velocity}, {"spin", &spec.spin}})
      if (auto ok = vector(json, key, *value); !ok) return ok;
    for (const auto& [key, value, least, most] : {std::tuple{"density", &spec.density, 1e-9, k_most},
                                                  {"friction", &spec.friction, 0.0, 100.0},
                                                  {"restitution", &spec.restitution, 0.0, 1.0},
                                                  {"release", &spec.release, 0.0, k_most}})
      if (auto ok = number(json, key, *value, least, most); !ok) return ok;
    std::array<double, 4> turn{1, 0, 0, 0};
    if (const auto found = json.find("rotation")) {
      const auto four = io::numbers_of<4>(json, "rotation");
      if (!four) return fail(*found, "'rotation' must be four numbers: w, x, y, z of a quaternion");
      turn = *four;
    }
    const auto pose = Pose::make({turn[0], turn[1], turn[2], turn[3]}, position);
    if (!pose) return fail(json, pose.error().message());

    auto mesh = mesh_of(json, scene);
    if (!mesh) return Failure{mesh.error()};
    if (!spec.fixed && !can_move(*mesh, spec.density, metres_per(scene.assembly.units())))
      return fail(json, "has no mass that can be moved: its volume is " +
                            support::number_text(bullet::body_mass(*mesh, 1).mass) + " cubic " +
                            std::string(to_string(scene.assembly.units())) + "; say \"fixed\": true if it stays");
    if (const double metres = reach(*mesh, spec, scene); !spec.fixed && metres > k_most_reach)
      return fail(json, "reaches " + support::number_text(metres) +
                            " m with what it moves in a step; a body that moves may reach " +
                            support::number_text(k_most_reach) + " m");
    if (auto added = scene.assembly.add({*name, std::move(*mesh), *pose}); !added)
      return fail(json, added.error().message());
    scene.bodies.push_back(spec);
    return {};
  }

  Result<Mesh, IoError> mesh_of(const JsonView& json, WorldScene& scene) {
    const LengthUnit units = scene.assembly.units();
    const auto box = json.find("box"), file = json.find("file");
    if (box.has_value() == file.has_value()) return fail(json, "needs either a 'file' or a 'box'");
    std::optional<std::string> part;
    if (auto ok = words(json, "part", part); !ok) return Failure{ok.error()};
    if (box) {
      if (part) return fail(*box, "is a box, of which there are no parts: 'part' goes with 'file'");
      const auto edges = io::numbers_of<3>(json, "box");
      if (!edges || !std::ranges::all_of(*edges, [](double e) { return e > 0 && e <= k_most; }))
        return fail(*box, "'box' must be three lengths above zero, none beyond " + support::number_text(k_most));
      return box_mesh({(*edges)[0], (*edges)[1], (*edges)[2]});
    }
    if (!file->is(Kind::string) || file->string().empty()) return fail(*file, "'file' must be the name of a file");
    const std::filesystem::path relative(file->string());
    if (relative.is_absolute() || std::ranges::find(relative, "..") != relative.end())
      return fail(*file, support::quoted(file->string()) + " leaves the folder of the scene");
    if (leads_out(relative))
      return fail(*file, support::quoted(file->string()) + " is a link out of the folder of the scene");
    const auto key = std::pair(file->string(), part.value_or(""));
    if (const auto known = known_.find(key); known != known_.end()) return known->second;

    const auto loaded = load_once(folder_ / relative, scene);
    if (!loaded) {
      if (loaded.error().code == Code::cancelled) return Failure{loaded.error()};
      return fail(*file, loaded.error().message());
    }
    const Assembly& assembly = **loaded;
    if (!assembly.losses().empty()) return fail(*file, "could not be read whole: " + assembly.losses()[0].text);
    auto id = part ? assembly.find(*part) : std::optional<std::uint32_t>(0);
    if (!part && assembly.parts().size() != 1)
      return fail(*file, "has " + std::to_string(assembly.parts().size()) + " parts: name one by 'part' (" +
                             names_of(assembly) + ')');
    if (!id)
      return fail(json, "there is no part " + support::quoted(*part) + " in " + support::quoted(file->string()) +
                            ", which has " + names_of(assembly));
    // Where the file has the part does not count: the scene places it.
    return known_.emplace(key, converted(assembly.parts()[*id].mesh, assembly.units(), units)).first->second;
  }

  /// The file in its own unit, or in that of the scene if it has none. Read once, however many bodies are in it.
  Result<const Assembly*, IoError> load_once(const std::filesystem::path& path, WorldScene& scene) {
    if (const auto known = files_.find(path); known != files_.end()) return &known->second;
    auto file = OpenFile::open(path);
    if (!file) return Failure{std::move(file).error()};
    LoadOptions options{.hash = true, .cancel = cancel_};
    if (!has_units(file->format())) options.units = scene.assembly.units();
    auto loaded = file->load(options);
    if (!loaded) return Failure{std::move(loaded).error()};
    scene.files.push_back({path, loaded->units, std::move(loaded->sha256)});
    return &files_.emplace(path, std::move(loaded->assembly)).first->second;
  }

  /// By links, which a scene from somewhere else has no business to follow. What is not there is told by whoever reads it.
  [[nodiscard]] bool leads_out(const std::filesystem::path& relative) const {
    std::error_code missing;
    const auto folder = std::filesystem::canonical(folder_.empty() ? "." : folder_, missing);
    if (missing) return false;
    const auto file = std::filesystem::canonical(folder / relative, missing);
    if (missing) return false;
    return std::ranges::mismatch(folder, file).in1 != folder.end();
  }

  /// How large a body is, its first step included, in metres.
  static double reach(const Mesh& mesh, const BodySpec& spec, const WorldScene& scene) {
    using geometry::length_of;
    const double dt = 1 / scene.rate_hz;
    return metres_per(scene.assembly.units()) * (length_of(mesh.bounds().hi - mesh.bounds().lo) +
                                                 dt * (length_of(spec.velocity) + dt * length_of(scene.gravity)));
  }

  /// The first few, for those who guessed a name.
  static std::string names_of(const Assembly& assembly) {
    constexpr std::size_t k_named = 5;
    const std::size_t all = assembly.parts().size();
    std::string out;
    for (std::size_t i = 0; i < std::min(all, k_named); ++i)
      out += (i > 0 ? ", " : "") + support::quoted(assembly.parts()[i].path);
    return all > k_named ? out + " and " + std::to_string(all - k_named) + " more" : out;
  }

  /// Bullet takes what has no mass, or no inertia, for something that never moves.
  static bool can_move(const Mesh& mesh, double density, double unit) {
    const bullet::BodyMass one = bullet::body_mass(mesh, density);
    const double volume = unit * unit * unit;
    const auto movable = [](double value) { return value > 0 && std::isnormal(value) && std::isfinite(1 / value); };
    return movable(volume * one.mass) && movable(volume * unit * unit * one.inertia.x) &&
           movable(volume * unit * unit * one.inertia.y) && movable(volume * unit * unit * one.inertia.z);
  }

  static Mesh box_mesh(const Vec3& edges) {
    MeshInput input;
    for (std::uint32_t i = 0; i < 8; ++i)
      input.vertices.push_back({((i & 1) != 0 ? 0.5 : -0.5) * edges.x, ((i & 2) != 0 ? 0.5 : -0.5) * edges.y,
                                ((i & 4) != 0 ? 0.5 : -0.5) * edges.z});
    input.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                       {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return Mesh::build(std::move(input)).value();
  }

  std::string path_;
  std::filesystem::path folder_;
  const CancelToken* cancel_;
  std::string where_;
  std::map<std::filesystem::path, Assembly> files_;
  std::map<std::pair<std::string, std::string>, Mesh> known_;
};

}  // namespace

Mesh converted(const Mesh& mesh, LengthUnit from, LengthUnit to) {
  if (from == to) return mesh;
  MeshInput input;
  const auto length = [&](double value) { return convert_length(value, from, to); };
  for (const Point3& p : mesh.vertices()) input.vertices.push_back({length(p.x), length(p.y), length(p.z)});
  input.triangles.assign(mesh.triangles().begin(), mesh.triangles().end());
  for (const Surface& surface : mesh.surfaces()) input.surfaces.push_back({.name = surface.name, .sag = {}});
  for (std::uint32_t t = 0; t < mesh.triangles().size(); ++t) input.surface_of_triangle.push_back(mesh.surface_of(t));
  return Mesh::build(std::move(input)).value();
}

Result<WorldScene, IoError> read_scene(const std::filesystem::path& path, const CancelToken* cancel) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return io::failure(Code::not_found, path.string(), "no such file");
  if (!std::filesystem::is_regular_file(path, failed))
    return io::failure(Code::not_a_file, path.string(), "is not a file");
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file || file.bad()) return io::failure(Code::unreadable, path.string(), "cannot be read");
  auto scene = SceneReader(path, cancel).read(text);
  if (scene) scene->sha256 = sha256_of(text);
  return scene;
}

}  // namespace snug::headless
