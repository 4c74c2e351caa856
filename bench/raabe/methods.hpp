#pragma once

#include "bench/figueiredo/assembly_steps.hpp"
#include "bench/pairs/two_bodies.hpp"

#include <snug/query.hpp>

#include <string>
#include <vector>

namespace snug::bench::raabe {

/// One of our methods with its settings.
struct Setting {
  std::string name;
  QueryOptions options;
};
[[nodiscard]] Setting dop_setting(std::string name, unsigned axes);
/// Words of `width` bits: b = c = z = width - 1.
[[nodiscard]] Setting fixed_setting(std::string name, unsigned width, unsigned axes);

/// Two equal bodies at a list of poses.
class MethodBodies final : public pairs::Contender {
 public:
  MethodBodies(Setting setting, Shape shape, const std::vector<pairs::PosePair>& poses)
      : Contender(setting.name, Trust::exact, false),
        options_(setting.options),
        shape_(std::move(shape)),
        poses_(poses) {}

  void prepare(std::size_t step) override { at_ = &poses_[step % poses_.size()]; }
  void run(Query query) override;
  pairs::Answer answer(Query query) override;

  /// What all poses take, in the mean.
  struct Work {
    double node_pairs = 0, leaf_pairs = 0, found = 0;
    std::size_t most_pending = 0, most_images = 0;
  };
  [[nodiscard]] Work work();

 private:
  QueryOptions options_;
  Shape shape_;
  const std::vector<pairs::PosePair>& poses_;
  const pairs::PosePair* at_ = nullptr;
  Scratch scratch_;
  std::vector<TrianglePair> found_;
};

/// All pairs of parts at a step of an assembly.
class MethodSteps final : public pairs::Contender {
 public:
  MethodSteps(Setting setting, const figueiredo::AssemblySteps& steps)
      : Contender(setting.name, Trust::exact, false), options_(setting.options), steps_(steps) {}

  void prepare(std::size_t step) override { meetings_ = &steps_.steps[steps_.spread[step % steps_.spread.size()]]; }
  void run(Query query) override;
  pairs::Answer answer(Query query) override;

 private:
  QueryOptions options_;
  const figueiredo::AssemblySteps& steps_;
  const std::vector<figueiredo::AssemblySteps::Meeting>* meetings_ = nullptr;
  Scratch scratch_;
  std::vector<std::vector<TrianglePair>> found_;
};

}  // namespace snug::bench::raabe
