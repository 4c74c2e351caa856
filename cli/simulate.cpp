#include "commands.hpp"
#include "errors.hpp"
#include "interrupt.hpp"
#include "nearest.hpp"
#include "options.hpp"
#include "output.hpp"
#include "page_output.hpp"
#include "progress_bar.hpp"
#include "quantity.hpp"

#include "scenes/scene.hpp"

#include <snug/io.hpp>
#include <snug/query.hpp>

#ifdef SNUG_HAS_HEADLESS
#include "physics/headless/run.hpp"
#endif

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>

namespace snug::cli {

namespace {

constexpr const char* k_simulate_footer = R"(Scenes:
  SCENE is the name of a bundled scene with bodies that fall ('snug scene list'), or a file that ends in .json, a snug.scene/1 document
  that names bodies: mesh files beside it or boxes, where they are, what they weigh.

Judged:
  interpenetration_total tells how much bodies overlap, independently of how contacts are found: the common volume of each two closed parts,
  added up over the pairs of an instant and over the instants that are looked at (--judge-every).

Output:
  The state is the same, bit for bit, for every number of threads and every device; state_hash tells it. -o writes JSON lines, one for each step, or for every
  N-th (--every): places, contacts, energy. --glb writes an animation, --html a page that plays it.

Examples:
    snug simulate avalanche --steps 120 --json
    snug simulate avalanche --steps 300 --html avalanche.html --glb avalanche.glb
    snug simulate scene.json -o steps.jsonl

Exit status:
    0  done
    2  wrong usage, or a program that was built without Bullet
    3  unreadable input
    4  incomplete: cancelled
    5  internal error, or output that could not be written
)";

struct SimulateCommand {
  std::string scene, seed, steps, threads, lines, every, glb, html, judge_every, device = "cpu", devices;
  OutputOptions outputs;
};

#ifdef SNUG_HAS_HEADLESS

bool is_file(const std::string& scene) { return std::filesystem::path(scene).extension() == ".json"; }

headless::WorldScene bundled(const SimulateCommand& options) {
  std::vector<std::string> known;
  for (const auto& entry : scenes::all()) known.emplace_back(entry.name);
  const scenes::SceneEntry* entry = scenes::find(options.scene);
  if (entry == nullptr)
    fail_usage("there is no scene '" + options.scene + '\'' + did_you_mean(options.scene, known) +
               "; 'snug scene list' lists them, and a scene of your own is a file that ends in .json");
  if (!options.seed.empty() && !entry->heeds.seed)
    fail_usage(options.scene + " is always the same: it takes no --seed");
  scenes::SceneOptions asked;
  if (!options.seed.empty())
    asked.seed = parse_count(options.seed, "--seed", 0, std::numeric_limits<std::uint64_t>::max());
  const scenes::Scene scene = entry->make(asked);
  if (!scene.simulation) fail_usage(options.scene + " has no bodies that fall: there is nothing to simulate");
  return headless::world_scene(scene);
}

/// Writes lines as they come, those of every so many steps and of the last: to a file, or to standard output ("-").
class StepLines {
 public:
  StepLines(const std::string& name, std::uint64_t every) : every_(every) {
    if (name != "-") file_.emplace(name);
  }
  void append(std::string_view line) {
    pending_ = line;
    if (count_++ % every_ == 0) flush();  // the first says what they hold
  }
  void close() {
    flush();
    if (file_) file_->close();
  }

 private:
  void flush() {
    file_ ? file_->append(pending_) : write_stdout(pending_);
    pending_.clear();
  }

  std::optional<LineFile> file_;
  std::string pending_;
  std::uint64_t every_, count_ = 0;
};

PageMotion page_motion(const headless::RunReport& report) {
  PageMotion motion{.begin = 0, .end = report.duration, .tracks = {}, .intervals = {}};
  motion.intervals = report.meetings;
  motion.sampling = report.between_frames;
  motion.playback = report.playback;
  return motion;
}

void write_animation(const std::string& glb, const headless::WorldScene& scene, const headless::RunReport& report) {
  const PagePlayback& played = report.playback;
  const Animation animation{played.times, played.parts, played.poses};
  const auto saved = save(scene.assembly, glb, {.format = FileFormat::gltf, .animation = &animation});
  if (!saved) fail_output(saved.error().message());
}

void write_simulation_page(const headless::WorldScene& scene, const headless::RunReport& report,
                           const std::filesystem::path& page, bool words) {
  PageInput input{.assembly = scene.assembly, .title = scene.name, .motion = page_motion(report)};
  input.remarks.push_back("Simulated: " + counted(report.steps, "step") + " at " +
                          std::to_string(static_cast<long long>(scene.rate_hz)) + " Hz.");
  for (const std::string& remark : report.remarks) input.remarks.push_back(remark);
  if (report.cancelled) input.remarks.emplace_back("The simulation was stopped before its end.");
  if (report.contacts_left_out > 0)
    input.remarks.push_back("Of frames with many contacts only the deepest are shown; " +
                            counted(report.contacts_left_out, "was", "were") + " left out.");
  write_page(input, page, words);
  if (words) say("the page is in " + page.string());
}

int run_simulate(const SimulateCommand& options) {
  const bool words = !options.outputs.quiet;
  const unsigned threads = options.threads.empty()
                               ? hardware_threads()
                               : static_cast<unsigned>(parse_count(options.threads, "--threads", 1, 1024));
  headless::RunOptions run_options{.threads = threads, .playback = !options.glb.empty() || !options.html.empty()};
  run_options.contacts.devices = open_devices(options.device == "opencl", options.devices);
  if (options.device == "opencl") run_options.contacts.device = Device::opencl;
  if (!options.steps.empty()) run_options.steps = parse_count(options.steps, "--steps", 1, 100'000'000);
  if (!options.judge_every.empty())
    run_options.judge_every = parse_count(options.judge_every, "--judge-every", 0, 100'000'000);
  if (!options.glb.empty() && std::filesystem::path(options.glb).extension() != ".glb")
    fail_usage(options.glb + ": an animation ends in .glb");
  const bool lines_to_stdout = options.lines == "-";
  if (lines_to_stdout && options.outputs.json)
    fail_usage("-o - and --json are both for standard output; name a file for the lines");
  if (!options.every.empty() && options.lines.empty()) fail_usage("--every is about the lines that -o writes");
  const std::uint64_t every = options.every.empty() ? 1 : parse_count(options.every, "--every", 1, 100'000'000);
  const std::string line_file = lines_to_stdout ? std::string() : options.lines;
  for (const std::string* file : {&line_file, &options.glb})
    if (!file->empty()) expect_writable(*file);
  if (!line_file.empty()) expect_no_model(line_file, "JSON lines; name it .jsonl");
  const std::filesystem::path page =
      options.html.empty() ? std::filesystem::path() : page_file(options.html, {line_file, options.glb});

  const auto start = std::chrono::steady_clock::now();
  const CancelToken& cancel = watch_interrupts(words);
  std::vector<InputFile> inputs;
  headless::WorldScene scene = [&] {
    if (!is_file(options.scene)) return bundled(options);
    if (!options.seed.empty()) fail_usage("--seed is for bundled scenes");
    auto read = headless::read_scene(options.scene, &cancel);
    if (!read && read.error().code == IoError::Code::cancelled)
      throw Failed(k_incomplete, "cancelled; nothing is written");
    if (!read) fail_input(read.error().message());
    inputs.push_back({options.scene, read->sha256, read->assembly.units()});
    for (const headless::LoadedFile& file : read->files)
      inputs.push_back({file.path.string(), file.sha256, file.units});
    return std::move(*read);
  }();
  for (const InputFile& input : inputs)
    for (const std::string& output : {line_file, options.glb, page.string()})
      if (!output.empty()) expect_no_input(output, {input.path});
  EachOutput each;
  std::optional<StepLines> lines;
  if (!options.lines.empty()) {
    lines.emplace(options.lines, every);
    run_options.line = [&](std::string_view line) {
      if (lines_to_stdout) return lines->append(line);  // nobody reads on: the simulation ends
      if (!lines) return;
      bool done = false;
      each.attempt([&] { lines->append(line), done = true; });
      if (!done) lines.reset();
    };
  }

  const headless::RunReport report = [&] {
    ProgressBar bar("simulating", words);  // gone before anything is printed
    run_options.watch = {.cancel = &cancel, .progress = bar.hook()};
    return headless::run(scene, run_options);
  }();
  const RunInfo info{.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
                     .threads = threads};
  if (!lines_to_stdout)
    each.attempt([&] {
      write_stdout(options.outputs.json ? headless::simulate_json(scene, report, inputs, run_options, info)
                                        : headless::simulate_text(scene, report, run_options));
    });
  if (lines) each.attempt([&] { lines->close(); });
  if (!options.glb.empty()) each.attempt([&] { write_animation(options.glb, scene, report); });
  if (!page.empty()) each.attempt([&] { write_simulation_page(scene, report, page, words); });
  if (words && (lines_to_stdout || options.outputs.json))  // where no table tells them
    for (const std::string& remark : report.remarks) say(remark);
  each.finish();
  return report.cancelled ? k_incomplete : k_clean;
}

#else

int run_simulate(const SimulateCommand& /*options*/) {
  fail_usage("this program was built without Bullet (libbullet-dev), which simulates");
}

#endif

}  // namespace

void add_simulate(CLI::App& app, Action& action) {
  auto options = std::make_shared<SimulateCommand>();
  CLI::App& command =
      *app.add_subcommand("simulate", "Let bodies fall, meet and come to rest, by Bullet with our contacts");
  command.add_option("SCENE", options->scene, "a bundled scene, or a snug.scene/1 file (.json)")
      ->type_name("SCENE")
      ->required();
  not_empty(add_value(command, "--steps", options->steps, "N", "steps to make (default: as many as the scene lasts)"));
  not_empty(add_value(command, "--seed", options->seed, "N",
                      "another of its kind, for bundled scenes with chance in them (default 1)"));
  not_empty(add_value(command, "--judge-every", options->judge_every, "N",
                      "steps between two looks at how much bodies overlap (default 10); 0: never"));
  one_of(add_value(command, "--device", options->device, "DEVICE",
                   "where rays of contacts are cast; changes no result (default cpu; opencl: see 'snug devices')"),
         {"cpu", "opencl"});
  add_chosen_devices(command, options->devices);
  not_empty(add_value(command, "--threads", options->threads, "N",
                      "threads to use (default: all the machine has); changes no result"));
  add_outputs(command, options->outputs);
  not_empty(add_value(command, "-o,--output", options->lines, "FILE",
                      "write what happens at each step as JSON lines (-: to standard output, instead of the summary)"));
  not_empty(add_value(command, "--every", options->every, "N",
                      "write a line of -o for every so many steps, and for the last (default 1)"));
  not_empty(
      add_value(command, "--glb", options->glb, "FILE", "write the bodies and how they move, for viewers of glTF"));
  not_empty(add_value(command, "--html", options->html, "FILE|DIR",
                      "write a page that plays the simulation in a browser; in a folder it is index.html"));
  command.footer(k_simulate_footer);
  command.callback([options, &action] { action = [options] { return run_simulate(*options); }; });
}

}  // namespace snug::cli
