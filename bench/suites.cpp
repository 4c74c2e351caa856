#include "bench/suites.hpp"

#include <array>

namespace snug::bench {

namespace {

constexpr std::array k_suites{
    Suite{"pairs", "all pairs, first pair, distance and build of two bodies, beside FCL, Bullet, ODE, CGAL and Embree",
          run_pairs},
    Suite{"broad", "which of many moving boxes meet, step after step, beside FCL's dynamic tree and Embree", run_broad},
    Suite{"track", "moving pairs asked step after step, by a tracker and from scratch", run_track},
    Suite{"haptic", "a probe in a box at 1 kHz: the slowest of a million steps", run_haptic},
    Suite{"haptic-paths",
          "probes that rub on a dragon of 200,000 triangles and are driven through it: jumps and slowest steps",
          run_haptic_paths},
    Suite{"hard", "hard cases beside the ordinary case of the same query: each within ten times of it", run_hard},
    Suite{"deform", "bodies that change their form: refitted trees beside new ones", run_deform},
    Suite{"self", "where meshes meet themselves, beside CGAL", run_self},
    Suite{"rays", "single rays at a mesh of 60,000 triangles, beside Embree", run_rays},
    Suite{"figueiredo", "the tables of Figueiredo (2010): surfaces that meet while assemblies are put together",
          run_figueiredo},
    Suite{"raabe", "the software figures of Raabe et al. (2006): 24-DOPs in floating and in fixed point", run_raabe},
    Suite{"lehericey", "the tables and figures of Lehericey et al. (2013): contacts by rays, beside Bullet's GImpact",
          run_lehericey},
    Suite{"physics", "simulations that are hard on contacts: rest, creep, energy and time, beside Bullet's GImpact",
          run_physics},
    Suite{"regions", "contacts by regions beside contacts(): time, and what is free after one push",
          run_contact_regions},
    Suite{"manifolds",
          "contact manifolds beside translations that are known: wrong ways, depths, and what pushes leave",
          run_manifolds},
    Suite{"continuity",
          "contact forces along smooth motions, by regions, by rays and by Bullet's GImpact: how far they jump",
          run_continuity},
    Suite{"depth", "how deep primitives are in one another, beside FCL", run_depth},
    Suite{"devices", "rays and DOP-trees on one OpenCL device and on two, after Lehericey et al. (2013)", run_devices},
    Suite{"io", "loading files of 100 MB", run_io},
    Suite{"kitamura", "spheres that approach and turn over 72 cycles, after Kitamura et al.: the sweep of one step",
          run_kitamura},
    Suite{"tritri", "what exactness costs in the test of two triangles", run_tritri},
    Suite{"ccd", "first contact of moving vertices, faces and edges: labelled queries, beside a plain cubic solver",
          run_ccd},
    Suite{"paths", "first contact of bodies on their ways: right answers, error and time, beside FCL", run_paths},
};

}  // namespace

std::span<const Suite> suites() noexcept { return k_suites; }

}  // namespace snug::bench
