#pragma once

#include <snug/export.hpp>
#include <snug/progress.hpp>
#include <snug/query.hpp>
#include <snug/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace snug {

/// A proof that two posed bodies share no point. Triangles are listed in an order of the certificate's own, and each entry
/// keeps a run of a's triangles apart from a run of b's by a plane; together the entries cover every pair. It is checked
/// without any tree or search, by check().
struct SeparationCertificate {
  struct Entry {
    std::uint32_t a_begin = 0, a_end = 0, b_begin = 0, b_end = 0;  ///< runs in order_a and order_b
    /// normal . p < offset for all of a's corners p, and > for all of b's. A zero normal stands for two single triangles
    /// too close for a plane in doubles, which relation() tells apart.
    Vec3 normal;
    double offset = 0;
  };
  std::vector<std::uint32_t> order_a, order_b;  ///< every triangle once
  std::vector<Entry> entries;
};

/// The proof, or nothing if the bodies' triangles share a point, a pose is invalid or a body is a primitive.
[[nodiscard]] SNUG_API std::optional<SeparationCertificate> separation_certificate(const Shape& a, const Pose& pose_a,
                                                                                   const Shape& b, const Pose& pose_b,
                                                                                   Scratch& scratch);
/// The same for those who want to watch it or be able to end it.
[[nodiscard]] SNUG_API Result<std::optional<SeparationCertificate>, Cancelled> separation_certificate(
    const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, Scratch& scratch, const Watch& watch);

/// What is wrong with a certificate for these bodies, if anything. Takes time in proportion to its size and to the corners of
/// the runs it names.
[[nodiscard]] SNUG_API std::optional<std::string> check(const SeparationCertificate& certificate, const Mesh& a,
                                                        const Pose& pose_a, const Mesh& b, const Pose& pose_b);
/// The same for those who want to watch it or be able to end it.
[[nodiscard]] SNUG_API Result<std::optional<std::string>, Cancelled> check(const SeparationCertificate& certificate,
                                                                           const Mesh& a, const Pose& pose_a,
                                                                           const Mesh& b, const Pose& pose_b,
                                                                           const Watch& watch);

}  // namespace snug
