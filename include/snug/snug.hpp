#pragma once

/// Everything. The library in one line: do parts touch, where, when and how deep?
#include <snug/analytic.hpp>
#include <snug/assembly.hpp>
#include <snug/certificate.hpp>
#include <snug/check.hpp>
#include <snug/diagnostics.hpp>
#include <snug/distance.hpp>
#include <snug/inspect.hpp>
#include <snug/io.hpp>
#include <snug/mesh.hpp>
#include <snug/motion.hpp>
#include <snug/page.hpp>
#include <snug/pose.hpp>
#include <snug/predicates.hpp>
#include <snug/progress.hpp>
#include <snug/query.hpp>
#include <snug/report.hpp>
#include <snug/result.hpp>
#include <snug/scene.hpp>
#include <snug/shape.hpp>
#include <snug/shape_cache.hpp>
#include <snug/solid.hpp>
#include <snug/triangle.hpp>
#include <snug/vec.hpp>
#include <snug/verdict.hpp>
#include <snug/version.hpp>
