#include "browser.hpp"
#include "commands.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "page_output.hpp"
#include "shown_report.hpp"

#include <snug/page.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace snug::cli {

namespace {

constexpr const char* k_view_footer = R"(What it shows:
  A report (the JSON document of 'snug check') with the files it was made from, as long as these are still there and the
  same; or assemblies that have not been checked. The page is one file that needs no server and no network. Its path goes
  to stdout; it is opened with xdg-open unless --no-open is given, there is no such program, or there is no screen (neither
  DISPLAY nor WAYLAND_DISPLAY is set). Then its address is told instead, and the file can be copied to where a screen is.

Examples:
    snug view report.json
    snug view gearbox.step -o gearbox.html --no-open
    snug view digger.glb --motion digger.json

Exit status:
    0  done
    2  wrong usage
    3  unreadable input
    5  internal error, or output that could not be written
)";

struct ViewCommand {
  InputOptions inputs;
  std::string motion, output;
  bool no_open = false, quiet = false;
};

std::string contents_of_file(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) fail_input(path + ": no such file");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_input(path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

bool there_is_a_screen() {
  return std::ranges::any_of(std::initializer_list<const char*>{"DISPLAY", "WAYLAND_DISPLAY"}, [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  });
}

/// Opens the page for the user; what keeps us from it is told, and no failure.
void open(const std::filesystem::path& page, bool words) {
  const auto tell = [&](const char* why) {
    if (words) say(std::string(why) + ": open " + file_address(page) + " in a browser", "snug view");
  };
  if (!there_is_a_screen()) return tell("there is no screen here");  // xdg-open would look for a browser of text
  const auto opener = find_in_path({"xdg-open"});
  if (opener.empty()) return tell("there is no xdg-open here");
  // Some desktops have xdg-open return at once, others only when the browser is closed: that is not waited for.
  constexpr double k_seconds_to_fail = 2;
  if (launch_program({opener.string(), page.string()}, k_seconds_to_fail).value_or(0) != 0)
    tell("xdg-open could not open it");
}

void show_assembly(const ViewCommand& options, const std::filesystem::path& page) {
  const CancelToken& cancel = watch_interrupts(!options.quiet);
  const Inputs inputs = load_inputs(options.inputs, !options.quiet, cancel);
  if (inputs.cancelled) fail_input("cancelled");
  const std::string title = page_title(inputs.files);
  PageInput input{.assembly = inputs.assembly, .title = title};
  if (!options.motion.empty()) {
    auto motion = read_motion(contents_of_file(options.motion), options.motion, inputs.assembly);
    if (!motion) fail_input(motion.error().message());
    input.motion = std::move(*motion);
  }
  write_page(input, page, !options.quiet, &cancel);
}

int run_view(const ViewCommand& options) {
  const bool is_report =
      options.inputs.files.size() == 1 && std::filesystem::path(options.inputs.files.front()).extension() == ".json";
  if (is_report && !options.motion.empty()) fail_usage("--motion is for assemblies, not for reports");
  std::filesystem::path page;
  if (!options.output.empty()) {
    expect_no_input(options.output, options.inputs.files);
    page = page_file(options.output);
  } else {
    // Kept: the browser reads it after we are gone.
    TemporaryFolder folder;
    page = folder.keep() / "snug.html";
  }
  if (is_report) {
    const std::string& file = options.inputs.files.front();
    show_report(file, contents_of_file(file), options.inputs.cad, page, !options.quiet);
  } else {
    show_assembly(options, page);
  }
  write_stdout(std::filesystem::absolute(page).lexically_normal().string() + '\n');
  if (!options.no_open) open(page, !options.quiet);
  return k_clean;
}

}  // namespace

void add_view(CLI::App& app, Action& action) {
  auto options = std::make_shared<ViewCommand>();
  CLI::App& command = *app.add_subcommand("view", "Look at a report, or at an assembly, in a browser");
  add_inputs(command, options->inputs);
  not_empty(add_value(command, "--motion", options->motion, "FILE", "how parts move: a snug.motion/1 document"));
  not_empty(add_value(command, "-o,--output", options->output, "FILE|DIR",
                      "where to write the page (default: a temporary folder)"));
  command.add_flag("--no-open", options->no_open, "write the page and say where, but do not open it");
  command.add_flag("-q,--quiet", options->quiet, "no progress and no remarks; errors are still told");
  command.footer(k_view_footer);
  command.callback([options, &action] { action = [options] { return run_view(*options); }; });
}

}  // namespace snug::cli
