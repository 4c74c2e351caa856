#include "io/bytes/byte_sink.hpp"
#include "io/errors.hpp"
#include "page/buffer_blocks.hpp"
#include "page/joint_map.hpp"
#include "page/page_index.hpp"
#include "page/template.hpp"

#include <snug/page.hpp>

#include <array>
#include <bit>
#include <new>
#include <unordered_map>

namespace snug {

namespace {

using namespace page;

// Where the template leaves room.
constexpr std::string_view k_title_mark = "<!--snug:title-->", k_data_mark = "<!--snug:data-->";

void append_float(std::string& out, double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>(bits >> shift & 0xff);
}
void append_word(std::string& out, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xff);
}

std::string coded_poses(const PagePlayback& playback) {
  std::string out;
  for (const Pose& pose : playback.poses) {
    const auto& [w, x, y, z] = pose.rotation();
    const Vec3& t = pose.translation();
    for (const double value : {w, x, y, z, t.x, t.y, t.z}) append_float(out, value);
  }
  return out;
}

std::string coded_contacts(const PagePlayback& playback) {
  std::string out;
  for (const PageContact& contact : playback.contacts) {
    for (const std::uint32_t word : {contact.frame, contact.a, contact.b}) append_word(out, word);
    const auto& [point, normal] = std::pair(contact.point, contact.normal);
    for (const double value : {point.x, point.y, point.z, normal.x, normal.y, normal.z, contact.depth})
      append_float(out, value);
  }
  return out;
}

class PageWriter {
 public:
  PageWriter(const PageInput& input, io::ByteSink& sink)
      : input_(input), sink_(sink), blocks_(sink), total_(input.assembly.parts().size() + input.pairs.size() + 1) {}

  void write() {
    const std::string_view whole = page_template();
    const std::size_t title = whole.find(k_title_mark), data = whole.find(k_data_mark);
    sink_.text(whole.substr(0, title));
    sink_.text(text_for_html(input_.title));
    sink_.text(whole.substr(title + k_title_mark.size(), data - title - k_title_mark.size()));
    meshes();
    meetings();
    if (input_.motion && input_.motion->playback) {
      index_.poses = slice(coded_poses(*input_.motion->playback));
      index_.contacts = slice(coded_contacts(*input_.motion->playback));
    }
    if (input_.robot)
      if (const JointMap map = draw_joint_map(input_.robot->spans, input_.robot->cells); !map.bytes.empty())
        index_.joint_map = {map.size, slice(map.bytes)};
    blocks_.finish();
    index_.bytes = blocks_.size();
    document("snug-page", page_json(input_, index_));
    if (!input_.report.empty()) document("snug-report", input_.report);
    sink_.text(whole.substr(data + k_data_mark.size()));
  }

 private:
  void meshes() {
    std::unordered_map<const Point3*, std::uint32_t> known;  // by where the data is: instances share it
    for (std::uint32_t id = 0; id < input_.assembly.parts().size(); ++id) {
      if (!next()) return;
      const Part& part = input_.assembly.parts()[id];
      const auto number = static_cast<std::uint32_t>(index_.meshes.size());
      if (const VertexMotion* motion = deformation(id)) {
        // What changes its form shares it with nobody.
        const CodedMesh coded = mesh(part.mesh, room(*motion));
        IndexedDeformation deformation{
            .part = id, .times = {}, .slice = slice(code_keys(coded, part.mesh, motion->keys()))};
        for (const VertexKey& key : motion->keys()) deformation.times.push_back(key.t);
        index_.deformations.push_back(std::move(deformation));
        index_.mesh_of_part.push_back(number);
        continue;
      }
      const auto [found, is_new] = known.try_emplace(part.mesh.vertices().data(), number);
      index_.mesh_of_part.push_back(found->second);
      if (is_new) (void)mesh(part.mesh, {});
    }
  }

  CodedMesh mesh(const Mesh& mesh, const Aabb& room) {
    CodedMesh coded = code_mesh(mesh, room);
    index_.meshes.push_back({&mesh, coded.grid, static_cast<std::uint32_t>(coded.told.size()), slice(coded.bytes)});
    return coded;
  }

  [[nodiscard]] const VertexMotion* deformation(std::uint32_t part) const {
    if (!input_.motion) return nullptr;
    const std::size_t vertices = input_.assembly.parts()[part].mesh.vertices().size();
    for (const auto& [id, motion] : input_.motion->deformations)
      if (id == part && motion.keys().front().vertices.size() == vertices) return &motion;
    return nullptr;
  }

  static Aabb room(const VertexMotion& motion) {
    Aabb out;
    for (const VertexKey& key : motion.keys())
      for (const Point3& vertex : key.vertices) out.include(vertex);
    return out;
  }

  void meetings() {
    ShapeCache shapes;
    Scratch scratch;
    for (const PagePair& pair : input_.pairs) {
      if (!next()) return;
      if (pair.verdict == Verdict::near) {
        if (const auto witness = closest(input_.assembly, pair, shapes, scratch))
          index_.witnesses.push_back({pair.finding, *witness});
      } else if (pair.verdict == Verdict::clash || pair.verdict == Verdict::undecided ||
                 pair.verdict == Verdict::touch) {
        const CodedCurves curves = code_curves(input_.assembly, pair, shapes, scratch);
        if (curves.segments > 0)
          index_.curves.push_back({pair.finding, curves.grid, curves.segments, curves.crossing, slice(curves.bytes)});
      }
    }
  }

  Slice slice(std::string_view bytes) { return {blocks_.append(bytes), bytes.size()}; }

  void document(std::string_view id, std::string_view json) {
    sink_.text("<script type=\"application/json\" id=\"");
    sink_.text(id);
    sink_.text("\">");
    sink_.text(json_for_html(json));
    sink_.text("</script>\n");
  }

  bool next() {
    sink_.progress(done_++, total_);
    return sink_.ok();
  }

  const PageInput& input_;
  io::ByteSink& sink_;
  BufferBlocks blocks_;
  std::uint64_t done_ = 0, total_;
  PageIndex index_;
};

}  // namespace

std::vector<PagePair> page_pairs(const CheckReport& report) {
  std::vector<PagePair> out;
  out.reserve(report.findings.size());
  for (std::uint32_t i = 0; i < report.findings.size(); ++i)
    out.push_back({i, report.findings[i].a.id, report.findings[i].b.id, report.findings[i].verdict});
  return out;
}

Result<void, IoError> save_page(const PageInput& input, const std::filesystem::path& path, const SaveOptions& options) {
  try {
    auto sink = io::ByteSink::create(path, options);
    if (!sink) return Failure{std::move(sink).error()};
    PageWriter(input, *sink).write();
    return sink->finish();
  } catch (const std::bad_alloc&) {
    return io::failure(IoError::Code::too_large, path.string(), "writing it takes more memory than there is");
  }
}

}  // namespace snug
