#include "channels.hpp"
#include "read.hpp"
#include "units.hpp"
#include "xcaf_tree.hpp"

#include <IGESCAFControl_Reader.hxx>
#include <IGESData_BasicEditor.hxx>
#include <IGESData_GlobalSection.hxx>
#include <IGESData_IGESModel.hxx>
#include <XCAFDoc_DocumentTool.hxx>

#include <stdexcept>

namespace snug::importer {

namespace {

/// The unit flag of the global section, as the standard numbers it.
LengthUnit unit_of(const Handle(IGESData_IGESModel) & model) {
  switch (model->GlobalSection().UnitFlag()) {
    case 1:
      return LengthUnit::inch;
    case 4:
      return LengthUnit::foot;
    case 6:
      return LengthUnit::metre;
    case 9:
      return LengthUnit::micrometre;
    case 10:
      return LengthUnit::centimetre;
    default:
      return LengthUnit::millimetre;
  }
}

}  // namespace

Document read_iges() {
  IGESCAFControl_Reader reader;
  reader.SetColorMode(Standard_True), reader.SetNameMode(Standard_True), reader.SetLayerMode(Standard_False);
  if (reader.ReadFile("") != IFSelect_RetDone)  // no name: the standard input
    throw std::runtime_error("not an IGES file that can be read");
  tell_progress(k_read_share / 3);

  Document document;
  document.units = unit_of(reader.IGESModel());
  set_kernel_unit(*document.units);
  Handle(TDocStd_Document) products = new_xcaf_document();
  XCAFDoc_DocumentTool::SetLengthUnit(products, metres_per(*document.units), UnitsMethods_LengthUnit_Meter);
  const Handle(Progress) progress = new Progress(k_read_share / 3, k_read_share);
  if (!reader.Transfer(products, progress->Start()))
    throw std::runtime_error("none of the file's shapes could be read");
  gather_products(products, {}, document);
  return document;
}

}  // namespace snug::importer
