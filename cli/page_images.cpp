#include "page_images.hpp"

#include "errors.hpp"
#include "options.hpp"
#include "output.hpp"
#include "page_output.hpp"

namespace snug::cli {

void add_page_outputs(CLI::App& app, std::string& html, std::string& images) {
  not_empty(add_value(app, "--html", html, "FILE|DIR",
                      "write a page to look at in a browser: one file that needs nothing else"));
  not_empty(add_value(app, "--images", images, "DIR", "write a picture of each finding (needs Chromium)"));
}

PageOutputs PageOutputs::prepare(const std::string& html, const std::string& images) {
  PageOutputs out;
  if (!html.empty()) out.page_ = page_file(html);
  (void)images;
  return out;
}

void PageOutputs::write(const PageInput& input, bool words) const {
  write_page(input, page_, words);
  if (words) say("the page is in " + page_.string());
}

}  // namespace snug::cli
