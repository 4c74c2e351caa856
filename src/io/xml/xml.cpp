#include "io/xml/xml.hpp"

#include "io/errors.hpp"
#include "io/text/number.hpp"
#include "support/assert.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace snug::io {

namespace {

constexpr std::size_t k_max_xml_depth = 64;
constexpr std::size_t k_max_attributes = 256;

bool begins_name(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool continues_name(char c) noexcept { return begins_name(c) || is_digit(c) || c == '-' || c == '.'; }

bool xml_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// True if XML may hold the character at all.
bool allowed(std::uint32_t c) noexcept {
  return c == 9 || c == 10 || c == 13 || (c >= 0x20 && c <= 0xd7ff) || (c >= 0xe000 && c <= 0xfffd) ||
         (c >= 0x10000 && c <= 0x10ffff);
}

void append_utf8(std::string& out, std::uint32_t c) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) return put(c);
  if (c < 0x800) return put(0xc0 | (c >> 6)), put(0x80 | (c & 63));
  if (c < 0x10000) return put(0xe0 | (c >> 12)), put(0x80 | ((c >> 6) & 63)), put(0x80 | (c & 63));
  put(0xf0 | (c >> 18)), put(0x80 | ((c >> 12) & 63)), put(0x80 | ((c >> 6) & 63)), put(0x80 | (c & 63));
}

class Parser {
 public:
  Parser(std::string_view text, std::size_t max_elements)
      : at_(text.data()), end_(text.data() + text.size()), max_elements_(max_elements) {}

  Result<Xml, XmlError> parse() {
    if (rest().starts_with("\xef\xbb\xbf")) at_ += 3;
    if (rest().starts_with("\xff\xfe") || rest().starts_with("\xfe\xff"))
      return fail("is in UTF-16; only UTF-8 is read");
    while (!error_ && at_ != end_) step();
    if (!error_ && !open_.empty())
      set_error("the text ends, and <" + shown(element(open_.back()).name) + "> of line " +
                std::to_string(element(open_.back()).line) + " is not closed");
    if (!error_ && xml_.elements.empty()) set_error("holds no element");
    if (error_) return Failure{*error_};
    return std::move(xml_);
  }

 private:
  [[nodiscard]] std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  [[nodiscard]] XmlElement& element(std::uint32_t id) { return xml_.elements[id]; }
  static std::string shown(std::string_view name) {
    const std::string in_quotes = io::quoted(name);
    return in_quotes.starts_with('\'') ? in_quotes.substr(1, in_quotes.size() - 2) : in_quotes;
  }

  void set_error(std::string text, bool too_large = false) {
    if (!error_) error_ = XmlError{line_, std::move(text), too_large};
  }
  Failure<XmlError> fail(std::string text) { return Failure{XmlError{line_, std::move(text)}}; }

  void advance(std::size_t count) {
    line_ += static_cast<std::uint64_t>(std::count(at_, at_ + count, '\n'));
    at_ += count;
  }
  /// Moves behind the next `mark`.
  void skip_past(std::string_view mark, const char* what) {
    const std::size_t found = rest().find(mark);
    if (found == std::string_view::npos) return set_error(std::string(what) + " that begins here does not end");
    advance(found + mark.size());
  }
  void skip_space() {
    while (at_ != end_ && xml_space(*at_)) advance(1);
  }
  std::string_view name() {
    if (at_ == end_ || !begins_name(*at_)) return {};
    const char* const start = at_;
    while (at_ != end_ && continues_name(*at_)) ++at_;
    return {start, static_cast<std::size_t>(at_ - start)};
  }

  void step() {
    if (*at_ != '<') return text_between();
    const std::string_view here = rest();
    if (here.starts_with("<!--")) {
      advance(4);
      return skip_past("-->", "the comment");
    }
    if (here.starts_with("<?")) return instruction();
    if (here.starts_with("<![CDATA[")) {
      if (open_.empty()) return set_error("there is text outside of the root element");
      return skip_past("]]>", "the CDATA section");
    }
    if (here.starts_with("<!DOCTYPE"))
      return set_error("has a DOCTYPE, which may define entities or name other files; take it out");
    if (here.starts_with("<!")) return set_error("expected an element, found " + io::quoted(here.substr(0, 20)));
    if (here.starts_with("</")) return closing_tag();
    opening_tag();
  }

  /// Passed over, but for what can not stand there.
  void text_between() {
    const std::size_t next = std::min(rest().find('<'), rest().size());
    const std::string_view text = rest().substr(0, next);
    const auto odd =
        std::ranges::find_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 && !xml_space(c); });
    if (odd != text.end()) {
      advance(static_cast<std::size_t>(odd - text.begin()));
      return set_error("holds the byte " + io::quoted(std::string_view(at_, 1)) + ", which XML does not allow");
    }
    if (open_.empty())
      for (std::size_t i = 0; i < text.size(); ++i)
        if (!xml_space(text[i])) {
          advance(i);
          return set_error("expected an element, found " + io::quoted(text.substr(i, 20)));
        }
    advance(next);
  }

  void instruction() {
    const std::size_t end = rest().find("?>");
    if (end == std::string_view::npos) return set_error("the instruction that begins here does not end");
    const std::string_view body = rest().substr(0, end);
    if (body.starts_with("<?xml") && body.size() > 5 && xml_space(body[5])) declared_encoding(body);
    advance(end + 2);
  }
  void declared_encoding(std::string_view body) {
    const std::size_t found = body.find("encoding");
    if (found == std::string_view::npos) return;
    const std::size_t open = body.find_first_of("\"'", found);
    const std::size_t close = open == std::string_view::npos ? open : body.find(body[open], open + 1);
    if (close == std::string_view::npos) return set_error("the encoding is not in quotes");
    std::string word(body.substr(open + 1, close - open - 1));
    std::ranges::transform(word, word.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    if (word != "utf-8" && word != "utf8" && word != "us-ascii" && word != "ascii")
      set_error("is in the encoding " + io::quoted(word) + "; only UTF-8 is read");
  }

  void closing_tag() {
    const char* const end_of_text = at_;
    advance(2);
    const std::string_view closed = name();
    skip_space();
    if (at_ == end_ || *at_ != '>') return set_error("expected '>' behind </" + shown(closed));
    if (open_.empty()) return set_error("</" + shown(closed) + "> closes nothing");
    XmlElement& opened = element(open_.back());
    if (opened.name != closed)
      return set_error("</" + shown(closed) + "> stands where </" + shown(opened.name) +
                       "> is expected, opened in line " + std::to_string(opened.line));
    advance(1);
    const char* const begin = opened.text.data();
    SNUG_ASSERT(begin <= end_of_text);
    opened.text = opened.children.empty() ? std::string_view(begin, static_cast<std::size_t>(end_of_text - begin))
                                          : std::string_view();
    open_.pop_back();
  }

  void opening_tag() {
    const std::uint64_t line = line_;
    advance(1);
    const std::string_view called = name();
    if (called.empty()) return set_error("expected the name of an element behind '<'");
    if (open_.empty() && !xml_.elements.empty())
      return set_error("there is a second root element, <" + shown(called) + '>');
    if (open_.size() == k_max_xml_depth) return set_error("elements are nested deeper than 64 levels", true);
    if (xml_.elements.size() == max_elements_)
      return set_error("there are more than " + std::to_string(max_elements_) + " elements", true);
    const auto id = static_cast<std::uint32_t>(xml_.elements.size());
    xml_.elements.push_back({std::string(called), line, {}, {}, {}});
    if (!open_.empty()) element(open_.back()).children.push_back(id);
    while (!error_) {
      const char* const before = at_;
      skip_space();
      if (at_ == end_) return set_error("the text ends within <" + shown(called) + '>');
      if (*at_ == '>') {
        advance(1);
        open_.push_back(id);
        element(id).text = {at_, 0};
        return;
      }
      if (rest().starts_with("/>")) return advance(2);
      if (before == at_) return set_error("expected a blank, '>' or '/>' in <" + shown(called) + '>');
      read_attribute(element(id));
    }
  }

  void read_attribute(XmlElement& owner) {
    const std::string_view called = name();
    if (called.empty())
      return set_error("expected an attribute in <" + shown(owner.name) + ">, found " +
                       io::quoted(rest().substr(0, 1)));
    skip_space();
    if (at_ == end_ || *at_ != '=') return set_error("expected '=' behind the attribute " + io::quoted(called));
    advance(1);
    skip_space();
    if (at_ == end_ || (*at_ != '"' && *at_ != '\''))
      return set_error("the value of " + io::quoted(called) + " is not in quotes");
    const std::size_t close = rest().find(*at_, 1);
    if (close == std::string_view::npos) return set_error("the value of " + io::quoted(called) + " does not end");
    if (owner.attribute(called) != nullptr)
      return set_error("the attribute " + io::quoted(called) + " stands twice in <" + shown(owner.name) + '>');
    if (owner.attributes.size() == k_max_attributes) return set_error("an element has more than 256 attributes", true);
    auto value = unescaped(rest().substr(1, close - 1));
    advance(close + 1);
    if (!error_) owner.attributes.push_back({std::string(called), std::move(value)});
  }

  std::string unescaped(std::string_view raw) {
    std::string out;
    out.reserve(raw.size());
    for (std::size_t i = 0; i < raw.size() && !error_; ++i) {
      const char c = raw[i];
      if (c == '<')
        set_error("there is a '<' in the value of an attribute");
      else if (static_cast<unsigned char>(c) < 0x20 && !xml_space(c))
        set_error("holds the byte " + io::quoted(raw.substr(i, 1)) + ", which XML does not allow");
      else if (c != '&')
        out += xml_space(c) ? ' ' : c;
      else
        i += entity(raw.substr(i), out);
    }
    return out;
  }
  /// Appends what stands for the reference at the beginning of `raw`; returns its length less one.
  std::size_t entity(std::string_view raw, std::string& out) {
    const std::size_t end = raw.substr(0, 16).find(';');
    if (end == std::string_view::npos) return set_error("there is a '&' without ';'"), 0;
    const std::string_view called = raw.substr(1, end - 1);
    if (called.starts_with('#')) {
      const bool hex = called.starts_with("#x");
      const std::string_view digits = called.substr(hex ? 2 : 1);
      std::uint32_t code = 0;
      const auto [stop, bad] = std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
      if (bad != std::errc{} || stop != digits.data() + digits.size() || !allowed(code))
        return set_error("&" + shown(called) + "; is no character"), 0;
      append_utf8(out, code);
      return end;
    }
    for (const auto& [word, stands_for] :
         {std::pair{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}})
      if (called == word) return out += stands_for, end;
    return set_error("the entity &" + shown(called) + "; is not known"), 0;
  }

  const char *at_, *end_;
  std::size_t max_elements_;
  std::uint64_t line_ = 1;
  Xml xml_;
  std::vector<std::uint32_t> open_;
  std::optional<XmlError> error_;
};

}  // namespace

const std::string* XmlElement::attribute(std::string_view wanted) const noexcept {
  const auto found = std::ranges::find(attributes, wanted, &XmlAttribute::name);
  return found == attributes.end() ? nullptr : &found->value;
}

const XmlElement* Xml::child(const XmlElement& of, std::string_view name) const noexcept {
  for (const std::uint32_t id : of.children)
    if (elements[id].name == name) return &elements[id];
  return nullptr;
}

Result<Xml, XmlError> parse_xml(std::string_view text, std::size_t max_elements) {
  return Parser(text, max_elements).parse();
}

}  // namespace snug::io
