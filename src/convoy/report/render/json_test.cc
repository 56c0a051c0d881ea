#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "convoy/report/render/renderers.h"
#include "convoy/report/sample_figures_test.h"

namespace convoy::report {
namespace {

TEST(JsonReport, HasTablesAndTheNumbersOfFigures) {
  Table table{.id = "t", .caption = "C", .header = {"name", "value", "state"}};
  table.add_row({"a", "1.5", "-"});
  table.add_row({"4 x 128", "1e3", "nan"}, RowMark::best);
  const Section section{
      .id = "s", .title = "S", .blocks = {Paragraph{"words"}, std::move(table), sample_line_figure()}};
  const auto json = nlohmann::json::parse(to_json_text({.title = "T", .subtitle = "of \xff", .sections = {section}}));
  EXPECT_EQ(json.at("title"), "T");
  const auto& rows = json.at("tables").at("t").at("rows");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("name"), "a");
  EXPECT_EQ(rows[0].at("value"), 1.5);
  EXPECT_TRUE(rows[0].at("state").is_null());
  EXPECT_EQ(rows[1].at("name"), "4 x 128") << "no number, though it begins with one";
  EXPECT_EQ(rows[1].at("value"), 1000);
  EXPECT_EQ(rows[1].at("state"), "nan");
  EXPECT_EQ(json.at("figures").at("throughput").at("rows")[1].at("images/s"), 580);
}

}  // namespace
}  // namespace convoy::report
