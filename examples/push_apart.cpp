// A peg that was pushed into a plate too far is moved back until it no more than touches.
#include <snug/snug.hpp>

#include <cstdio>

int main() {
  const snug::Shape peg(snug::Primitive::capsule(0.5, 4).value()), plate(snug::Primitive::box({10, 10, 1}).value());
  snug::Scratch scratch;
  snug::Pose pose = snug::translation(1, 2, 2.25);
  const snug::SignedDistance d = snug::signed_distance(peg, pose, plate, {}, scratch);
  std::printf("%.3f along (%.3f, %.3f, %.3f)\n", d.value, d.normal.x, d.normal.y, d.normal.z);
  if (d.value < 0) {
    const snug::Vec3 out = -d.value * d.normal;
    pose = snug::compose(snug::translation(out.x, out.y, out.z), pose);
  }
  std::printf("%.3f\n", snug::signed_distance(peg, pose, plate, {}, scratch).value + 0.0);
}
