#include "page_images.hpp"

#include "browser.hpp"
#include "errors.hpp"
#include "options.hpp"
#include "output.hpp"
#include "page_output.hpp"
#include "progress_bar.hpp"
#include "quantity.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include <unistd.h>

namespace snug::cli {

namespace {

// Pictures drawn by one start of the browser, which takes longer than several of them; its answer holds them all, some
// 500 kB each.
constexpr std::size_t k_batch = 100;
constexpr double k_start_seconds = 120, k_picture_seconds = 20;  // more than any machine needs

std::optional<std::string> from_base64(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::uint32_t digit = c >= 'A' && c <= 'Z'   ? std::uint32_t(c - 'A')
                                : c >= 'a' && c <= 'z' ? std::uint32_t(c - 'a' + 26)
                                : c >= '0' && c <= '9' ? std::uint32_t(c - '0' + 52)
                                : c == '+'             ? 62U
                                : c == '/'             ? 63U
                                                       : 64U;
    if (digit == 64) return std::nullopt;
    bits = bits << 6 | digit;
    held += 6;
    if (held >= 8) out += static_cast<char>(bits >> (held -= 8) & 0xff);
  }
  return out;
}

/// What stands behind `name="` in an element; the page writes these attributes, so they hold no quotes.
std::string_view attribute(std::string_view element, std::string_view name) {
  const std::string start = ' ' + std::string(name) + "=\"";
  const std::size_t at = element.find(start);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at + start.size();
  return element.substr(begin, element.find('"', begin) - begin);
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Writes the pictures that the browser's document holds; how many there were.
std::size_t write_pictures(std::string_view document, const std::filesystem::path& folder) {
  constexpr std::string_view k_png = "data:image/png;base64,";
  std::size_t written = 0;
  for (std::size_t at = document.find("<img data-at="); at != std::string_view::npos;
       at = document.find("<img data-at=", at + 1)) {
    const std::string_view element = document.substr(at, document.find('>', at) - at);
    const std::string_view source = attribute(element, "src"), id = attribute(element, "data-id");
    if (!source.starts_with(k_png) || id.empty() || !std::ranges::all_of(id, [](char c) { return std::isxdigit(c); }))
      continue;
    const auto picture = from_base64(source.substr(k_png.size()));
    if (!picture) continue;
    write_file(folder / (std::string(id) + ".png"), *picture);
    ++written;
  }
  return written;
}

std::filesystem::path folder_for_images(const std::string& asked) {
  std::error_code failed;
  std::filesystem::create_directories(asked, failed);
  if (failed) fail_usage(asked + ": cannot be created: " + failed.message());
  expect_writable(std::filesystem::path(asked) / "picture.png");
  return asked;
}

}  // namespace

void add_page_outputs(CLI::App& app, std::string& html, std::string& images) {
  not_empty(add_value(app, "--html", html, "FILE|DIR",
                      "write a page to look at in a browser: one file that needs nothing else"));
  not_empty(add_value(app, "--images", images, "DIR",
                      "write a picture (PNG) of each finding, named by its id; needs Chromium"));
}

std::filesystem::path find_browser() {
  if (const char* named = std::getenv("SNUG_CHROMIUM"); named != nullptr && *named != '\0')
    return ::access(named, X_OK) == 0 ? named : "";
  return find_in_path({"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"});
}

void write_images(const std::filesystem::path& page, const std::filesystem::path& folder,
                  const std::filesystem::path& browser, std::size_t findings, bool words, const CancelToken* cancel) {
  const TemporaryFolder own;
  const auto answer = own.path() / "answer.html";
  std::vector<std::string> arguments{browser.string(),
                                     "--headless",
                                     "--disable-gpu-sandbox",
                                     "--use-gl=angle",
                                     "--use-angle=swiftshader",
                                     "--enable-unsafe-swiftshader",
                                     "--ignore-gpu-blocklist",
                                     "--no-first-run",
                                     "--disable-extensions",
                                     "--disable-background-networking",
                                     "--force-device-scale-factor=1",
                                     "--window-size=1000,760",
                                     "--user-data-dir=" + (own.path() / "profile").string()};
  if (::geteuid() == 0) arguments.emplace_back("--no-sandbox");  // Chromium refuses to run as root with it
  arguments.emplace_back("--dump-dom");
  ProgressBar bar("drawing", words);
  const auto progress = bar.hook();
  std::size_t drawn = 0;
  for (std::size_t at = 0; at < findings; at += k_batch) {
    auto call = arguments;
    call.push_back(file_address(page) + "#images=" + std::to_string(at) + '-' + std::to_string(at + k_batch));
    const std::size_t expected = std::min(k_batch, findings - at);
    const int status =
        run_program(call, answer, k_start_seconds + k_picture_seconds * static_cast<double>(expected), cancel);
    const auto drawn_of_all = [&] { return "drew " + std::to_string(drawn) + " of " + counted(findings, "finding"); };
    if (status == k_was_cancelled && cancel != nullptr && cancel->cancelled())
      throw Failed(k_incomplete, "stopped: " + drawn_of_all());
    if (status != 0)
      fail_output(browser.string() + (status == k_took_too_long ? ": took too long to draw the findings"
                                                                : ": ended with status " + std::to_string(status)));
    const std::string document = contents(answer);
    const std::size_t written = write_pictures(document, folder);
    drawn += written;
    if (written != expected) {
      const std::size_t told = document.find("<div id=\"snug-images\"");
      const auto why = told == std::string::npos ? std::string_view()
                                                 : attribute(std::string_view(document).substr(told), "data-error");
      fail_output(browser.string() + ": " + drawn_of_all() + "; " +
                  std::string(why.empty() ? "it may lack WebGL" : why));
    }
    if (progress) progress(static_cast<double>(std::min(at + k_batch, findings)) / static_cast<double>(findings));
  }
}

PageOutputs PageOutputs::prepare(const std::string& html, const std::string& images,
                                 const std::filesystem::path& output) {
  PageOutputs out;
  if (!html.empty()) out.page_ = page_file(html, {output});
  if (!images.empty()) {
    out.browser_ = find_browser();
    if (out.browser_.empty())
      fail_usage(
          "--images needs Chromium, and there is none where SNUG_CHROMIUM says or, without it, in PATH (Debian: "
          "apt-get "
          "install chromium). --html needs no browser to be written");
    out.images_ = folder_for_images(images);
    if (!output.empty()) expect_writable(output);  // its name may be that of the folder
  }
  return out;
}

void PageOutputs::write(const PageInput& input, bool words, std::size_t findings, const CancelToken* cancel) const {
  std::optional<TemporaryFolder> own;
  std::filesystem::path page = page_;
  if (page.empty()) page = own.emplace().path() / "page.html";
  write_page(input, page, words);
  if (!page_.empty() && words) say("the page is in " + page_.string());
  if (images_.empty()) return;
  write_images(page, images_, browser_, findings, words, cancel);
  if (words) say(counted(findings, "picture is in ", "pictures are in ") + images_.string());
}

}  // namespace snug::cli
