#include "commands.hpp"
#include "errors.hpp"
#include "move_options.hpp"
#include "output.hpp"

#include <algorithm>
#include <filesystem>

namespace snug::cli {

namespace {

constexpr const char* k_move_footer = R"(Two questions:
  Parts along ways: --step says how a part moves, --motion names a snug.motion/1 document, in which parts have poses over time. Every part is held
  against every other for the whole time; nothing is missed between instants. Told are the times of interference and of touching, which
  faces meet when, and the first contact.
  A robot within its joints: a URDF file. Every combination of values of the joints is looked at, each within its limits or the range
  that --joint names; the answer is which links can collide, in which share of the range, and an example.

Units:
  Lengths and times carry a unit: --clearance 0.5mm, --tolerance 1ms. URDF files are in metres and radians; --joint takes deg, rad or
  a length.

Examples:
    snug scene digger -o digger.glb && snug scene digger -o digger.json
    snug move digger.glb --motion digger.json
    snug move plant.step --motion pump-out.json --clearance 5mm --html report/
    snug move box.step --step "box/lid=turn 110deg about 0,20,5mm along 1,0,0"
    snug move robot.urdf --joint elbow=0..120deg --joint wrist=-90..90deg
    snug move robot.urdf --ignore "hand,forearm" --json

)";

constexpr const char* k_move_precedence = R"(
  The first that holds counts: cancelled or nothing to test (4), findings at or above --fail-on (1), undecided times or ranges (4).
)";

bool is_robot(const std::string& file) {
  std::string suffix = std::filesystem::path(file).extension().string();
  std::ranges::transform(suffix, suffix.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return suffix == ".urdf" || suffix == ".xacro";  // of which the reader says that it is to be expanded first
}

/// Options that belong to the other question are mistakes, not to be passed over.
void expect_none(const std::vector<std::pair<bool, const char*>>& given, const char* why) {
  for (const auto& [is_given, name] : given)
    if (is_given) fail_usage(std::string(name) + why);
}

int run_move(const MoveOptions& options) {
  const auto robots = std::ranges::count_if(options.inputs.files, is_robot);
  if (robots > 0 && options.inputs.files.size() > 1) fail_usage("a robot (.urdf) is looked at alone: name one file");
  if (!options.output.empty()) {
    expect_no_input(options.output, options.inputs.files);
    if (!options.motion.empty()) expect_no_input(options.output, {options.motion});
    expect_no_model(options.output);
    expect_writable(options.output);
  }
  if (robots > 0) {
    const auto& cad = options.inputs.cad;
    expect_none({{!options.motion.empty(), "--motion"},
                 {!options.steps.empty(), "--step"},
                 {options.gaps, "--gaps"},
                 {options.moving_only, "--moving-only"},
                 {!options.max_pieces.empty(), "--max-pieces"},
                 {!options.touch_gap.empty(), "--touch-gap"},
                 {!options.touch_overlap.empty(), "--touch-overlap"},
                 {!options.inputs.units.empty(), "--units"},
                 {!options.inputs.to_units.empty(), "--to-units"},
                 {cad.shapes_meshes(), "--sag and --angle"}},
                ": not with a robot (.urdf), whose joints move by --joint and whose lengths are in metres");
    return run_move_joints(options);
  }
  expect_none({{!options.joints.empty(), "--joint"},
               {options.adjacent, "--adjacent"},
               {!options.ignored.empty(), "--ignore"},
               {!options.packages.empty(), "--packages"},
               {options.visual, "--visual"},
               {!options.max_poses.empty(), "--max-poses"}},
              " is for robots: name a URDF file (.urdf)");
  if (!options.motion.empty() && !options.steps.empty())
    fail_usage("--motion and --step both say how the parts move: name one of them");
  if (options.motion.empty() && options.steps.empty())
    fail_usage(
        "how do the parts move? --step \"lid=shift 0,0,80mm\" says it of a part, --motion FILE names a snug.motion/1 "
        "document ('snug scene NAME -o FILE.json' writes examples)");
  return run_move_path(options);
}

}  // namespace

std::optional<Verdict> move_threshold(const MoveOptions& options) {
  if (options.fail_on == k_fail_on_not_firm) return Verdict::clash;
  return options.fail_on == "never" ? std::nullopt : parse_verdict(options.fail_on);
}

void add_move(CLI::App& app, Action& action) {
  auto options = std::make_shared<MoveOptions>();
  CLI::App& command =
      *app.add_subcommand("move", "Find what collides while parts move along ways, or a robot in its joints");
  add_inputs(command, options->inputs);
  command.get_option("FILE")->description(
      "CAD files (STEP, IGES, BREP) and mesh files (STL, OBJ, PLY, OFF, glTF), several form one assembly; or one robot "
      "(URDF)");
  not_empty(add_value(command, "--motion", options->motion, "FILE", "how parts move: a snug.motion/1 document"));
  const auto list = [&](const char* name, std::vector<std::string>& target, const char* value, const char* text) {
    auto* option = command.add_option(name, target, text)->type_name(value)->allow_extra_args(false);
    not_empty(option);
  };
  list("--step", options->steps, "STEP",
       "how a part or sub-assembly moves, in the axes of the assembly: \"lid=shift 0,0,80mm\", \"lid=turn 110deg about "
       "0,20,5mm along 1,0,0\" (a point of the axis and its direction), \"screw=turn 3600deg about 0,0,0mm along 0,0,1 "
       "pitch 1mm\"; several are done one after another, a second each");
  list("--joint", options->joints, "RANGE",
       "a joint of a robot and the values it takes: elbow=0..120deg, lift=0..300mm, wrist=45deg (it rests there), "
       "wrist (its limits); "
       "joints not named rest at zero; without --joint all take the range of their limits; may be given several times");
  add_tolerances(command, options->clearance, options->touch_gap, options->touch_overlap);
  not_empty(add_value(command, "--tolerance", options->tolerance, "TIME|LENGTH",
                      "by how much times may be off (default a millionth of the whole); of robots: what links may move "
                      "within a piece of the "
                      "range that is left undecided (default 0.01mm)"));
  command.add_flag("--gaps", options->gaps, "tell how close pairs come that stay clear, too");
  command.add_flag("--moving-only", options->moving_only, "leave out pairs that never move against each other");
  command.add_flag("--adjacent", options->adjacent, "of robots: look at links that a joint holds together, too");
  list("--ignore", options->ignored, "LINKS",
       "of robots: two links that may collide, \"a,b\"; may be given several times");
  list("--packages", options->packages, "DIR",
       "of robots: a folder in which packages of package:// lie (default: those above the file)");
  command.add_flag("--visual", options->visual,
                   "of robots: links without collision geometry collide by their visual geometry");
  not_empty(add_value(command, "--max-poses", options->max_poses, "N",
                      "of robots: most poses to look at, for all pairs of links together (default 200000); what is "
                      "left then is undecided"));
  not_empty(add_value(
      command, "--max-pieces", options->max_pieces, "N",
      "most pieces of time to look into for a pair of parts (default 200000); what is left then is undecided"));
  one_of(add_value(command, "--fail-on", options->fail_on, "VERDICT",
                   "least grave verdict that makes the exit status 1 (default clash); not-firm: clash, and any verdict "
                   "that finer triangles "
                   "of CAD faces might change"),
         {"near", "touch", "undecided", "clash", "contained", "not-firm", "never"});
  command.add_option("--threads", options->threads, "threads to use (default: all the machine has); changes no result")
      ->type_name("N")
      ->check(CLI::Range(1U, 1024U).description(""));
  add_outputs(command, options->outputs);
  add_value(command, "-o,--output", options->output, "FILE", "write the JSON document to a file as well");
  not_empty(add_value(command, "--html", options->html, "FILE|DIR",
                      "write a page to look at in a browser, with a timeline; in a folder it is index.html"));
  command.footer(std::string(k_move_footer) + k_exit_codes + k_move_precedence);
  command.callback([options, &action] { action = [options] { return run_move(*options); }; });
}

}  // namespace snug::cli
