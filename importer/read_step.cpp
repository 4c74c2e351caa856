#include "bare_products.hpp"
#include "channels.hpp"
#include "read.hpp"
#include "step_externals.hpp"
#include "step_losses.hpp"
#include "support/text.hpp"
#include "units.hpp"
#include "xcaf_tree.hpp"

#include <STEPCAFControl_Reader.hxx>
#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>
#include <TColStd_SequenceOfAsciiString.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XSControl_WorkSession.hxx>

#include <algorithm>
#include <array>
#include <istream>
#include <stdexcept>
#include <string_view>

namespace snug::importer {

namespace {

constexpr int k_deepest_reference = 50;  // files that name files: each keeps its model in memory until those are read

std::optional<LengthUnit> unit_called(std::string_view name) {
  struct Spelling {
    std::string_view name;
    LengthUnit unit;
  };
  constexpr std::array k_spellings{Spelling{"millimetre", LengthUnit::millimetre},
                                   Spelling{"millimeter", LengthUnit::millimetre},
                                   Spelling{"micrometre", LengthUnit::micrometre},
                                   Spelling{"micrometer", LengthUnit::micrometre},
                                   Spelling{"centimetre", LengthUnit::centimetre},
                                   Spelling{"centimeter", LengthUnit::centimetre},
                                   Spelling{"metre", LengthUnit::metre},
                                   Spelling{"meter", LengthUnit::metre},
                                   Spelling{"inch", LengthUnit::inch},
                                   Spelling{"foot", LengthUnit::foot},
                                   Spelling{"feet", LengthUnit::foot}};
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const auto* const found = std::ranges::find(k_spellings, lower, &Spelling::name);
  return found == k_spellings.end() ? std::nullopt : std::optional(found->unit);
}

/// The one unit of all the file's lengths, if it has one that we know; else millimetres.
LengthUnit unit_of(STEPControl_Reader& reader) {
  TColStd_SequenceOfAsciiString lengths, angles, solid_angles;
  reader.FileUnits(lengths, angles, solid_angles);
  std::optional<LengthUnit> unit;
  for (const TCollection_AsciiString& name : lengths) {
    const std::optional<LengthUnit> next = unit_called(name.ToCString());
    if (!next || (unit && unit != next)) return LengthUnit::millimetre;
    unit = next;
  }
  return unit.value_or(LengthUnit::millimetre);
}

/// One file and those that it names, which are read once each, in the unit of the first.
class StepFiles {
 public:
  StepFiles(const Input& input, bool bodies) : input_(input), bodies_(bodies) {}

  Document read() {
    Document document = read(input_.file(), 0);
    if (!others_.empty()) {
      std::string names;
      for (const auto& [name, other] : others_)
        if (other.content) names += (names.empty() ? "" : ", ") + name;
      if (!names.empty()) document.problems.push_back({"", "parts of it are read from other files: " + names});
    }
    return document;
  }

 private:
  Document read(const Piece& piece, int depth) {
    STEPCAFControl_Reader reader;
    reader.SetColorMode(Standard_True), reader.SetNameMode(Standard_True);
    reader.SetLayerMode(Standard_False), reader.SetPropsMode(Standard_False), reader.SetGDTMode(Standard_False);
    reader.SetMatMode(Standard_False), reader.SetViewMode(Standard_False), reader.SetSHUOMode(Standard_False);
    Utf8Text text(piece);
    std::istream stream(&text);
    if (reader.ChangeReader().ReadStream("input", stream) != IFSelect_RetDone)
      throw std::runtime_error("not a STEP file that can be read");
    if (depth == 0) tell_progress(k_read_share / 3);

    Document document;
    if (!unit_) unit_ = unit_of(reader.ChangeReader());
    document.units = unit_;
    if (text.latin1_bytes() > 0)
      document.problems.push_back({"", support::counted(text.latin1_bytes(), "character", "characters") +
                                           " that are not UTF-8, as a STEP file's must be, read as Latin-1"});
    list_damages(reader.Reader().WS(), document);
    list_wrong_copies(reader.Reader().WS(), document);
    list_unplaced(reader.Reader().WS(), document);
    set_kernel_unit(*unit_);
    ProductSource source{.products = new_xcaf_document()};
    XCAFDoc_DocumentTool::SetLengthUnit(source.products, metres_per(*unit_), UnitsMethods_LengthUnit_Meter);
    const Handle(Progress) progress = new Progress(k_read_share / 3, k_read_share);
    if (!reader.Transfer(source.products, progress->Start()))
      throw std::runtime_error("none of the file's shapes could be read");
    source.names = sort_faces(reader.Reader(), document);
    list_open_solids(reader.Reader(), document);
    source.bare = bare_products(reader.Reader(), XCAFDoc_DocumentTool::ShapeTool(source.products->Main()));
    follow_references(reader.Reader(), depth, source, document);
    gather_products(source, bodies_, document);
    return document;
  }

  void follow_references(const STEPControl_Reader& reader, int depth, ProductSource& source, Document& document) {
    const Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(source.products->Main());
    std::size_t unused = 0;
    std::string first_unused;
    for (const ExternalReference& reference : external_references(reader, shapes)) {
      if (reference.products.empty()) {
        if (++unused == 1) first_unused = reference.names.empty() ? "without a name" : reference.names.front();
        continue;
      }
      const Outside outside = other_file(reference.names, depth, document);
      for (const TDF_Label& product : reference.products) source.outside.emplace(entry_of(product), outside);
    }
    if (unused > 0)
      document.problems.push_back(
          {"", support::counted(unused, "other file is", "other files are") +
                   " named that no part's shape is wanted from, and not read; the first: " + first_unused});
  }

  Outside other_file(const std::vector<std::string>& names, int depth, Document& document) {
    if (names.empty()) return {nullptr, "its shape is in another file, of which the name is missing"};
    const auto found =
        std::ranges::find_if(names, [&](const std::string& name) { return input_.find(name) != nullptr; });
    if (found == names.end())
      return {nullptr,
              "its shape is in another file, " + names.front() + ", which " + input_.why_missing(names.front())};
    const auto [place, is_new] = others_.try_emplace(
        *found, Outside{nullptr, "its shape is in " + *found + ", which is made of this file again"});
    if (!is_new) return place->second;
    Outside outside = read_other(*found, depth);
    others_[*found] = outside;
    if (!outside.content) return outside;
    // What is wrong with the file is told once; what is wrong with a part is found anew where that is placed.
    const auto tell = [&](const std::vector<io::CadProblem>& from, std::vector<io::CadProblem>& to) {
      for (const io::CadProblem& problem : from)
        if (problem.instance == io::CadProblem::k_none) to.push_back({problem.part, *found + ": " + problem.text});
    };
    tell(outside.content->losses, document.losses), tell(outside.content->problems, document.problems);
    return outside;
  }

  Outside read_other(const std::string& name, int depth) {
    const std::string where = "its shape is in " + name + ", ";
    if (depth >= k_deepest_reference) return {nullptr, where + "which is named by too long a chain of files"};
    try {
      return {std::make_shared<const Document>(read(*input_.find(name), depth + 1)), {}};
    } catch (const Standard_OutOfMemory&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const Standard_Failure& failure) {
      return {nullptr, where + "on which the CAD kernel gave up: " + failure.GetMessageString()};
    } catch (const std::exception& failure) {
      return {nullptr, where + failure.what()};
    }
  }

  const Input& input_;
  bool bodies_;
  std::optional<LengthUnit> unit_;
  std::map<std::string, Outside> others_;  ///< by name; while one is read, what is said to those that want it
};

}  // namespace

Document read_step(const Input& input, bool bodies) { return StepFiles(input, bodies).read(); }

}  // namespace snug::importer
