#include "assembly/robot/urdf_bodies.hpp"

#include "support/text.hpp"

#include <snug/io.hpp>

#include <algorithm>
#include <system_error>

namespace snug::robot {

namespace {

using io::XmlElement;
namespace fs = std::filesystem;

/// "%20" and the like in an address; what is no such code stays.
std::string without_percent_codes(std::string_view text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
      out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// Scaled; a mirrored one has its triangles turned so that they still face outwards.
Result<Mesh, MeshError> scaled(const Mesh& mesh, const Vec3& scale) {
  MeshInput input{
      {mesh.vertices().begin(), mesh.vertices().end()}, {mesh.triangles().begin(), mesh.triangles().end()}, {}, {}};
  for (Point3& p : input.vertices) p = {p.x * scale.x, p.y * scale.y, p.z * scale.z};
  if ((scale.x < 0) != ((scale.y < 0) != (scale.z < 0)))
    for (Index3& t : input.triangles) std::swap(t[1], t[2]);
  return Mesh::build(std::move(input));
}

/// The folders above a file, nearest first, its own among them.
std::vector<fs::path> folders_above(const fs::path& folder) {
  std::error_code failed;
  fs::path here = fs::absolute(folder.empty() ? fs::path(".") : folder, failed).lexically_normal();
  if (!here.has_filename()) here = here.parent_path();
  std::vector<fs::path> out;
  for (;; here = here.parent_path()) {
    out.push_back(here);
    if (here == here.parent_path()) return out;
  }
}

/// A folder of this machine in a message: all of it, since the reader has to find it.
std::string shown(const fs::path& folder) {
  std::string text(1, '\'');
  return text.append(folder.string()) += '\'';
}

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

}  // namespace

Result<fs::path, IoError> UrdfBodies::find(const XmlElement& element, const std::string& address) {
  if (address.find('\0') != std::string::npos) return values_.fail(element, "the name of the mesh holds a zero byte");
  const std::size_t colon = address.find("://");
  const std::string scheme = colon == std::string::npos ? std::string() : address.substr(0, colon);
  const std::string rest = without_percent_codes(colon == std::string::npos ? "" : address.substr(colon + 3));
  if (scheme.empty()) return folder_ / address;
  if (scheme == "file") return fs::path(rest);
  if (scheme != "package" && scheme != "model")
    return values_.fail(element, "meshes at " + support::quoted(scheme) + " addresses are not read",
                        IoError::Code::refused);
  // "package:///meshes/a.stl" names no package: then it is a path below any of the folders, or from the root. Some mean by
  // its first folder the package all the same.
  const bool nameless = rest.starts_with('/');
  const std::string_view path = std::string_view(rest).substr(std::min(rest.find_first_not_of('/'), rest.size()));
  const std::size_t slash = path.find('/');
  if (path.empty() || path.ends_with('/') || (!nameless && slash == std::string_view::npos))
    return values_.fail(element, support::quoted(address) + " names no file in a package");
  const bool in_folder = slash != std::string_view::npos;
  const fs::path package = in_folder ? fs::path(path.substr(0, slash)) : fs::path();
  const fs::path inside = in_folder ? fs::path(path.substr(slash + 1)) : fs::path(path);
  std::vector<fs::path> folders = options_.packages;
  for (fs::path& folder : folders_above(folder_))
    if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(std::move(folder));
  for (const fs::path& folder : folders) {
    if (is_there(folder / package / inside)) return folder / package / inside;
    if (in_folder && folder.filename() == package && is_there(folder / inside)) return folder / inside;
  }
  if (nameless && is_there(rest)) return fs::path(rest);
  // The folder of a package may have another name than the package, such as that of a checkout.
  for (const fs::path& folder : folders)
    if (in_folder && is_there(folder / inside)) {
      const std::string remark = "the package " + support::quoted(package.string()) +
                                 " is in no folder of its name; its files were taken from " + shown(folder);
      if (std::ranges::find(remarks_, remark) == remarks_.end()) remarks_.push_back(remark);
      return folder / inside;
    }
  std::string searched;
  for (const fs::path& folder : folders) (searched += searched.empty() ? "" : ", ") += shown(folder);
  const std::string what = in_folder ? "the package " + support::quoted(package.string()) + " with " : "";
  return values_.fail(element,
                      "the mesh " + support::quoted(address) + " is not there: " + what +
                          support::quoted(inside.string()) + " was looked for in " + searched +
                          "; name the folder that holds it with --packages",
                      IoError::Code::not_found);
}

Result<RobotBody, IoError> UrdfBodies::mesh(const XmlElement& element) {
  const auto address = values_.word(element, "filename");
  if (!address) return Failure{address.error()};
  const auto scale = values_.three(element, "scale", Vec3{1, 1, 1});
  if (!scale) return Failure{scale.error()};
  if (scale->x == 0 || scale->y == 0 || scale->z == 0) return values_.fail(element, "'scale' of <mesh> holds a zero");
  const auto file = find(element, *address);
  if (!file) return Failure{file.error()};
  const auto known = shapes_.find({file->string(), *scale});
  if (known != shapes_.end()) return RobotBody{known->second, {}, *address};

  // What is wrong with a mesh is told with the line that names it, since several robots may share the mesh.
  const auto refuse = [&](const IoError& error) { return values_.fail(element, error.message(), error.code); };
  auto open = OpenFile::open(*file);
  if (!open) return refuse(open.error());
  if (is_cad(open->format()))
    return values_.fail(
        element, "the mesh " + support::quoted(*address) + " is a CAD file; convert it to triangles ('snug convert')",
        IoError::Code::unsupported);
  const auto loaded = open->load_mesh({.units = std::nullopt, .cancel = options_.cancel});
  if (!loaded) return refuse(loaded.error());
  // Of all formats, COLLADA alone says how long its unit is, and viewers of robots heed it. Its up_axis they do not.
  const double unit = open->format() == FileFormat::dae ? metres_per(loaded->units.value()) : 1;
  const Vec3 all = unit * *scale;
  const auto mesh = all == Vec3{1, 1, 1} ? Result<Mesh, MeshError>(loaded->mesh) : scaled(loaded->mesh, all);
  if (!mesh)
    return values_.fail(element, "the mesh " + support::quoted(*address) + ", scaled: " + mesh.error().message());
  return RobotBody{shapes_.try_emplace({file->string(), *scale}, *mesh).first->second, {}, *address};
}

bool UrdfBodies::is_nothing(const XmlElement& collision) const {
  const auto geometry = values_.only(collision, "geometry");
  if (!geometry || (*geometry)->children.size() != 1) return false;
  const XmlElement& shape = values_.xml().elements[(*geometry)->children.front()];
  if (shape.name == "sphere") {
    const auto radius = values_.number(shape, "radius");
    return radius && *radius == 0;
  }
  if (shape.name != "box") return false;
  const auto edges = values_.three(shape, "size");
  return edges && *edges == Vec3{};
}

Result<RobotBody, IoError> UrdfBodies::body(const XmlElement& collision) {
  const auto pose = values_.origin(collision);
  if (!pose) return Failure{pose.error()};
  const auto geometry = values_.only(collision, "geometry");
  if (!geometry) return Failure{geometry.error()};
  if ((*geometry)->children.size() != 1)
    return values_.fail(**geometry,
                        "<geometry> must hold one shape, found " + std::to_string((*geometry)->children.size()));
  const XmlElement& shape = values_.xml().elements[(*geometry)->children.front()];
  const auto simple = [&](Result<Primitive, PrimitiveError> made) -> Result<RobotBody, IoError> {
    if (!made) return values_.fail(shape, '<' + shape.name + ">: " + made.error().message());
    return RobotBody{Shape(*made), *pose, {}};
  };
  if (shape.name == "box") {
    const auto edges = values_.three(shape, "size");
    if (!edges) return Failure{edges.error()};
    if (!(edges->x > 0 && edges->y > 0 && edges->z > 0))
      return values_.fail(shape, "'size' of <box> must be above zero");
    return simple(Primitive::box(*edges));
  }
  if (shape.name == "mesh") {
    auto body = mesh(shape);
    if (body) body->pose = *pose;
    return body;
  }
  const bool long_one = shape.name == "cylinder" || shape.name == "capsule";
  if (!long_one && shape.name != "sphere")
    return values_.fail(shape,
                        "the shape <" + shape.name + "> is not known; box, cylinder, sphere, capsule and mesh are",
                        IoError::Code::unsupported);
  const auto radius = values_.size(shape, "radius");
  if (!radius) return Failure{radius.error()};
  if (!long_one) return simple(Primitive::sphere(*radius));
  const auto length = values_.size(shape, "length");
  if (!length) return Failure{length.error()};
  return simple(shape.name == "cylinder" ? Primitive::cylinder(*radius, *length)
                                         : Primitive::capsule(*radius, *length));
}

}  // namespace snug::robot
