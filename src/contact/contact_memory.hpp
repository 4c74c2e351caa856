#pragma once

#include "contact/pair_contact.hpp"
#include "support/fuel.hpp"
#include "support/rooms.hpp"

#include <snug/query.hpp>
#include <snug/vec.hpp>

#include <cstdint>
#include <vector>

namespace snug::contact {

/// A vertex to cast rays from.
struct RayStart {
  std::uint32_t vertex;
  bool outside;  ///< for certain: there is no use in looking for a contact, only for a prediction
};

/// What contacts keep from call to call.
struct ContactMemory {
  std::vector<TrianglePair> pairs;  ///< of triangles that meet
  std::vector<RayStart> starts;
  /// While pairs are put together to places where bodies meet.
  std::vector<std::uint32_t> parent, by_a;
  std::vector<double> deepest;    ///< contact that tells of a place, by its first pair; negative if none does
  std::vector<PairWay> shortest;  ///< way out of a place that vertices do not tell of, by its first pair
  std::vector<PairWay> ways;      ///< of pairs, as far as they were asked for
  /// Triangles that cross, posed, with their normals out of their bodies.
  struct Crossed {
    Triangle a, b;
    Vec3 out_a, out_b;
  };
  std::vector<Crossed> crossed;  ///< of one place
  std::vector<PairWay> offered;  ///< ways that may part them
  /// A vertex whose ray is a contact: side and number, ascending.
  struct Telling {
    std::uint64_t key;
    double depth;
  };
  std::vector<Telling> sources;
  std::vector<bool> told, meets;      ///< shells
  std::vector<std::uint32_t> inside;  ///< shells that float inside the other body

  /// Where an edge of one body passes through a triangle of the other.
  struct Crossing {
    std::uint32_t place, from, to;  ///< vertices it runs between, the one with the smaller number first
    std::uint32_t triangle;         ///< that has the edge
    std::uint32_t through;          ///< the one of the other
    std::uint8_t side;              ///< which of its sides it is
    bool of_a, enters;
    double at;  ///< share of the edge
    Point3 point;
  };
  std::vector<Crossing> crossings;
  /// Where a ray of an edge may be cast from.
  struct EdgeRay {
    std::uint32_t crossing;
    Point3 origin;
    Vec3 direction;
    double apart;  ///< from the nearest contact
  };
  std::vector<EdgeRay> edge_rays;
  /// Where a contact is, by its number.
  struct ToldAt {
    Point3 at;
    std::uint32_t contact;
  };
  std::vector<ToldAt> told_at;
  std::vector<Point3> told_points;  ///< the same for PointTree
  std::vector<Aabb> told_boxes;

  Fuel* fuel = nullptr;  ///< of a call under a budget
  /// False once the budget is spent: whatever is found from then on means nothing.
  bool spend(std::uint64_t steps) noexcept { return fuel == nullptr || fuel->spend(steps); }
};

}  // namespace snug::contact
