#include "convoy/report/chart/xml.h"

#include <gtest/gtest.h>

#include "convoy/base/utf8.h"
#include "convoy/report/chart/xml_reader_test.h"

namespace convoy::report {
namespace {

TEST(EscapeXml, ReplacesWhatHasAMeaning) {
  EXPECT_EQ(escape_xml("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(escape_xml("&amp;"), "&amp;amp;");
  EXPECT_EQ(escape_xml("µs, 日本, 🚚"), "µs, 日本, 🚚");
  EXPECT_EQ(escape_xml(""), "");
}

TEST(EscapeXml, ReplacesWhatXmlCannotHold) {
  EXPECT_EQ(escape_xml(std::string_view("a\0b", 3)), "a\uFFFDb");
  EXPECT_EQ(escape_xml("\x1B[31m"), "\uFFFD[31m");
  EXPECT_EQ(escape_xml("tab\tline\n"), "tab\tline\n");
  EXPECT_EQ(escape_xml("\xFF\xFE"), "\uFFFD\uFFFD");
  EXPECT_EQ(escape_xml("\xEF\xBF\xBF"), "\uFFFD") << "U+FFFF is no character";
}

TEST(FirstCharacter, KnowsLengthsAndCodes) {
  EXPECT_EQ(first_character("a").code, U'a');
  EXPECT_EQ(first_character("µs").bytes, 2U);
  EXPECT_EQ(first_character("日").code, U'日');
  EXPECT_EQ(first_character("🚚").bytes, 4U);
}

TEST(FirstCharacter, RefusesBytesThatAreNoCharacter) {
  for (const char* bytes : {"\x80", "\xC3", "\xC3(", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80"}) {
    EXPECT_FALSE(first_character(bytes).valid);
    EXPECT_EQ(first_character(bytes).bytes, 1U);
  }
}

// The checks of all charts rely on this.
TEST(XmlReader, RefusesWhatIsNotWellFormed) {
  EXPECT_EQ(read_xml("<a b=\"1\"><c/>t&lt;</a>").size(), 2U);
  EXPECT_EQ(read_xml("<a>t&lt;</a>").front().text, "t<");
  for (const char* bad : {"<a>", "<a></b>", "<a b=1/>", "<a b=\"1\" b=\"2\"/>", "<a>&</a>", "<a>&nbsp;</a>", "</a>",
                          "<a b=\"<\"/>", "<a/>text", "<a", "<a b=\""}) {
    EXPECT_THROW(static_cast<void>(read_xml(bad)), std::runtime_error) << bad;
  }
}

}  // namespace
}  // namespace convoy::report
