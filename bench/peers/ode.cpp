// ODE: two trimesh geoms (OPCODE inside). It tells contacts, not pairs, and merges those that lie close together, so its
// "all pairs" are the pairs its contacts name.

#include "bench/peers/factories.hpp"

#include <ode/ode.h>

#include <cstdarg>

namespace snug::bench {

namespace {

constexpr int k_most_contacts = 0xffff;  // as many as its interface can be asked for

/// The library's global state, set up by the first body.
void start_ode() {
  static const bool started = dInitODE2(0) != 0 && dAllocateODEDataForThread(dAllocateMaskAll) != 0;
  (void)started;
  // It writes thousands of lines about contacts it does not merge; writing them would count as its time.
  dSetMessageHandler([](int, const char*, va_list) {});
}

class OdeBody final : public Body {
 public:
  explicit OdeBody(const Mesh& mesh) {
    start_ode();
    vertices_.reserve(3 * mesh.vertices().size()), indices_.reserve(3 * mesh.triangles().size());
    for (const Point3& v : mesh.vertices())
      for (const double x : {v.x, v.y, v.z}) vertices_.push_back(x);
    for (const Index3& t : mesh.triangles())
      for (const std::uint32_t i : t) indices_.push_back(i);
    data_ = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data_, vertices_.data(), 3 * sizeof(double), static_cast<int>(mesh.vertices().size()),
                                indices_.data(), static_cast<int>(indices_.size()), 3 * sizeof(dTriIndex));
  }
  ~OdeBody() override { dGeomTriMeshDataDestroy(data_); }
  OdeBody(const OdeBody&) = delete;
  OdeBody& operator=(const OdeBody&) = delete;
  dTriMeshDataID data() const { return data_; }

 private:
  std::vector<double> vertices_;
  std::vector<dTriIndex> indices_;
  dTriMeshDataID data_;
};

class OdeQueries final : public PairQueries {
 public:
  OdeQueries(dTriMeshDataID a, dTriMeshDataID b)
      : a_(dCreateTriMesh(nullptr, a, nullptr, nullptr, nullptr)),
        b_(dCreateTriMesh(nullptr, b, nullptr, nullptr, nullptr)),
        contacts_(k_most_contacts) {}
  ~OdeQueries() override { dGeomDestroy(a_), dGeomDestroy(b_); }
  OdeQueries(const OdeQueries&) = delete;
  OdeQueries& operator=(const OdeQueries&) = delete;

  void place(const Pose& a, const Pose& b) override { place(a_, a), place(b_, b); }
  void find_all() override { count_ = dCollide(a_, b_, k_most_contacts, contacts_.data(), sizeof(dContactGeom)); }
  bool find_first() override {
    count_ = dCollide(a_, b_, 1 | static_cast<int>(CONTACTS_UNIMPORTANT), contacts_.data(), sizeof(dContactGeom));
    return count_ > 0;
  }
  void pairs(std::vector<IdPair>& out) const override {
    out.clear();
    for (int i = 0; i < count_; ++i) {
      const dContactGeom& contact = contacts_[static_cast<std::size_t>(i)];
      out.push_back({static_cast<std::uint32_t>(contact.side1), static_cast<std::uint32_t>(contact.side2)});
    }
  }

 private:
  static void place(dGeomID geom, const Pose& pose) {
    const auto& m = pose.matrix();
    const dMatrix3 rotation = {m[0], m[1], m[2], 0, m[3], m[4], m[5], 0, m[6], m[7], m[8], 0};
    dGeomSetRotation(geom, rotation);
    dGeomSetPosition(geom, pose.translation().x, pose.translation().y, pose.translation().z);
  }
  dGeomID a_, b_;
  std::vector<dContactGeom> contacts_;
  int count_ = 0;
};

class Ode final : public Engine {
 public:
  std::string_view name() const override { return "ode"; }
  std::string version() const override { return dODE_VERSION; }
  Trust trust() const override { return Trust::rough; }
  bool can(Query query) const override { return query != Query::distance; }
  bool fragile() const override { return true; }
  std::unique_ptr<Body> build(const Mesh& mesh) const override { return std::make_unique<OdeBody>(mesh); }
  std::unique_ptr<PairQueries> pair(const Body& a, const Body& b) const override {
    return std::make_unique<OdeQueries>(static_cast<const OdeBody&>(a).data(), static_cast<const OdeBody&>(b).data());
  }
};

}  // namespace

std::unique_ptr<Engine> make_ode() { return std::make_unique<Ode>(); }

}  // namespace snug::bench
