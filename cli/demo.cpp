#include "commands.hpp"
#include "errors.hpp"
#include "options.hpp"
#include "output.hpp"
#include "page_output.hpp"
#include "scene_page.hpp"

#include "scenes/control_box.hpp"

#include <snug/snug.hpp>

#include <snug/report.hpp>

#include <chrono>
#include <cstdio>
#include <filesystem>

namespace snug::cli {

namespace {

constexpr const char* k_demo_footer = R"(Files:
  The folder gets control-box.obj, the assembly, for you to play with, snug-demo.json, the report, and
  index.html, a page to look at in a browser: the box, what was found in it, and how it is put together.

Examples:
    snug demo
    snug check snug-demo/control-box.obj --units mm --clearance 0.5mm
)";

struct DemoCommand {
  std::string folder = "snug-demo";
  std::string color = "auto";
};

int run_demo(const DemoCommand& options) {
  std::error_code failed;
  const std::filesystem::path folder(options.folder);
  std::filesystem::create_directories(folder, failed);
  if (failed) fail_usage(options.folder + ": cannot be created: " + failed.message());

  const scenes::Scene scene = scenes::control_box();
  const Assembly& assembly = scene.assembly;
  const auto mesh_file = folder / "control-box.obj", report_file = folder / "snug-demo.json";
  if (const auto saved = save(assembly, mesh_file); !saved) fail_output(saved.error().message());

  const CheckOptions check_options{.tolerances = {.clearance = scene.clearance}, .threads = hardware_threads()};
  const auto start = std::chrono::steady_clock::now();
  const CheckReport report = check(assembly, check_options);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  const std::string json = check_json(assembly, check_options, report,
                                      {.inputs = {}, .placed = {}, .run = {elapsed.count(), check_options.threads}});
  const auto page = folder / "index.html";

  std::size_t surfaces = 0, triangles = 0;
  for (const Part& part : assembly.parts()) {
    surfaces += part.mesh.surfaces().size();
    triangles += part.mesh.triangles().size();
  }
  char head[160];
  std::snprintf(head, sizeof head, "%s: %zu parts, %zu distinct meshes, %zu surfaces, %zu triangles, in %s\n\n",
                scene.name.c_str(), assembly.parts().size(), assembly.distinct_meshes(), surfaces, triangles,
                to_string(assembly.units()).data());
  EachOutput each;
  each.attempt(
      [&] { write_stdout(head + check_text(assembly, check_options, report, style_of_stdout(options.color))); });
  each.attempt([&] { write_file(report_file, json); });
  each.attempt([&] {
    write_page({.assembly = assembly,
                .title = scene.name,
                .report = json,
                .pairs = page_pairs(report),
                .motion = page_motion(scene, false)},
               page, false);
  });
  each.finish();
  char time[64];
  std::snprintf(time, sizeof time, "%.1f ms", 1e3 * elapsed.count());
  say(std::string("checked in ") + time + "; the report is in " + report_file.string() + ", the assembly in " +
      mesh_file.string());
  say("look at it: open " + page.string() + " in a browser");
  return k_clean;
}

}  // namespace

void add_demo(CLI::App& app, Action& action) {
  auto options = std::make_shared<DemoCommand>();
  CLI::App& command = *app.add_subcommand(
      "demo", "Check a bundled assembly, a control box with three mistakes, and show what comes out");
  add_value(command, "-o,--output", options->folder, "DIR", "folder for the files it writes (default snug-demo)")
      ->take_last();
  one_of(add_value(command, "--color", options->color, "WHEN", "colours: auto, always or never"),
         {"auto", "always", "never"});
  command.footer(k_demo_footer);
  command.callback([options, &action] { action = [options] { return run_demo(*options); }; });
}

}  // namespace snug::cli
