#include "convoy/report/chart/legend.h"

#include <gtest/gtest.h>

#include "convoy/report/chart/text_width.h"
#include "convoy/report/chart/xml_reader_test.h"

namespace convoy::report {
namespace {

TEST(Legend, WrapsInsideOfTheWidth) {
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < 12; ++i) entries.push_back(line_entry(i, "series of some name"));
  const Drawn legend = draw_legend(entries, 500);
  double last_x = -1;
  double last_y = 0;
  std::size_t rows = 1;
  for (const XmlElement& group : named(read_xml("<svg>" + legend.elements + "</svg>"), "g")) {
    const double x = group.moved_x();
    const double y = group.moved_y();
    if (y > last_y && last_x >= 0) ++rows;
    EXPECT_TRUE(y > last_y || x > last_x + text_width("series of some name"));
    EXPECT_LE(x + kSwatchWidth + text_width("series of some name"), 500);
    last_x = x;
    last_y = y;
  }
  EXPECT_EQ(rows, 6U);
  EXPECT_GT(legend.height, last_y);
}

TEST(Legend, ANameWiderThanThePictureIsCut) {
  const Drawn legend = draw_legend({line_entry(0, std::string(500, 'x'))}, 300);
  const auto texts = named(read_xml("<svg>" + legend.elements + "</svg>"), "text");
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_LE(texts[0].number("x") + text_width(texts[0].text), 300);
}

}  // namespace
}  // namespace convoy::report
