// The names of other files in the text of a STEP file.
#include "io/step/references.hpp"

#include <gtest/gtest.h>

namespace snug::io {
namespace {

using Texts = std::vector<std::string>;

Texts names_in(std::string_view text) {
  StepReferences references;
  references.take(text);
  return references.names();
}

TEST(StepReferences, AreTheTextsOfDocuments) {
  EXPECT_EQ(
      names_in("#1=DOCUMENT_TYPE('no');#2=DOCUMENT_FILE('a.stp','A','',#1,'x',$);"
               "#3=APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT('b.stp',#4,#5,(#2));#6=PRODUCT('c.stp','c','',(#7));"),
      (Texts{"a.stp", "A", "b.stp"}));
  EXPECT_EQ(names_in("#2 = DOCUMENT_FILE ( $ , 'name' , '' , #1 ) ;"), Texts{"name"});
  EXPECT_EQ(names_in("DOCUMENT_FILE(' ','',$)"), Texts{});
}

TEST(StepReferences, PassOverStringsAndComments) {
  EXPECT_EQ(names_in("#1=X('DOCUMENT_FILE(''no'')');/* DOCUMENT_FILE('no') **/#2=/**/DOCUMENT_FILE('it''s','');"),
            Texts{"it's"});
}

TEST(StepReferences, AreTheSameInPiecesOfAnySize) {
  const std::string text = "#1=DOCUMENT_FILE('it''s\n.stp','\\X2\\00E4\\X0\\b');/* ' */#2=DOCUMENT_FILE('c','');";
  const Texts whole = names_in(text);
  EXPECT_EQ(whole, (Texts{"it's.stp", "\u00E4b", "c"}));
  for (std::size_t size = 1; size < 9; ++size) {
    StepReferences references;
    for (std::size_t at = 0; at < text.size(); at += size) references.take(std::string_view(text).substr(at, size));
    EXPECT_EQ(references.names(), whole) << size;
  }
}

TEST(StepReferences, BeginAnewWithEachFile) {
  StepReferences references;
  references.take("#1=DOCUMENT_FILE('never ended");
  references.restart();
  references.take("#1=DOCUMENT_FILE('b.stp','');");
  EXPECT_EQ(references.names(), Texts{"b.stp"});
}

TEST(StepReferences, AreBounded) {
  std::string text;
  for (int i = 0; i < 10'100; ++i) text += "DOCUMENT_FILE('" + std::to_string(i) + "','');";
  EXPECT_EQ(names_in(text).size(), 10'000U);
  EXPECT_EQ(names_in("DOCUMENT_FILE('" + std::string(100'000, 'x') + "','y');"), Texts{"y"});
}

TEST(StepReferences, TextsAreDecoded) {
  EXPECT_EQ(decoded_step_text("\\X\\E4\\S\\D \\X2\\D83DDE00\\X0\\ \\X4\\0001F600\\X0\\ a\\\\b"),
            "\u00E4\u00C4 \U0001F600 \U0001F600 a\\b");
  EXPECT_EQ(decoded_step_text("\xE4 \xC3\xA4 \x80"), "\u00E4 \u00E4 \u20AC");
  EXPECT_EQ(decoded_step_text("\\X2\\00"), "");
  EXPECT_EQ(decoded_step_text("\\X\\"), "");
}

}  // namespace
}  // namespace snug::io
