#include "bench/figueiredo/tables.hpp"

#include <cstdio>
#include <functional>

namespace snug::bench::figueiredo {

namespace {

using Lines = std::vector<std::vector<std::string>>;

std::string digits(double value, int after) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", after, value);
  return text;
}

std::string whole(double value) { return digits(value, 0); }
std::string milliseconds(double ms) { return digits(ms, ms < 0.1 ? 4 : ms < 10 ? 3 : 2); }
std::string published(double ms) { return digits(ms, 2); }

Lines headed(const char* first) {
  std::vector<std::string> head{first};
  for (const auto scene : k_scenes) head.emplace_back(scene);
  return {head};
}

/// For what was measured; "-" for scenes that were not.
template <class Cell>
void add_measured(Lines& lines, const SceneResults& scenes, const std::string& name, Cell&& cell) {
  std::vector<std::string> line{name};
  for (const SceneResult& scene : scenes) line.push_back(scene.measured() ? cell(scene) : "-");
  lines.push_back(std::move(line));
}

template <class Cell>
void add(Lines& lines, const std::string& name, Cell&& cell) {
  std::vector<std::string> line{name};
  for (std::size_t s = 0; s < k_scenes.size(); ++s) line.push_back(cell(s));
  lines.push_back(std::move(line));
}

/// Mean, and the median in brackets.
std::string cell_of(const std::optional<Timing>& time) {
  return time ? milliseconds(time->mean_ms) + " (" + milliseconds(time->median_ms) + ")" : std::string("-");
}

void add_times(Lines& lines, const SceneResults& scenes, const std::string& name, Question question,
               std::string_view engine) {
  add(lines, name, [&](std::size_t s) { return cell_of(scenes[s].time(question, engine)); });
}

std::string table_1(const SceneResults& scenes, const std::vector<std::string>& peers) {
  Lines lines = headed("");
  const auto both = [&](const char* name, const ByScene& paper, std::size_t SceneResult::* ours) {
    add(lines, std::string(name) + ", Figueiredo", [&](std::size_t s) { return whole(paper[s]); });
    add_measured(lines, scenes, std::string(name) + ", here",
                 [&](const SceneResult& scene) { return std::to_string(scene.*ours); });
  };
  both("parts", k_parts, &SceneResult::parts);
  both("surfaces", k_surfaces, &SceneResult::surfaces);
  both("triangles", k_triangles, &SceneResult::triangles);
  both("intersecting steps", k_steps, &SceneResult::intersecting);
  for (std::size_t p = 0; p < peers.size(); ++p)
    add_measured(lines, scenes, "  the same by " + peers[p],
                 [&](const SceneResult& scene) { return scene.peer_steps[p].second; });
  add_measured(lines, scenes, "steps of the motion, here",
               [](const SceneResult& scene) { return std::to_string(scene.steps); });
  const auto per_step = [&](const char* name, double SceneResult::* figure) {
    add_measured(lines, scenes, std::string(name) + " per step, here",
                 [&](const SceneResult& scene) { return digits(scene.*figure, 1); });
  };
  per_step("pairs of parts looked at", &SceneResult::meetings_per_step);
  per_step("pairs of surfaces found", &SceneResult::surface_pairs_per_step);
  per_step("pairs of triangles found", &SceneResult::triangle_pairs_per_step);
  add_measured(lines, scenes, "  of which cross", [](const SceneResult& scene) {
    const auto& counts = scene.counts.at({Question::triangles, std::string(k_published)});
    return digits(100 * counts.crossing_share, 1) + " %";
  });
  return "Table 1. The scenes\n" + table_text(lines);
}

std::string surface_table(const char* title, const SceneResults& scenes, const SurfaceTimes& paper,
                          std::string_view engine, bool with_default) {
  Lines lines = headed("milliseconds per step");
  const auto block = [&](const std::string& what, const ByScene& times, Question question) {
    add(lines, what + ", Figueiredo", [&](std::size_t s) { return published(times[s]); });
    add_times(lines, scenes, "  " + std::string(engine), question, engine);
    if (with_default) add_times(lines, scenes, "  " + std::string(k_default), question, k_default);
  };
  block("first surfaces", paper.first, Question::first_surface);
  block("all surfaces", paper.surfaces, Question::surfaces);
  block("all surfaces and triangles", paper.triangles, Question::triangles);
  return title + table_text(lines);
}

std::string toolkit_table(const char* title, const SceneResults& scenes, Question question,
                          const std::function<double(const ToolkitTimes&, std::size_t)>& paper,
                          const std::vector<std::string>& peers) {
  Lines lines = headed("milliseconds per step");
  for (const ToolkitTimes& toolkit : k_toolkits)
    add(lines, std::string(toolkit.toolkit) + ", Figueiredo",
        [&](std::size_t s) { return published(paper(toolkit, s)); });
  add_times(lines, scenes, std::string(k_published), question, k_published);
  add_times(lines, scenes, std::string(k_default), question, k_default);
  for (const std::string& peer : peers) {
    add_times(lines, scenes, peer, question, peer);
    add(lines, "  over " + std::string(k_published) + ", over " + std::string(k_default), [&](std::size_t s) {
      const auto theirs = scenes[s].time(question, peer), aligned = scenes[s].time(question, k_published),
                 ours = scenes[s].time(question, k_default);
      if (!theirs || !aligned || !ours) return std::string("-");
      return digits(theirs->mean_ms / aligned->mean_ms, 2) + "x, " + digits(theirs->mean_ms / ours->mean_ms, 2) + "x";
    });
  }
  return title + table_text(lines);
}

std::string table_6(const SceneResults& scenes) {
  Lines lines = headed("per step, with / without the overlapping box");
  const auto line = [&](const char* name, const ByScene& with, const ByScene& without,
                        double OurSteps::Counts::* count) {
    add(lines, std::string(name) + ", Figueiredo",
        [&](std::size_t s) { return whole(with[s]) + " / " + whole(without[s]); });
    add_measured(lines, scenes, std::string(name) + ", here", [&](const SceneResult& scene) {
      const auto& counts = scene.counts;
      return whole(counts.at({Question::first_surface, std::string(k_published)}).*count) + " / " +
             whole(counts.at({Question::first_surface, std::string(k_no_overlap_box)}).*count);
    });
  };
  line("box tests", k_box_tests_with, k_box_tests_without, &OurSteps::Counts::box_tests);
  line("box updates", k_box_updates_with, k_box_updates_without, &OurSteps::Counts::box_updates);
  return "Table 6. Operations while looking for the first surfaces\n" + table_text(lines);
}

/// What each part of the published search is worth, which the paper has no table for.
std::string beyond(const SceneResults& scenes) {
  std::string text = "Beyond the paper. The published search with one part exchanged, and our default\n";
  for (std::size_t s = 0; s < k_scenes.size(); ++s)
    for (const Question question : {Question::first_surface, Question::surfaces, Question::triangles}) {
      if (!scenes[s].measured()) continue;
      Lines lines{{std::string(k_scenes[s]) + ", " + std::string(to_string(question)), "ms per step", "box tests",
                   "box updates", "triangle tests"}};
      for (const Setting& setting : settings()) {
        const auto counted = scenes[s].counts.find({question, std::string(setting.name)});
        std::vector<std::string> line{"  " + std::string(setting.name),
                                      cell_of(scenes[s].time(question, setting.name))};
        for (const auto count :
             {&OurSteps::Counts::box_tests, &OurSteps::Counts::box_updates, &OurSteps::Counts::triangle_tests})
          line.push_back(counted != scenes[s].counts.end() ? whole(counted->second.*count) : "-");
        lines.push_back(std::move(line));
      }
      text += table_text(lines);
    }
  return text;
}

}  // namespace

std::optional<Timing> SceneResult::time(Question question, std::string_view engine) const {
  const auto found = times.find({question, std::string(engine)});
  return found != times.end() ? std::optional(found->second) : std::nullopt;
}

std::string tables_text(const SceneResults& scenes, const std::vector<std::string>& peers) {
  return table_1(scenes, peers) + '\n' +
         surface_table("Table 2. Times to find intersecting surfaces, mean (median)\n", scenes, k_with_overlap_box,
                       k_published, true) +
         '\n' +
         toolkit_table(
             "Table 3. Times to find the first pair of triangles, mean (median)\n", scenes, Question::first_triangle,
             [](const ToolkitTimes& t, std::size_t s) { return t.first[s]; }, peers) +
         '\n' +
         toolkit_table(
             "Table 4. Times to find all pairs of triangles, mean (median)\n", scenes, Question::triangles,
             [](const ToolkitTimes& t, std::size_t s) { return t.all[s]; }, peers) +
         '\n' +
         surface_table("Table 5. The same as Table 2 without the overlapping box, mean (median)\n", scenes,
                       k_without_overlap_box, k_no_overlap_box, false) +
         '\n' + table_6(scenes) + '\n' + beyond(scenes);
}

std::string counts_text(const SceneResults& scenes) {
  std::string text = "scene,query,engine,node_pairs,box_tests,box_updates,triangle_tests,exact_tests\n";
  for (std::size_t s = 0; s < k_scenes.size(); ++s)
    for (const auto& [key, counts] : scenes[s].counts) {
      text += std::string(k_scenes[s]) + ',' + std::string(to_string(key.first)) + ',' + key.second;
      for (const double value :
           {counts.node_pairs, counts.box_tests, counts.box_updates, counts.triangle_tests, counts.exact_tests})
        text += ',' + digits(value, 2);
      text += '\n';
    }
  return text;
}

}  // namespace snug::bench::figueiredo
