#include "physics/headless/world.hpp"

#include "geometry/vec_ops.hpp"
#include "support/sha256.hpp"

#include <snug/bullet.hpp>

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <map>
#include <tuple>

namespace snug::headless {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

btVector3 to_bullet(const Vec3& v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}
Vec3 from_bullet(const btVector3& v) {
  return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

Pose scaled(const Pose& pose, double scale) { return Pose::make(pose.rotation(), scale * pose.translation()).value(); }

/// Bullet's own, with a clock.
class TimedDispatcher final : public btCollisionDispatcher {
 public:
  using btCollisionDispatcher::btCollisionDispatcher;
  void dispatchAllCollisionPairs(btOverlappingPairCache* pairs, const btDispatcherInfo& info,
                                 btDispatcher* dispatcher) override {
    const auto start = Clock::now();
    const std::clock_t processor_start = std::clock();
    btCollisionDispatcher::dispatchAllCollisionPairs(pairs, info, dispatcher);
    seconds = seconds_since(start);
    processor_seconds = static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;
  }
  double seconds = 0, processor_seconds = 0;
};

/// Bullet does that to bodies whose box, with what it sweeps in a step, is beyond all measure.
bool is_given_up(const btRigidBody& body) { return body.getActivationState() == DISABLE_SIMULATION; }

/// What parts with the same mesh share.
struct Model {
  bullet::BodyMass unit;  ///< of density 1
  Pose in_body;           ///< the mesh in the body's frame
  std::unique_ptr<btTriangleMesh> triangles;
  std::unique_ptr<btCollisionShape> shape;
};

std::unique_ptr<Model> make_model(const Mesh& mesh, const WorldOptions& options) {
  auto model = std::make_unique<Model>();
  model->unit = bullet::body_mass(mesh, 1);
  model->in_body = inverse(model->unit.frame);
  if (options.engine == WorldOptions::Engine::snug) {
    model->shape = std::make_unique<bullet::MeshShape>(Shape(mesh), model->in_body);
    return model;
  }
  model->triangles = std::make_unique<btTriangleMesh>();
  for (std::size_t t = 0; t < mesh.triangles().size(); ++t) {
    const Triangle c = mesh.view().triangle(t);
    model->triangles->addTriangle(to_bullet(model->in_body.apply(c[0])), to_bullet(model->in_body.apply(c[1])),
                                  to_bullet(model->in_body.apply(c[2])));
  }
  auto shape = std::make_unique<btGImpactMeshShape>(model->triangles.get());
  shape->setMargin(static_cast<btScalar>(options.gimpact_margin));
  shape->updateBound();
  model->shape = std::move(shape);
  return model;
}

/// Bodies that are slower than this for a while fall asleep: a tenth of the speed that a fall by their own size gives them. Bullet's
/// own limits, 0.8 m/s and 1 rad/s, would stop whatever slides slowly, and small bodies at any speed; where nothing falls, nothing has to rest.
void set_sleeping_speed(btRigidBody& body, double size, double gravity) {
  const double speed = 0.1 * std::sqrt(gravity * size);
  body.setSleepingThresholds(static_cast<btScalar>(std::min(0.8, speed)),
                             static_cast<btScalar>(size > 0 ? std::min(1.0, speed / size) : 0.0));
}

}  // namespace

struct World::Data {
  struct Body {
    const Model* model = nullptr;
    std::unique_ptr<btRigidBody> body;
    double release = 0;
    bool fixed = false, there = false;
  };

  double metre = 1;  ///< in the assembly's units
  double dt = 0;
  bool sleep = true;
  Vec3 gravity;
  std::uint64_t steps = 0;
  StepWork work;

  // Those below use those above: they go first.
  btDefaultCollisionConfiguration configuration;
  std::unique_ptr<btCollisionDispatcher> dispatcher;
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  std::vector<std::unique_ptr<Model>> models;
  std::unique_ptr<btDiscreteDynamicsWorld> world;
  std::vector<Body> bodies;

  void add(Body& body) {
    body.there = true;
    world->addRigidBody(body.body.get());
  }
  [[nodiscard]] Pose pose(const Body& body) const {
    return compose(bullet::pose_of(body.body->getWorldTransform()), body.model->in_body);
  }
};

World::World(const WorldScene& scene, const WorldOptions& options) : data_(std::make_unique<Data>()) {
  Data& d = *data_;
  const double unit = metres_per(scene.assembly.units());
  d.metre = 1 / unit;
  d.dt = 1 / scene.rate_hz;
  d.sleep = options.sleep;
  d.gravity = unit * scene.gravity;
  if (options.engine == WorldOptions::Engine::snug) {
    d.dispatcher = std::make_unique<bullet::Dispatcher>(&d.configuration, options.threads,
                                                        bullet::Settings{.contacts = options.contacts});
  } else {
    d.dispatcher = std::make_unique<TimedDispatcher>(&d.configuration);
    btGImpactCollisionAlgorithm::registerAlgorithm(d.dispatcher.get());
  }
  d.world = std::make_unique<btDiscreteDynamicsWorld>(d.dispatcher.get(), &d.broad_phase, &d.solver, &d.configuration);
  d.world->setGravity(to_bullet(d.gravity));

  std::map<const Point3*, const Model*> known;
  for (std::size_t i = 0; i < scene.assembly.parts().size(); ++i) {
    const Part& part = scene.assembly.parts()[i];
    const BodySpec& spec = scene.bodies[i];
    const Model*& model = known[part.mesh.vertices().data()];
    if (model == nullptr)
      model =
          d.models.emplace_back(make_model(converted(part.mesh, scene.assembly.units(), LengthUnit::metre), options))
              .get();
    const double mass = spec.fixed ? 0 : spec.density * model->unit.mass;
    const Vec3 inertia = spec.fixed ? Vec3{} : spec.density * model->unit.inertia;
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, model->shape.get(),
                                                  to_bullet(inertia));
    info.m_startWorldTransform =
        bullet::transform_of(compose(scaled(spec.at.value_or(part.pose), unit), model->unit.frame));
    info.m_friction = static_cast<btScalar>(spec.friction);
    info.m_restitution = static_cast<btScalar>(spec.restitution);
    Data::Body& body = d.bodies.emplace_back();
    body.model = model;
    body.fixed = spec.fixed;
    body.release = spec.release;
    body.body = std::make_unique<btRigidBody>(info);
    body.body->setUserIndex(static_cast<int>(i));
    body.body->setLinearVelocity(to_bullet(unit * spec.velocity));
    body.body->setAngularVelocity(to_bullet(spec.spin));
    set_sleeping_speed(*body.body, unit * geometry::max_abs(part.mesh.bounds().hi - part.mesh.bounds().lo),
                       geometry::length_of(d.gravity));
    if (!options.sleep) body.body->setActivationState(DISABLE_DEACTIVATION);
  }
}

World::~World() {
  for (Data::Body& body : data_->bodies)
    if (body.there) data_->world->removeRigidBody(body.body.get());
}

void World::step() {
  Data& d = *data_;
  const auto start = Clock::now();
  for (std::uint32_t i = 0; i < d.bodies.size(); ++i)
    if (is_due(i)) d.add(d.bodies[i]);
  d.work = {};
  d.world->stepSimulation(static_cast<btScalar>(d.dt), 0);
  ++d.steps;
  if (const auto* ours = dynamic_cast<const bullet::Dispatcher*>(d.dispatcher.get())) {
    d.work.pairs = ours->work().pairs;
    d.work.device_rays = ours->work().device_rays;
    d.work.redone_rays = ours->work().redone_rays;
    d.work.narrow_seconds = ours->work().seconds;
    d.work.narrow_processor_seconds = ours->work().processor_seconds;
  } else {
    const auto& theirs = static_cast<const TimedDispatcher&>(*d.dispatcher);
    d.work.narrow_seconds = theirs.seconds;
    d.work.narrow_processor_seconds = theirs.processor_seconds;
    d.work.pairs = static_cast<std::uint64_t>(d.broad_phase.getOverlappingPairCache()->getNumOverlappingPairs());
  }
  for (int m = 0; m < d.dispatcher->getNumManifolds(); ++m)
    d.work.contacts += static_cast<std::uint64_t>(d.dispatcher->getManifoldByIndexInternal(m)->getNumContacts());
  d.work.seconds = seconds_since(start);
}

std::uint64_t World::steps() const noexcept { return data_->steps; }
double World::time() const noexcept { return static_cast<double>(data_->steps) * data_->dt; }
const StepWork& World::work() const noexcept { return data_->work; }

std::size_t World::moving() const noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(data_->bodies, [](const Data::Body& body) { return body.there && !body.fixed; }));
}

bool World::present(std::uint32_t part) const { return data_->bodies[part].there; }

bool World::is_due(std::uint32_t part) const {
  // A little slack: times of release are rounded like those of steps.
  return !present(part) && data_->bodies[part].release <= time() + 1e-9;
}

void World::poses(std::vector<Pose>& out) const {
  out.clear();
  for (const Data::Body& body : data_->bodies) out.push_back(scaled(data_->pose(body), data_->metre));
}

void World::contacts(std::vector<WorldContact>& out) const {
  const Data& d = *data_;
  out.clear();
  for (int m = 0; m < d.dispatcher->getNumManifolds(); ++m) {
    const btPersistentManifold& manifold = *d.dispatcher->getManifoldByIndexInternal(m);
    const auto a = static_cast<std::uint32_t>(manifold.getBody0()->getUserIndex());
    const auto b = static_cast<std::uint32_t>(manifold.getBody1()->getUserIndex());
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
      const btManifoldPoint& p = manifold.getContactPoint(i);
      const Vec3 middle = 0.5 * (from_bullet(p.getPositionWorldOnA()) + from_bullet(p.getPositionWorldOnB()));
      out.push_back(
          {a, b, d.metre * middle, from_bullet(p.m_normalWorldOnB), -d.metre * static_cast<double>(p.getDistance())});
    }
  }
  for (WorldContact& contact : out)
    if (contact.b < contact.a) std::swap(contact.a, contact.b), contact.normal = -contact.normal;
  std::ranges::stable_sort(out, {}, [](const WorldContact& c) { return std::tuple(c.a, c.b); });
}

double World::energy() const {
  double sum = 0;
  for (const Data::Body& each : data_->bodies) {
    if (!each.there || each.fixed) continue;
    const btRigidBody& body = *each.body;
    const double mass = 1 / static_cast<double>(body.getInvMass());
    const btVector3 v = body.getLinearVelocity();
    const btVector3 w = body.getAngularVelocity() * body.getWorldTransform().getBasis();
    const btVector3 i = body.getLocalInertia();
    const double turning = static_cast<double>((w * w).dot(i));
    sum += 0.5 * (mass * static_cast<double>(v.length2()) + turning) -
           mass * static_cast<double>(to_bullet(data_->gravity).dot(body.getWorldTransform().getOrigin()));
  }
  return sum;
}

double World::fastest() const {
  double most = 0;
  for (const Data::Body& each : data_->bodies)
    if (each.there && !each.fixed && (each.body->isActive() || is_given_up(*each.body)))
      most = std::max(most, static_cast<double>(each.body->getLinearVelocity().length()));
  return data_->metre * most;
}

std::vector<std::uint32_t> World::given_up() const {
  std::vector<std::uint32_t> parts;
  for (std::uint32_t i = 0; i < data_->bodies.size(); ++i) {
    const Data::Body& each = data_->bodies[i];
    if (each.there && !each.fixed && is_given_up(*each.body)) parts.push_back(i);
  }
  return parts;
}

bool World::heavy_as_box(std::uint32_t part) const { return !data_->bodies[part].model->unit.closed; }

std::string World::state_hash() const {
  support::Sha256 hash;
  const auto add = [&](const btVector3& v) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto number = static_cast<double>(v[axis]);
      hash.update(std::as_bytes(std::span(&number, 1)));
    }
  };
  for (const Data::Body& each : data_->bodies) {
    const btTransform& at = each.body->getWorldTransform();
    for (int row = 0; row < 3; ++row) add(at.getBasis()[row]);
    add(at.getOrigin());
    add(each.body->getLinearVelocity());
    add(each.body->getAngularVelocity());
  }
  return to_hex(hash.finish());
}

}  // namespace snug::headless
