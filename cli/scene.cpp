#include "commands.hpp"
#include "errors.hpp"
#include "nearest.hpp"
#include "options.hpp"
#include "output.hpp"
#include "quantity.hpp"
#include "scene_page.hpp"

#include "scenes/motion_json.hpp"
#include "scenes/scene.hpp"

#include <snug/io.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <vector>

namespace snug::cli {

namespace {

constexpr const char* k_scene_footer = R"(Output:
  The suffix of FILE tells what is written: .json the motion, as a snug.motion/1 document; .html a page that shows the
  scene, what check finds in it, and its motion; anything else the parts where they are at the start. Without -o the scene is made and described. The same scene, seed and size give
  the same bytes on every machine.

Examples:
    snug scene list
    snug scene lattice --size 1000 --seed 7 -o lattice.glb
    snug scene peg -o peg.obj && snug scene peg -o peg.json
    snug scene digger -o digger.html

Exit status:
    0  done
    2  wrong usage
    5  internal error, or output that could not be written
)";

/// Enough for every benchmark, and small enough that a slip of the finger does not fill the memory.
constexpr std::uint32_t k_largest = 10'000'000;

struct SceneCommand {
  std::string name, output;
  std::optional<std::uint64_t> seed;
  std::optional<std::uint32_t> size;
  bool quiet = false;
};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& entry : scenes::all()) all.emplace_back(entry.name);
  return all;
}

std::string list_text() {
  std::size_t width = 0;
  for (const auto& entry : scenes::all()) width = std::max(width, entry.name.size());
  std::string out;
  for (const auto& entry : scenes::all()) {
    out += std::string(entry.name) + std::string(width + 2 - entry.name.size(), ' ') + std::string(entry.what);
    const auto [seed, size] = entry.heeds;
    if (seed || size)
      out += std::string(" (") + (seed ? "--seed" : "") + (seed && size ? ", " : "") + (size ? "--size" : "") + ')';
    out += '\n';
  }
  return out;
}

std::string description(const scenes::Scene& scene) {
  const Assembly& assembly = scene.assembly;
  std::size_t triangles = 0, surfaces = 0;
  for (const Part& part : assembly.parts())
    triangles += part.mesh.triangles().size(), surfaces += part.mesh.surfaces().size();
  std::string out = scene.name + ": " + counted(assembly.parts().size(), "part") + ", " +
                    std::to_string(assembly.distinct_meshes()) + " distinct, " + counted(surfaces, "surface") + ", " +
                    counted(triangles, "triangle") + ", in " + std::string(to_string(assembly.units())) + '\n';
  char text[200];
  if (!scene.tracks.empty()) {
    std::snprintf(text, sizeof text, "motion: %s over %g s, %s\n", counted(scene.tracks.size(), "part").c_str(),
                  scene.duration, counted(scene.steps, "step").c_str());
    out += text;
  }
  for (const auto& deformation : scene.deformations)
    out += "deforms: " + deformation.part + ", " + counted(deformation.keys.size(), "key") + '\n';
  if (scene.simulation) {
    const auto& s = *scene.simulation;
    std::snprintf(text, sizeof text, "simulation: %g Hz for %g s, %s released on the way\n", s.rate_hz, s.duration,
                  s.releases.empty() ? "nothing" : counted(s.releases.size(), "part").c_str());
    out += text;
  }
  const auto near =
      static_cast<std::size_t>(std::ranges::count(scene.contacts, Verdict::near, &scenes::DesignedContact::verdict));
  out += "designed: " + counted(scene.contacts.size() - near, "contact") + ", ";
  if (near > 0) {
    std::snprintf(text, sizeof text, " that a clearance of %g %s shows, ", scene.clearance,
                  to_string(assembly.units()).data());
    out += counted(near, "gap") + text;
  }
  out += counted(scene.meetings.size(), "meeting") + '\n';
  for (const auto& fault : scene.faults)
    out += "planted: " + fault.a + " | " + fault.b + ": " + std::string(to_string(fault.verdict)) + ", " + fault.what +
           '\n';
  for (const auto& meeting : scene.meetings) {
    std::snprintf(text, sizeof text, " from %.6g to %.6g s", meeting.begin, meeting.end);
    out += "meeting: " + meeting.a + " | " + meeting.b + ": " + meeting.what + text + '\n';
  }
  return out;
}

void write_motion(const scenes::Scene& scene, const SceneCommand& options) {
  if (scene.tracks.empty())
    fail_usage(scene.name + " has no motion to write" + (scene.simulation ? ": it is there to be simulated" : ""));
  write_file(options.output, scenes::motion_json(scene));
  if (!scene.deformations.empty() && !options.quiet)
    say("the parts also change their form on the way, which a motion file can not hold", "snug scene");
}

int run_scene(const SceneCommand& options) {
  if (options.name == "list") {
    if (!options.output.empty() || options.seed || options.size) fail_usage("'list' takes no options");
    write_stdout(list_text());
    return k_clean;
  }
  const scenes::SceneEntry* entry = scenes::find(options.name);
  if (entry == nullptr) {
    auto known = names();
    known.emplace_back("list");
    fail_usage("there is no scene '" + options.name + '\'' + did_you_mean(options.name, known) +
               "; 'snug scene list' lists them");
  }
  if (options.seed && !entry->heeds.seed) fail_usage(options.name + " is always the same: it takes no --seed");
  if (options.size && !entry->heeds.size) fail_usage(options.name + " has its own size: it takes no --size");
  if (!options.output.empty()) expect_writable(options.output);

  const scenes::SceneOptions asked;
  const scenes::Scene scene =
      entry->make({.seed = options.seed.value_or(asked.seed), .size = options.size.value_or(asked.size)});
  if (options.output.empty()) {
    write_stdout(description(scene));
  } else if (std::filesystem::path(options.output).extension() == ".json") {
    write_motion(scene, options);
  } else if (std::filesystem::path(options.output).extension() == ".html") {
    write_scene_page(scene, options.output, !options.quiet);
  } else {
    std::vector<Problem> lost;
    const auto saved = save(scene.assembly, options.output, {.problems = &lost});
    if (!saved) {
      if (saved.error().code == IoError::Code::unknown_format || saved.error().code == IoError::Code::unsupported)
        fail_usage(saved.error().message() + "; .json is for the motion, .html for a page");
      fail_output(saved.error().message());
    }
    if (!options.quiet)
      for (const Problem& problem : lost)
        say(problem.part.empty() ? problem.text : problem.part + ": " + problem.text, "snug scene");
  }
  return k_clean;
}

}  // namespace

void add_scene(CLI::App& app, Action& action) {
  auto options = std::make_shared<SceneCommand>();
  CLI::App& command = *app.add_subcommand("scene", "List the bundled scenes, or write one to a file");
  command.add_option("NAME", options->name, "a scene, or 'list'")->type_name("NAME")->required();
  add_value(command, "-o,--output", options->output, "FILE",
            "where to write it: .glb .obj .stl .ply .off .step, .json for its motion, .html to look at it");
  command.add_option("--seed", options->seed, "another of its kind, for scenes with chance in them (default 1)")
      ->type_name("N");
  command.add_option("--size", options->size, "how large, for scenes of any size")
      ->type_name("N")
      ->check(CLI::Range(1U, k_largest).description(""));
  command.add_flag("-q,--quiet", options->quiet, "no remarks on stderr; errors are still told");
  command.footer(k_scene_footer);
  command.callback([options, &action] { action = [options] { return run_scene(*options); }; });
}

}  // namespace snug::cli
