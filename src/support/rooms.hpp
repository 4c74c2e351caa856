#pragma once

// The namespaces of the rooms of src/. Each sees the rooms below it, in the order of docs/architecture.md, so that a name of a
// room above does not compile.

namespace snug {

namespace support {}
namespace simd {
using namespace support;
}
namespace geometry {
using namespace simd;
}
namespace mesh {
using namespace geometry;
}
namespace model {
using namespace mesh;
}
namespace io {
using namespace model;
}
namespace bvh {
using namespace io;
}
namespace shape {
using namespace bvh;
}
namespace query {
using namespace shape;
}
namespace chip {
using namespace query;
}
namespace penetration {
using namespace chip;
}
namespace contact {
using namespace penetration;
}
namespace ccd {
using namespace contact;
}
namespace scene {
using namespace ccd;
}
namespace assembly {
using namespace scene;
}
namespace report {
using namespace assembly;
}
namespace page {
using namespace report;
}
namespace device {
using namespace page;
}

/// Code that is compiled once for each instruction set; kernels.hpp hands it out.
namespace lanes {
using namespace scene;
}
/// What public headers name without defining it. It sees all rooms.
namespace detail {
using namespace device;
}

}  // namespace snug
