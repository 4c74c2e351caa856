#include "bench/report/row.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace snug::bench {

namespace {

constexpr double k_width = 500, k_height = 300, k_left = 60, k_right = 130, k_top = 30, k_bottom = 70;
constexpr const char* k_colours[] = {"#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#7f7f7f"};

struct Line {
  std::string engine;
  std::vector<double> us;  ///< by bucket; 0 where there is none
};

struct Picture {
  std::string title;
  std::vector<std::string> buckets;
  std::vector<Line> lines;
};

std::size_t place(std::vector<std::string>& list, const std::string& name) {
  const auto found = std::ranges::find(list, name);
  if (found == list.end()) list.push_back(name);
  return static_cast<std::size_t>(std::ranges::find(list, name) - list.begin());
}

std::vector<Picture> pictures_of(const Results& results) {
  std::vector<Picture> pictures;
  for (const Row& row : results.rows) {
    const std::string title = row.scene + ", " + row.query;
    auto picture = std::ranges::find(pictures, title, &Picture::title);
    if (picture == pictures.end()) picture = pictures.insert(pictures.end(), Picture{title, {}, {}});
    const std::size_t bucket = place(picture->buckets, row.bucket);
    auto line = std::ranges::find(picture->lines, row.engine, &Line::engine);
    if (line == picture->lines.end()) line = picture->lines.insert(picture->lines.end(), Line{row.engine, {}});
    line->us.resize(std::max(line->us.size(), bucket + 1), 0);
    line->us[bucket] = row.mean_us;
  }
  std::erase_if(pictures, [](const Picture& picture) { return picture.buckets.size() < 2; });
  return pictures;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string text_at(double x, double y, const std::string& anchor, const std::string& text,
                    const std::string& more = "") {
  char head[160];
  std::snprintf(head, sizeof head, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor.c_str(),
                more.c_str());
  return head + escaped(text) + "</text>\n";
}

class Drawing {
 public:
  Drawing(const Picture& picture, double x, double y) : picture_(picture), x_(x), y_(y) {
    for (const Line& line : picture.lines)
      for (const double us : line.us)
        if (us > 0)
          low_ = std::min(low_, std::floor(std::log10(us))), high_ = std::max(high_, std::ceil(std::log10(us)));
    if (!(high_ > low_)) high_ = low_ + 1;
  }

  std::string draw() const {
    std::string out =
        text_at(x_ + k_left, y_ + 18, "start", picture_.title + " (mean microseconds)", " font-weight=\"bold\"");
    for (double decade = low_; decade <= high_; ++decade) {
      char line[160], label[32];
      const double y = at(std::pow(10, decade));
      std::snprintf(line, sizeof line, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#ddd\"/>\n", x_ + k_left, y,
                    x_ + k_width - k_right);
      std::snprintf(label, sizeof label, "%g", std::pow(10, decade));
      out += line + text_at(x_ + k_left - 6, y + 4, "end", label);
    }
    for (std::size_t i = 0; i < picture_.buckets.size(); ++i) {
      char turn[80];
      const double x = across(i), y = y_ + k_height - k_bottom + 12;
      std::snprintf(turn, sizeof turn, " transform=\"rotate(-45 %.1f %.1f)\"", x, y);
      out += text_at(x, y, "end", picture_.buckets[i], turn);
    }
    for (std::size_t k = 0; k < picture_.lines.size(); ++k) out += curve(k);
    return out;
  }

 private:
  double across(std::size_t bucket) const {
    return x_ + k_left +
           (k_width - k_left - k_right) * (static_cast<double>(bucket) + 0.5) /
               static_cast<double>(picture_.buckets.size());
  }
  double at(double us) const {
    return y_ + k_height - k_bottom - (k_height - k_top - k_bottom) * (std::log10(us) - low_) / (high_ - low_);
  }
  std::string curve(std::size_t k) const {
    const Line& line = picture_.lines[k];
    const std::string colour = k_colours[k % std::size(k_colours)];
    std::string path, dots;
    double x = 0, y = 0;
    for (std::size_t i = 0; i < line.us.size(); ++i) {
      if (line.us[i] <= 0) continue;
      char point[120];
      x = across(i), y = at(line.us[i]);
      std::snprintf(point, sizeof point, "%c%.1f %.1f", path.empty() ? 'M' : 'L', x, y);
      path += point;
      std::snprintf(point, sizeof point, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>", x, y,
                    colour.c_str());
      dots += point;
    }
    if (path.empty()) return "";
    const double label_y = y_ + k_top + 14 * static_cast<double>(k) + 10;
    return "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"1.6\"/>" + dots + '\n' +
           text_at(x_ + k_width - k_right + 8, label_y, "start", line.engine, " fill=\"" + colour + '"');
  }

  const Picture& picture_;
  double x_, y_, low_ = 1e9, high_ = -1e9;
};

}  // namespace

std::string svg_text(const Results& results) {
  const std::vector<Picture> pictures = pictures_of(results);
  constexpr std::size_t k_columns = 2;
  const std::size_t rows = (pictures.size() + k_columns - 1) / k_columns;
  char head[240];
  std::snprintf(head, sizeof head,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\" "
                "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                k_columns * k_width, std::max(1.0, static_cast<double>(rows)) * k_height);
  std::string out = head;
  for (std::size_t i = 0; i < pictures.size(); ++i)
    out += Drawing(pictures[i], static_cast<double>(i % k_columns) * k_width,
                   static_cast<double>(i / k_columns) * k_height)
               .draw();
  if (pictures.empty()) out += text_at(k_left, k_top, "start", "nothing was measured over several buckets");
  return out + "</svg>\n";
}

}  // namespace snug::bench
