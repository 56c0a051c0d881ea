#include "convoy/study/imported_study.h"

#include <fstream>

#include "convoy/base/temporary_folder_test.h"
#include "convoy/study/small_results_test.h"

namespace convoy::study {
namespace {

ImportedLog log_of(std::map<std::string, std::string> settings) {
  ImportedLog log;
  log.settings = std::move(settings);
  return log;
}

TEST(ImportedStudy, WhatDiffersVaries) {
  const std::vector<ImportedLog> logs = {
      log_of({{"model", "resnet"}, {"device", "cpu"}, {"workers", "1"}, {"parameters", "7"}}),
      log_of({{"model", "resnet"}, {"device", "cpu"}, {"workers", "2"}, {"batch", "32"}}),
      log_of({{"model", "resnet"}, {"device", "cpu"}, {"workers", "2"}, {"batch", "32"}})};
  const ImportedStudy study = imported_study(logs);
  EXPECT_EQ(study.spec.settings, (std::map<std::string, std::string>{{"device", "cpu"}, {"model", "resnet"}}));
  ASSERT_EQ(study.runs.size(), 3U);
  EXPECT_EQ(study.runs[0].point, (Point{{"workers", "1"}}));
  EXPECT_EQ(study.runs[1].point, (Point{{"batch", "32"}, {"workers", "2"}}));
  EXPECT_EQ(study.runs[2].repeat, 2);
  EXPECT_NE(study.runs[1].id, study.runs[2].id);
  EXPECT_EQ(study.spec.repeats, 2);
}

class PublishedTest : public TemporaryFolder {};

TEST_F(PublishedTest, FiguresAreFoundByTheWordsOfTheirSeries) {
  StudyResults results;
  results.folder = folder_;
  results.spec.settings = {{"model", "resnet"}};
  results.points = {point_with({{"device", "cpu"}, {"workers", "1"}}, {run_with(21.2)}),
                    point_with({{"device", "gpu"}, {"workers", "1"}}, {run_with(180)}),
                    point_with({{"device", "gpu"}, {"workers", "2"}}, {run_with(205)})};
  EXPECT_TRUE(check_published(results).empty());
  std::ofstream(folder_ / kPublishedFile) << "series,workers,statistic,value\n"
                                             "ResNet CPU,1,mean,21.2\n"
                                             "ResNet GPU,1,mean,190\n"
                                             "ResNet,1,mean,21.2\n"
                                             "VGG GPU,2,mean,205\n";
  const auto checks = check_published(results);
  ASSERT_EQ(checks.size(), 4U);
  EXPECT_EQ(checks[0].agreement, Agreement::follows);
  EXPECT_EQ(checks[1].agreement, Agreement::differs);
  EXPECT_EQ(checks[2].agreement, Agreement::no_data) << "both devices have these words";
  EXPECT_EQ(checks[3].agreement, Agreement::no_data);
}

}  // namespace
}  // namespace convoy::study
