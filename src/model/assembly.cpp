#include "support/assert.hpp"

#include <snug/assembly.hpp>

#include <algorithm>
#include <set>

namespace snug {

Result<std::uint32_t, AssemblyError> Assembly::add(Part part) {
  if (part.path.empty()) return Failure{AssemblyError{AssemblyError::Code::empty_path, {}}};
  if (!part.pose.is_valid()) return Failure{AssemblyError{AssemblyError::Code::bad_pose, std::move(part.path)}};
  if (part.frame && *part.frame >= frames_.size())
    return Failure{AssemblyError{AssemblyError::Code::no_frame, std::move(part.path)}};
  const auto id = static_cast<std::uint32_t>(parts_.size());
  if (id_of_path_.contains(part.path))
    return Failure{AssemblyError{AssemblyError::Code::duplicate_path, std::move(part.path)}};
  if (parts_.size() == parts_.capacity()) parts_.reserve(2 * parts_.size() + 8);
  id_of_path_.emplace(part.path, id);  // the last that may throw: a failure leaves no trace
  SNUG_ASSERT(id_of_path_.size() == parts_.size() + 1);
  parts_.push_back(std::move(part));
  return id;
}

Result<std::uint32_t, AssemblyError> Assembly::add_frame(Frame frame) {
  if (!frame.pose.is_valid()) return Failure{AssemblyError{AssemblyError::Code::bad_frame, std::move(frame.path)}};
  frames_.push_back(std::move(frame));
  return static_cast<std::uint32_t>(frames_.size() - 1);
}

Result<void, AssemblyError> Assembly::place(std::uint32_t id, const Pose& pose) {
  if (id >= parts_.size()) return Failure{AssemblyError{AssemblyError::Code::no_part, {}}};
  if (!pose.is_valid()) return Failure{AssemblyError{AssemblyError::Code::bad_pose, parts_[id].path}};
  parts_[id].pose = pose;
  return {};
}

std::optional<std::uint32_t> Assembly::find(std::string_view path) const {
  const auto found = id_of_path_.find(std::string(path));
  if (found == id_of_path_.end()) return std::nullopt;
  return found->second;
}

std::size_t Assembly::distinct_meshes() const {
  std::set<const Point3*> vertex_arrays;  // shared data, shared address
  for (const Part& part : parts_) vertex_arrays.insert(part.mesh.vertices().data());
  return vertex_arrays.size();
}

}  // namespace snug
