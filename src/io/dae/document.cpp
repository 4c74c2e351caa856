#include "io/dae/document.hpp"

#include "io/text/number.hpp"

#include <charconv>

namespace snug::io {

namespace {

using Code = IoError::Code;

// A polygon may be an element of its own.
constexpr std::size_t k_max_dae_elements = std::size_t{1} << 20;

/// The next word of a text, which is moved behind it.
std::string_view next_word(std::string_view& text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  std::size_t length = 0;
  while (length < text.size() && !is_space(text[length])) ++length;
  const std::string_view word = text.substr(0, length);
  text.remove_prefix(length);
  return word;
}

std::optional<std::uint32_t> whole_number(std::string_view word) {
  std::uint32_t value = 0;
  const auto [end, bad] = std::from_chars(word.data(), word.data() + word.size(), value);
  return bad == std::errc{} && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

Result<DaeDocument, IoError> DaeDocument::parse(std::string_view text, const std::string& path) {
  auto xml = parse_xml(text, k_max_dae_elements);
  if (!xml)
    return failure_at_line(xml.error().too_large ? Code::too_large : Code::malformed, path, xml.error().line,
                           xml.error().text);
  DaeDocument out;
  out.path_ = path;
  out.xml_ = std::move(*xml);
  if (out.root().name != "COLLADA")
    return out.fail(out.root(), "is no COLLADA file: its root is <" + out.root().name + '>');
  for (std::uint32_t i = 0; i < out.xml_.elements.size(); ++i)
    if (const std::string* id = out.element(i).attribute("id")) out.ids_.try_emplace(*id, i);
  return out;
}

Failure<IoError> DaeDocument::fail(const XmlElement& at, std::string text, Code code) const {
  return failure_at_line(code, path_, at.line, std::move(text));
}

Result<const XmlElement*, IoError> DaeDocument::target(const XmlElement& of, std::string_view attribute,
                                                       std::string_view name) const {
  const std::string* url = of.attribute(attribute);
  const std::string shown = "'" + std::string(attribute) + "' of <" + of.name + '>';
  if (url == nullptr || url->empty()) return fail(of, shown + " is missing");
  if (url->front() != '#')
    return fail(of, shown + " is " + io::quoted(*url) + ": other files are not read", Code::unsupported);
  const auto found = ids_.find(url->substr(1));
  if (found == ids_.end())
    return fail(of, shown + " is " + io::quoted(*url) + ", which is not there", Code::out_of_range);
  if (element(found->second).name != name)
    return fail(of, shown + " is " + io::quoted(*url) + ", which is no <" + std::string(name) + '>');
  return &element(found->second);
}

Result<std::uint64_t, IoError> DaeDocument::count(const XmlElement& of, std::string_view attribute,
                                                  std::uint64_t otherwise) const {
  const std::string* text = of.attribute(attribute);
  if (text == nullptr) return otherwise;
  std::string_view rest = *text;
  const auto value = whole_number(next_word(rest));
  if (!value || !next_word(rest).empty())
    return fail(
        of, "'" + std::string(attribute) + "' of <" + of.name + "> must be a whole number, found " + io::quoted(*text));
  return *value;
}

Result<std::vector<double>, IoError> DaeDocument::numbers(const XmlElement& of) const {
  std::vector<double> out;
  std::string_view rest = of.text;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    double value = 0;
    const char* at = word.data();
    const NumberState state = parse_coordinate(at, word.data() + word.size(), value);
    if (state != NumberState::ok || at != word.data() + word.size())
      return fail(of, '<' + of.name + "> holds " + io::quoted(word) + " where a finite number is expected",
                  state == NumberState::non_finite ? Code::non_finite : Code::malformed);
    out.push_back(value);
  }
  return out;
}

Result<std::vector<double>, IoError> DaeDocument::numbers(const XmlElement& of, std::size_t expected) const {
  auto out = numbers(of);
  if (out && out->size() != expected)
    return fail(of, '<' + of.name + "> must hold " + std::to_string(expected) + " numbers, found " +
                        std::to_string(out->size()));
  return out;
}

Result<std::vector<std::uint32_t>, IoError> DaeDocument::indices(const XmlElement& of) const {
  std::vector<std::uint32_t> out;
  std::string_view rest = of.text;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    const auto value = whole_number(word);
    if (!value) return fail(of, '<' + of.name + "> holds " + io::quoted(word) + " where a whole number is expected");
    out.push_back(*value);
  }
  return out;
}

}  // namespace snug::io
