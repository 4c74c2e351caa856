#include "io/step/write_products.hpp"

#include <map>

namespace snug::io {

namespace {

StepId write_length_unit(StepText& step, LengthUnit unit) {
  const auto si = [&](std::string_view prefix) {
    return step.add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(" + std::string(prefix) + ",.METRE.))");
  };
  const auto converted = [&](std::string_view name, double millimetres) {
    const StepId mm = si(".MILLI.");
    const StepId size =
        step.add("LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(" + step_real(millimetres) + ")," + step_ref(mm) + ')');
    const StepId dimensions = step.add("DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.)");
    return step.add("(CONVERSION_BASED_UNIT('" + std::string(name) + "'," + step_ref(size) +
                    ")LENGTH_UNIT()NAMED_UNIT(" + step_ref(dimensions) + "))");
  };
  switch (unit) {
    case LengthUnit::micrometre:
      return si(".MICRO.");
    case LengthUnit::millimetre:
      return si(".MILLI.");
    case LengthUnit::centimetre:
      return si(".CENTI.");
    case LengthUnit::metre:
      return si("$");
    case LengthUnit::inch:
      return converted("INCH", 25.4);
    case LengthUnit::foot:
      return converted("FOOT", 304.8);
  }
  return si(".MILLI.");
}

StepProduct write_product(StepText& step, const StepContexts& contexts, const std::string& id, const std::string& name,
                          StepId shape) {
  const StepId product =
      step.add("PRODUCT(" + step_string(id) + ',' + step_string(name) + ",'',(" + step_ref(contexts.product) + "))");
  (void)step.add("PRODUCT_RELATED_PRODUCT_CATEGORY('part',$,(" + step_ref(product) + "))");
  const StepId version = step.add("PRODUCT_DEFINITION_FORMATION('',''," + step_ref(product) + ')');
  const StepId definition =
      step.add("PRODUCT_DEFINITION('design',''," + step_ref(version) + ',' + step_ref(contexts.definition) + ')');
  const StepId property = step.add("PRODUCT_DEFINITION_SHAPE('',''," + step_ref(definition) + ')');
  (void)step.add("SHAPE_DEFINITION_REPRESENTATION(" + step_ref(property) + ',' + step_ref(shape) + ')');
  return {definition, shape};
}

StepId write_pose(StepText& step, const Pose& pose) {
  const auto& m = pose.matrix();
  return step.placement(pose.translation(), {m[2], m[5], m[8]}, {m[0], m[3], m[6]});
}

}  // namespace

StepContexts write_contexts(StepText& step, LengthUnit unit, double uncertainty) {
  StepContexts out;
  const StepId application = step.add("APPLICATION_CONTEXT('core data for automotive mechanical design processes')");
  (void)step.add("APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000," +
                 step_ref(application) + ')');
  out.product = step.add("PRODUCT_CONTEXT(''," + step_ref(application) + ",'mechanical')");
  out.definition = step.add("PRODUCT_DEFINITION_CONTEXT('part definition'," + step_ref(application) + ",'design')");
  const StepId length = write_length_unit(step, unit);
  const StepId angle = step.add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))");
  const StepId solid_angle = step.add("(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())");
  const StepId accuracy = step.add("UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(" + step_real(uncertainty) + ")," +
                                   step_ref(length) + ",'distance_accuracy_value','')");
  out.geometry = step.add("(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((" +
                          step_ref(accuracy) + "))GLOBAL_UNIT_ASSIGNED_CONTEXT((" + step_ref(length) + ',' +
                          step_ref(angle) + ',' + step_ref(solid_angle) + "))REPRESENTATION_CONTEXT('',''))");
  out.origin = write_pose(step, {});
  return out;
}

StepProduct write_part(StepText& step, const StepContexts& contexts, const std::string& id, const std::string& name,
                       const StepShape& shape) {
  std::vector<StepId> items{contexts.origin};
  items.insert(items.end(), shape.solids.begin(), shape.solids.end());
  items.insert(items.end(), shape.sheets.begin(), shape.sheets.end());
  const std::string_view kind = shape.sheets.empty()   ? "ADVANCED_BREP_SHAPE_REPRESENTATION"
                                : shape.solids.empty() ? "MANIFOLD_SURFACE_SHAPE_REPRESENTATION"
                                                       : "SHAPE_REPRESENTATION";
  const StepId representation = step.add(std::string(kind) + '(' + step_string(name) + ',' + step_refs(items) + ',' +
                                         step_ref(contexts.geometry) + ')');
  return write_product(step, contexts, id, name, representation);
}

StepProduct write_subassembly(StepText& step, const StepContexts& contexts, const std::string& id,
                              const std::string& name, const std::vector<StepOccurrence>& children) {
  std::vector<StepId> places{contexts.origin};
  for (const StepOccurrence& child : children) places.push_back(write_pose(step, child.pose));
  const StepId representation = step.add("SHAPE_REPRESENTATION(" + step_string(name) + ',' + step_refs(places) + ',' +
                                         step_ref(contexts.geometry) + ')');
  const StepProduct whole = write_product(step, contexts, id, name, representation);
  for (std::size_t i = 0; i < children.size(); ++i) {
    const StepOccurrence& child = children[i];
    const StepId usage =
        step.add("NEXT_ASSEMBLY_USAGE_OCCURRENCE('" + std::to_string(i + 1) + "'," + step_string(child.name) + ",''," +
                 step_ref(whole.definition) + ',' + step_ref(child.product.definition) + ",$)");
    const StepId property = step.add("PRODUCT_DEFINITION_SHAPE('',''," + step_ref(usage) + ')');
    const StepId move = step.add("ITEM_DEFINED_TRANSFORMATION('',''," + step_ref(contexts.origin) + ',' +
                                 step_ref(places[i + 1]) + ')');
    const StepId relation = step.add("(REPRESENTATION_RELATIONSHIP('',''," + step_ref(child.product.shape) + ',' +
                                     step_ref(whole.shape) + ")REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(" +
                                     step_ref(move) + ")SHAPE_REPRESENTATION_RELATIONSHIP())");
    (void)step.add("CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(" + step_ref(relation) + ',' + step_ref(property) + ')');
  }
  return whole;
}

void write_colors(StepText& step, const StepContexts& contexts, const std::vector<std::pair<StepId, Rgba>>& colors) {
  if (colors.empty()) return;
  std::map<Rgba, StepId> known;
  const auto style = [&](const Rgba& color) {
    StepId& id = known[color];
    if (id != 0) return id;
    const auto share = [&](std::size_t channel) { return step_real(color.at(channel) / 255.0); };
    const StepId rgb = step.add("COLOUR_RGB(''," + share(0) + ',' + share(1) + ',' + share(2) + ')');
    const StepId fill = step.add("FILL_AREA_STYLE_COLOUR(''," + step_ref(rgb) + ')');
    const StepId area = step.add("FILL_AREA_STYLE('',(" + step_ref(fill) + "))");
    std::vector<StepId> looks{step.add("SURFACE_STYLE_FILL_AREA(" + step_ref(area) + ')')};
    if (color[3] < 255) {
      const StepId clear = step.add("SURFACE_STYLE_TRANSPARENT(" + step_real((255 - color[3]) / 255.0) + ')');
      looks.push_back(step.add("SURFACE_STYLE_RENDERING_WITH_PROPERTIES(.NORMAL_SHADING.," + step_ref(rgb) + ",(" +
                               step_ref(clear) + "))"));
    }
    const StepId side = step.add("SURFACE_SIDE_STYLE(''," + step_refs(looks) + ')');
    const StepId usage = step.add("SURFACE_STYLE_USAGE(.BOTH.," + step_ref(side) + ')');
    return id = step.add("PRESENTATION_STYLE_ASSIGNMENT((" + step_ref(usage) + "))");
  };
  std::vector<StepId> styled;
  for (const auto& [item, color] : colors) {
    const StepId look = style(color);
    styled.push_back(step.add("STYLED_ITEM('color',(" + step_ref(look) + ")," + step_ref(item) + ')'));
  }
  (void)step.add("MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION(''," + step_refs(styled) + ',' +
                 step_ref(contexts.geometry) + ')');
}

}  // namespace snug::io
