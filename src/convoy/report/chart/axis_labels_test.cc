#include "convoy/report/chart/axis_labels.h"

#include <gtest/gtest.h>

#include "convoy/report/chart/text_width.h"
#include "convoy/report/chart/xml_reader_test.h"

namespace convoy::report {
namespace {

std::vector<PlacedLabel> labels(int count, double step, const std::string& text) {
  std::vector<PlacedLabel> labels;
  for (int i = 0; i < count; ++i) labels.push_back({100 + i * step, text});
  return labels;
}

std::vector<XmlElement> drawn(const std::vector<PlacedLabel>& labels, Crowded crowded) {
  return named(read_xml("<g>" + draw_axis_labels(labels, crowded, 0).elements + "</g>"), "text");
}

TEST(AxisLabels, StandSideBySideWhereTheyFit) {
  const auto texts = drawn(labels(5, 100, "ring"), Crowded::turn);
  ASSERT_EQ(texts.size(), 5U);
  EXPECT_EQ(texts[2].number("x"), 300);
  EXPECT_EQ(texts[2].at("text-anchor"), "middle");
  EXPECT_EQ(texts[2].at("transform"), "");
}

TEST(AxisLabels, NumbersAreThinnedOutUntilTheyFit) {
  const auto texts = drawn(labels(50, 10, "1,000"), Crowded::thin_out);
  ASSERT_GE(texts.size(), 2U);
  EXPECT_GT(texts[1].number("x") - texts[0].number("x"), text_width("1,000"));
  EXPECT_LT(texts[1].number("x") - texts[0].number("x"), 2 * text_width("1,000"));
}

TEST(AxisLabels, NamesAreTurnedAndAllThere) {
  const auto texts = drawn(labels(10, 40, "recursive doubling"), Crowded::turn);
  ASSERT_EQ(texts.size(), 10U);
  for (const XmlElement& text : texts) EXPECT_TRUE(text.at("transform").starts_with("rotate(-35 "));
}

TEST(AxisLabels, HundredsOfNamesAreThinnedOutToo) {
  const auto texts = drawn(labels(300, 2, "recursive doubling"), Crowded::turn);
  ASSERT_GE(texts.size(), 2U);
  EXPECT_GT(texts[1].number("x") - texts[0].number("x"), 20);
}

TEST(AxisLabels, ALongNameIsCutAndTheWholeIsATip) {
  const std::string name(200, 'n');
  const auto all = read_xml("<g>" + draw_axis_labels(labels(3, 60, name), Crowded::turn, 0).elements + "</g>");
  const auto texts = named(all, "text");
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_LE(text_width(texts[2].text), 191);
  EXPECT_EQ(named(all, "title").front().text, name);
}

TEST(AxisLabels, OfNothingTakeNoRoom) { EXPECT_EQ(draw_axis_labels({}, Crowded::turn, 0).height, 0); }

}  // namespace
}  // namespace convoy::report
