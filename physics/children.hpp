#pragma once

#include "physics/algorithm.hpp"

#include <list>
#include <unordered_map>
#include <vector>

class btCompoundShape;

namespace snug::bullet {

/// A shape where it is in the world: a body's own, or a child of its compound.
struct PlacedShape {
  const btCollisionObject* object = nullptr;
  const btCollisionShape* shape = nullptr;
  btTransform at;

  [[nodiscard]] btCollisionObjectWrapper wrapped() const { return {nullptr, shape, object, at, -1, -1}; }
};

/// The algorithms of children of compounds. Bullet keeps them inside of those of the compounds, where nobody can ask them ahead of
/// time; so they are noted as they come and go.
class Children {
 public:
  /// Does nothing unless one of both is a child.
  void add(Algorithm& algorithm, const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second);
  void remove(const void* algorithm);

  /// Calls use(algorithm, first, second) for all that Bullet is likely to ask next, by where their boxes are: in the order in which
  /// they were added.
  template <class Use>
  void for_each_near(const Use& use) const {
    for (const Child& child : all_) {
      PlacedShape first, second;
      if (child.first.find(first) && child.second.find(second) && near(first, second))
        use(*child.algorithm, first, second);
    }
  }
  /// What was found ahead and not asked for is of no use any more.
  void forget_prepared();

 private:
  /// The way to a shape from the body it belongs to.
  struct Path {
    struct Step {
      const btCompoundShape* compound = nullptr;
      int child = 0, revision = 0;
    };
    const btCollisionObject* object = nullptr;
    const btCollisionShape* shape = nullptr;
    std::vector<Step> steps;  ///< the outermost first

    explicit Path(const btCollisionObjectWrapper& wrapper);
    /// False if compounds have changed since: Bullet is going to make new algorithms.
    bool find(PlacedShape& placed) const;
  };
  struct Child {
    Algorithm* algorithm = nullptr;
    Path first, second;
  };
  [[nodiscard]] static bool near(const PlacedShape& first, const PlacedShape& second);

  std::list<Child> all_;                                            ///< as they were added
  std::unordered_map<const void*, std::list<Child>::iterator> at_;  ///< by algorithm; nobody goes through it
};

}  // namespace snug::bullet
