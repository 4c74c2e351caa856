#pragma once

#include "shape/posed.hpp"
#include "support/rooms.hpp"

#include <snug/cast.hpp>
#include <snug/progress.hpp>
#include <snug/query.hpp>

#include <optional>
#include <vector>

namespace snug::scene {

/// How two bodies are asked. What is found after a cancel means nothing: whoever gave the token looks at it afterwards.
struct HowToAsk {
  QueryOptions query;
  const CancelToken* cancel = nullptr;
};

// The queries of two bodies, which a cancel ends.

[[nodiscard]] bool meet(const Posed& a, const Posed& b, Scratch& scratch, const HowToAsk& how);
[[nodiscard]] bool within(const Posed& a, const Posed& b, double clearance, Scratch& scratch, const HowToAsk& how);
/// As SceneContacts lists them. `meeting` is working memory.
void contacts(const Posed& a, const Posed& b, Scratch& scratch, const HowToAsk& how,
              std::vector<std::uint32_t>& meeting, std::vector<TrianglePair>& out);
/// Builds what searches of the shape need. False if cancelled.
[[nodiscard]] bool prepared(const Shape& shape, const CancelToken* cancel);

}  // namespace snug::scene
