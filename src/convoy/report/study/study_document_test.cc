#include "convoy/report/study/study_document.h"

#include <fstream>

#include "convoy/base/temporary_folder_test.h"
#include "convoy/study/analysis/imported_study.h"
#include "convoy/study/analysis/small_results_test.h"

namespace convoy::report {
namespace {

class PublishedSection : public TemporaryFolder {};

TEST_F(PublishedSection, SaysWhichFiguresDoNotFollow) {
  study::StudyResults results;
  results.folder = folder_;
  results.spec.settings = {{"model", "resnet"}};
  results.points = {study::point_with({{"workers", "1"}}, {study::run_with(21.2)}),
                    study::point_with({{"workers", "8"}}, {study::run_with(88.43)})};
  EXPECT_FALSE(published_section(study::check_published(results))) << "nothing was published";
  std::ofstream(folder_ / study::kPublishedFile)
      << "series,workers,statistic,value\nresnet,1,mean,21.2\nresnet,8,mean,88.2\nvgg,1,mean,5\n";
  const auto section = published_section(study::check_published(results));
  ASSERT_TRUE(section);
  EXPECT_TRUE(std::get<Paragraph>(section->blocks.at(0)).text.starts_with("1 of 3"));
  const Table& table = std::get<Table>(section->blocks.at(1));
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0].cells.back(), "follows");
  EXPECT_EQ(table.rows[1].cells, (std::vector<std::string>{"resnet", "8", "mean", "88.2", "88.43", "does not follow"}));
  EXPECT_EQ(table.rows[2].cells[4], "-");
}

}  // namespace
}  // namespace convoy::report
