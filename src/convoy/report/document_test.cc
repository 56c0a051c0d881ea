#include "convoy/report/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/report/render/document_files.h"
#include "convoy/report/sample_figures_test.h"

namespace convoy::report {
namespace {

using testing::ElementsAre;

Table table_named(const std::string& id) { return {.id = id, .header = {"a"}, .rows = {{{"1"}}}}; }

Document document_of(std::vector<Block> blocks) {
  return {.title = "t", .sections = {{.id = "s", .title = "S", .blocks = std::move(blocks)}}};
}

TEST(CheckDocument, TakesWhatIsInOrder) {
  EXPECT_NO_THROW(check_document({}));
  EXPECT_NO_THROW(check_document(document_of({table_named("a-1_b"), sample_line_figure(), Paragraph{"p"}})));
}

TEST(CheckDocument, RefusesIdsThatAreNoFileNames) {
  for (const char* id : {"", "../x", "a b", "A", "a.b", "ä", "\""}) {
    EXPECT_THROW(check_document(document_of({table_named(id)})), InternalError) << id;
    EXPECT_THROW(check_document({.sections = {{.id = id}}}), InternalError) << id;
  }
}

TEST(CheckDocument, RefusesTheSameIdTwice) {
  EXPECT_THROW(check_document(document_of({table_named("a"), table_named("a")})), InternalError);
  EXPECT_THROW(check_document(document_of({table_named("throughput"), sample_line_figure()})), InternalError);
  EXPECT_THROW(check_document({.sections = {{.id = "s"}, {.id = "s"}}}), InternalError);
}

TEST(CheckDocument, RefusesRowsThatDoNotFit) {
  Table table = table_named("a");
  table.rows[0].cells.emplace_back("2");
  EXPECT_THROW(check_document(document_of({table})), InternalError);
}

TEST(DocumentFiles, TablesAndFiguresAreNamedByTheirIds) {
  const Document document = document_of({table_named("runs"), sample_line_figure(), sample_bar_figure()});
  std::vector<std::string> names;
  for (const NamedFile& file : to_csv_files(document)) names.push_back(file.name);
  EXPECT_THAT(names, ElementsAre("data/runs.csv", "data/throughput.csv")) << "the bars have no data";
  names.clear();
  for (const NamedFile& file : to_svg_files(document)) names.push_back(file.name);
  EXPECT_THAT(names, ElementsAre("figures/throughput.svg", "figures/bars.svg"));
}

TEST(DocumentFiles, HoldWhatTheyAreNamedFor) {
  const Document document = document_of({sample_line_figure()});
  EXPECT_EQ(to_csv_files(document)[0].content, "workers,images/s\r\n1,300\r\n2,580\r\n4,900\r\n");
  EXPECT_EQ(to_svg_files(document)[0].content, to_svg_file(sample_line_figure()));
}

TEST(DocumentFiles, RefuseABadDocument) {
  const Document document = document_of({table_named("..")});
  EXPECT_THROW(static_cast<void>(to_csv_files(document)), InternalError);
  EXPECT_THROW(static_cast<void>(to_svg_files(document)), InternalError);
}

}  // namespace
}  // namespace convoy::report
