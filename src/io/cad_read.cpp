#include "io/errors.hpp"
#include "io/reader.hpp"

namespace snug::io {

Result<RawAssembly, IoError> read_cad(FileFormat format, ByteSource& source, const LoadOptions& options) {
  (void)format, (void)options;
  return source.fail(IoError::Code::no_importer, "the importer is missing");
}

}  // namespace snug::io
