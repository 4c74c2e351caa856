#include "io/xml/xml.hpp"

#include <gtest/gtest.h>

#include <string>

namespace snug::io {
namespace {

std::string error_of(std::string_view text) {
  const auto xml = parse_xml(text);
  return xml ? "" : std::to_string(xml.error().line) + ": " + xml.error().text;
}

TEST(Xml, KeepsElementsAttributesAndLines) {
  const auto xml = parse_xml(
      "\xef\xbb\xbf<?xml version='1.0' encoding=\"UTF-8\"?>\n<!-- <no/> -->\n<robot name='a &lt;&amp;&#x41;&#233;'>\n"
      "  <link\n    name=\"x\"/> text <![CDATA[<b>&]]>\n  <!-- -- --><joint a = '1'\tb='2' ></joint >\n</robot>\n<!-- "
      "end -->");
  ASSERT_TRUE(xml) << xml.error().text;
  ASSERT_EQ(xml->elements.size(), 3U);
  EXPECT_EQ(xml->root().name, "robot");
  EXPECT_EQ(*xml->root().attribute("name"), "a <&A\xc3\xa9");
  EXPECT_EQ(xml->root().line, 3U);
  EXPECT_EQ(xml->root().attribute("nam"), nullptr);
  const XmlElement* joint = xml->child(xml->root(), "joint");
  ASSERT_NE(joint, nullptr);
  EXPECT_EQ(joint->line, 6U);
  EXPECT_EQ(*joint->attribute("b"), "2");
  EXPECT_EQ(xml->child(xml->root(), "b"), nullptr);
}

TEST(Xml, SaysWhatIsWrongAndWhere) {
  for (const auto& [text, words] : std::initializer_list<std::pair<std::string, std::string>>{
           {"", "1: holds no element"},
           {"hello", "1: expected an element, found 'hello'"},
           {"<a>\n<b>\n</a>", "3: </a> stands where </b> is expected, opened in line 2"},
           {"<a>\n<b/>", "2: the text ends, and <a> of line 1 is not closed"},
           {"<a/>\n<b/>", "2: there is a second root element, <b>"},
           {"</a>", "1: </a> closes nothing"},
           {"<a x='1' x='2'/>", "1: the attribute 'x' stands twice in <a>"},
           {"<a x=1/>", "1: the value of 'x' is not in quotes"},
           {"<a x='1/>", "1: the value of 'x' does not end"},
           {"<a x='<'/>", "1: there is a '<' in the value of an attribute"},
           {"<a x='1'y='2'/>", "1: expected a blank, '>' or '/>' in <a>"},
           {"<a x='&bomb;'/>", "1: the entity &bomb; is not known"},
           {"<a x='&#0;'/>", "1: &#0; is no character"},
           {"<a x='&#xd800;'/>", "1: &#xd800; is no character"},
           {"<a x='&'/>", "1: there is a '&' without ';'"},
           {"<a", "1: the text ends within <a>"},
           {"<", "1: expected the name of an element behind '<'"},
           {"<!-- \n <a/>", "1: the comment that begins here does not end"},
           {std::string("<a>\0</a>", 8), "1: holds the byte '\\x00', which XML does not allow"},
           {"\xff\xfe<\0a\0", "1: is in UTF-16; only UTF-8 is read"},
           {"<?xml version='1.0' encoding='latin-1'?><a/>", "1: is in the encoding 'latin-1'; only UTF-8 is read"},
           {"<a>&lol;</b>", "1: </b> stands where </a> is expected, opened in line 1"}})
    EXPECT_EQ(error_of(text), words);
}

TEST(Xml, RefusesWhatCouldGrow) {
  EXPECT_NE(
      error_of("<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 \"&lol;&lol;\">]>\n<a>&lol2;</a>").find("DOCTYPE"),
      std::string::npos);
  EXPECT_NE(error_of("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>").find("DOCTYPE"), std::string::npos);
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_NE(error_of(deep).find("64 levels"), std::string::npos);
  std::string many = "<a>";
  for (int i = 0; i < (1 << 18) + 1; ++i) many += "<b/>";
  EXPECT_NE(error_of(many + "</a>").find("262144 elements"), std::string::npos);
  std::string wide = "<a";
  for (int i = 0; i < 300; ++i) wide += " x" + std::to_string(i) + "=''";
  EXPECT_NE(error_of(wide + "/>").find("256 attributes"), std::string::npos);
}

TEST(Xml, NoCutOfATextIsTrouble) {
  const std::string text =
      "<?xml version='1.0'?><!--c--><robot name='&#65;'><link name=\"x\">t<![CDATA[y]]></link></robot>";
  for (std::size_t i = 0; i < text.size(); ++i) EXPECT_FALSE(parse_xml(std::string_view(text).substr(0, i))) << i;
  EXPECT_TRUE(parse_xml(text));
  // Any byte in any place: whatever it says, it ends.
  for (std::size_t i = 0; i < text.size(); ++i)
    for (const char c : {'\0', '<', '>', '&', '"', '\'', '/', '\xff', ' '}) {
      std::string broken = text;
      broken[i] = c;
      (void)parse_xml(broken);
    }
}

}  // namespace
}  // namespace snug::io
