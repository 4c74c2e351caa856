#include "physics/children.hpp"

#include <BulletCollision/BroadphaseCollision/btOverlappingPairCache.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace snug::bullet {

namespace {

/// Calls work(i) for every i below `count`, on up to `threads` threads. What is first thrown reaches the caller.
template <class Work>
void share_out(std::size_t count, unsigned threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr thrown;
  std::mutex mutex;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned t = 1; t < threads && t < count; ++t) {
    try {
      helpers.emplace_back(run);
    } catch (const std::system_error&) {
      break;  // the others do it
    }
  }
  run();
  for (std::thread& helper : helpers) helper.join();
  if (thrown) std::rethrow_exception(thrown);
}

struct Job {
  Algorithm* algorithm = nullptr;
  PlacedShape first, second;
  bool asked = false;
};

/// Where meshes are in a step, each found once however many pairs it is in.
class MeshPoses {
 public:
  void add(const btCollisionObject& object) {
    const int at = object.getWorldArrayIndex();
    if (object.getCollisionShape()->getShapeType() != FAST_CONCAVE_MESH_PROXYTYPE || at < 0) return;
    const auto place = static_cast<std::size_t>(at);
    if (place >= places_.size()) places_.resize(place + 1);
    if (places_[place].object == &object) return;
    const auto& mesh = static_cast<const MeshShape&>(*object.getCollisionShape());
    places_[place] = {&object, mesh.pose_at(object.getWorldTransform())};
  }
  /// Nothing if it was not added. Stays until another one is.
  [[nodiscard]] const Pose* of(const PlacedShape& placed) const {
    const auto place = static_cast<std::size_t>(placed.object->getWorldArrayIndex());  // -1: beyond all
    const bool known = place < places_.size() && places_[place].object == placed.object;
    return known && placed.shape == placed.object->getCollisionShape() ? &places_[place].pose : nullptr;
  }
  [[nodiscard]] Algorithm::Poses of(const Job& job) const { return {of(job.first), of(job.second)}; }

 private:
  struct Known {
    const btCollisionObject* object = nullptr;
    Pose pose;
  };
  std::vector<Known> places_;  ///< by the object's number in its world
};

PlacedShape placed(const btCollisionObject& object) {
  return {&object, object.getCollisionShape(), object.getWorldTransform()};
}

/// Asks for the contacts of all that can be asked for together, and tells what that took.
ContactStats find_together(std::vector<Job>& jobs, const MeshPoses& poses, unsigned threads, ContactBatch& batch) {
  std::vector<TrackedPair> pairs;
  for (Job& job : jobs) {
    TrackedPair pair;
    job.asked = job.algorithm->ask(job.first.wrapped(), job.second.wrapped(), poses.of(job), pair);
    if (job.asked) pairs.push_back(pair);
  }
  batch.step(pairs, threads);
  ContactStats stats;
  for (const TrackedPair& pair : pairs) stats += pair.out->stats;
  return stats;
}

}  // namespace

Dispatcher::Dispatcher(btCollisionConfiguration* configuration, unsigned threads, const Settings& settings)
    : btCollisionDispatcher(configuration),
      threads_(threads == 0 ? 1 : threads),
      together_(settings.contacts.device == Device::opencl),
      children_(std::make_unique<Children>()) {
  install(*this, settings);
}

Dispatcher::~Dispatcher() = default;

btCollisionAlgorithm* Dispatcher::findAlgorithm(const btCollisionObjectWrapper* first,
                                                const btCollisionObjectWrapper* second, btPersistentManifold* shared,
                                                ebtDispatcherQueryType type) {
  btCollisionAlgorithm* const found = btCollisionDispatcher::findAlgorithm(first, second, shared, type);
  if (auto* ours = type == BT_CONTACT_POINT_ALGORITHMS ? dynamic_cast<Algorithm*>(found) : nullptr)
    children_->add(*ours, *first, *second);
  return found;
}

void Dispatcher::freeCollisionAlgorithm(void* algorithm) {
  children_->remove(algorithm);
  btCollisionDispatcher::freeCollisionAlgorithm(algorithm);
}

void Dispatcher::dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info,
                                           btDispatcher* dispatcher) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t processor_start = std::clock();
  std::vector<Job> jobs;
  MeshPoses poses;
  btBroadphasePairArray& all = pairs->getOverlappingPairArray();
  work_ = {};
  for (int i = 0; i < all.size(); ++i) {
    btBroadphasePair& pair = all[i];
    auto* first = static_cast<btCollisionObject*>(pair.m_pProxy0->m_clientObject);
    auto* second = static_cast<btCollisionObject*>(pair.m_pProxy1->m_clientObject);
    if (!needsCollision(first, second)) continue;
    ++work_.pairs;
    if (pair.m_algorithm == nullptr) {
      const PlacedShape at_first = placed(*first), at_second = placed(*second);
      const btCollisionObjectWrapper a = at_first.wrapped(), b = at_second.wrapped();
      pair.m_algorithm = findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    }
    if (auto* ours = dynamic_cast<Algorithm*>(pair.m_algorithm)) {
      jobs.push_back({ours, placed(*first), placed(*second)});
      poses.add(*first), poses.add(*second);
    }
  }
  children_->for_each_near([&](Algorithm& algorithm, const PlacedShape& first, const PlacedShape& second) {
    if (needsCollision(first.object, second.object)) jobs.push_back({&algorithm, first, second});
  });

  if (together_) {
    const ContactStats stats = find_together(jobs, poses, threads_, batch_);
    work_.device_rays = stats.device_rays, work_.redone_rays = stats.redone_rays;
  }
  const btScalar step = info.m_useContinuous ? info.m_timeStep : 0;
  share_out(jobs.size(), threads_, [&](std::size_t i) {
    const Job& job = jobs[i];
    const btCollisionObjectWrapper a = job.first.wrapped(), b = job.second.wrapped();
    job.asked ? job.algorithm->take(a, b, step) : job.algorithm->prepare(a, b, poses.of(job), step);
  });
  btCollisionDispatcher::dispatchAllCollisionPairs(pairs, info, dispatcher);
  children_->forget_prepared();
  work_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  work_.processor_seconds = static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;
}

}  // namespace snug::bullet
