#pragma once

#include <TopoDS_Face.hxx>

namespace snug::importer {

/// Meshes a face that the kernel left without triangles, in the parameters of its surface, if that is a plane, cylinder, cone,
/// sphere or torus. Along its edges it takes the nodes that faces beside it have, so that they join; edges that no meshed
/// face shares are divided here. Sag and angle (radians) bound the sides inside the face. False, and nothing is changed, if
/// its boundary is not closed in the parameters or crosses itself.
bool mesh_analytic(const TopoDS_Face& face, double sag, double angle);

}  // namespace snug::importer
