#include "arguments.hpp"
#include "build_model.hpp"
#include "channels.hpp"
#include "read.hpp"
#include "sandbox.hpp"
#include "units.hpp"
#include "write.hpp"

#include <snug/version.hpp>

#include <IGESControl_Controller.hxx>
#include <STEPCAFControl_Controller.hxx>
#include <Standard_Failure.hxx>
#include <Standard_OutOfMemory.hxx>
#include <Standard_Version.hxx>

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>

// snug-import --format step|iges|brep --sag METRES --angle DEGREES [--unit UNIT] [--refine MESH:FACE:METRES]...
//             [--bodies yes] [--list-bytes N] [--limit-seconds N] [--limit-memory BYTES] [--limit-output BYTES]
// reads a CAD file on descriptor 0 and writes it, triangulated, to descriptor 1; see docs/cad.md. With --to iges|brep instead
// of --sag and --angle it writes a file of that format. With --isolation it tries its bounds and tells how that ended, with
// --version what it is.

namespace snug::importer {

namespace {

enum Exit { done = 0, wrong_usage = 2, unreadable = 3 };

Document read_file(const Arguments& arguments) {
  if (arguments.format == FileFormat::step) return read_step(Input(arguments.list_bytes), arguments.bodies);
  if (arguments.format == FileFormat::iges) return read_iges(arguments.bodies);
  return read_brep();
}

/// A file of another format; what could not be read for it is told.
std::string rewritten(const Document& document, FileFormat format) {
  for (const io::CadProblem& loss : document.losses)
    tell_loss(loss.part.empty() ? loss.text : loss.part + ": " + loss.text);
  if (document.parts.empty()) throw std::runtime_error("there is no face in it");
  return format == FileFormat::iges ? write_iges(document) : write_brep(document);
}

/// What the kernel sets up once, and reads from disk if at all, before the sandbox closes.
void start_kernel() {
  STEPCAFControl_Controller::Init();
  IGESControl_Controller::Init();
  set_kernel_unit(LengthUnit::millimetre);
}

int run(const Arguments& arguments) {
  const int output = claim_output();
  if (output < 0) {
    tell_error("cannot set up the output");
    return unreadable;
  }
  start_kernel();
  std::ios::sync_with_stdio(false);  // the readers take the file in pieces, not character by character
  (void)enter_sandbox(arguments.limits);
  tell_progress(0);
  Document document = read_file(arguments);
  const std::string answer =
      arguments.to ? rewritten(document, *arguments.to) : io::encode(build_model(std::move(document), arguments));
  if (!write_all(output, answer)) {
    tell_error("the answer could not be written");
    return unreadable;
  }
  tell_progress(1);
  return done;
}

int run_guarded(const Arguments& arguments) {
  try {
    return run(arguments);
  } catch (const Standard_OutOfMemory&) {
    tell_error("not enough memory");
  } catch (const Standard_Failure& failure) {
    tell_error(std::string("the CAD kernel gave up: ") + failure.DynamicType()->Name() + ", " +
               failure.GetMessageString());
  } catch (const std::bad_alloc&) {
    tell_error("not enough memory");
  } catch (const std::exception& failure) {
    tell_error(failure.what());
  }
  return unreadable;
}

}  // namespace

}  // namespace snug::importer

int main(int argc, char** argv) {
  using namespace snug::importer;
  const auto arguments = parse_arguments({argv, static_cast<std::size_t>(argc)});
  if (!arguments) {
    tell_error(arguments.error());
    return wrong_usage;
  }
  if (arguments->version) {
    const std::string_view version = snug::version();
    std::printf("snug-import %.*s, OpenCASCADE %s\n", static_cast<int>(version.size()), version.data(),
                OCC_VERSION_COMPLETE);
    return done;
  }
  if (arguments->isolation) return snug::report_isolation(arguments->limits);
  return run_guarded(*arguments);
}
