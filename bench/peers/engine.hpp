#pragma once

#include <snug/mesh.hpp>
#include <snug/pose.hpp>

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The one interface behind which our engine and the peers stand. What is timed is marked; the rest is preparation and
// reading of results, which no engine is charged for.

namespace snug::bench {

enum class Query : std::uint8_t { all, first, distance };
[[nodiscard]] std::string_view to_string(Query query) noexcept;

struct IdPair {
  std::uint32_t a = 0, b = 0;
  friend auto operator<=>(const IdPair&, const IdPair&) = default;
};

/// A mesh with an engine's search structure.
class Body {
 public:
  virtual ~Body() = default;
  /// Of mesh and search structure, as the engine itself tells it; 0 if it does not.
  [[nodiscard]] virtual std::size_t bytes() const { return 0; }
};

/// Two bodies of one engine, which outlive this.
class PairQueries {
 public:
  virtual ~PairQueries() = default;
  virtual void place(const Pose& a, const Pose& b) = 0;
  virtual void find_all() = 0;     ///< timed
  virtual bool find_first() = 0;   ///< timed
  virtual double find_distance();  ///< timed; only of engines that can
  /// What find_all() has found, in any order, pairs perhaps more than once.
  virtual void pairs(std::vector<IdPair>& out) const = 0;
};

/// What an engine's answers are worth.
enum class Trust : std::uint8_t {
  exact,    ///< decides like the exact test but for the rounding of poses
  careful,  ///< in double precision, without epsilons worth mentioning
  rough,    ///< known to report spurious pairs or to miss some
};

class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string version() const = 0;
  [[nodiscard]] virtual Trust trust() const = 0;
  [[nodiscard]] virtual bool can(Query query) const = 0;
  /// True if it is known to crash or to abort on some input; it is then run under guard.
  [[nodiscard]] virtual bool fragile() const { return false; }
  [[nodiscard]] virtual unsigned threads() const { return 1; }

  /// True if threads() counts for building too.
  [[nodiscard]] virtual bool builds_in_parallel() const { return false; }

  /// Timed by the build benchmark. The mesh must outlive the body.
  [[nodiscard]] virtual std::unique_ptr<Body> build(const Mesh& mesh) const = 0;
  /// Null if the engine only builds.
  [[nodiscard]] virtual std::unique_ptr<PairQueries> pair(const Body& a, const Body& b) const = 0;
};

/// Ours first, then the peers found at configure time.
[[nodiscard]] std::span<const Engine* const> engines();
/// nullptr if there is none of that name.
[[nodiscard]] const Engine* find_engine(std::string_view name);
/// Ours, with so many threads for each query and build.
[[nodiscard]] std::unique_ptr<Engine> make_ours(unsigned threads);

}  // namespace snug::bench
