#include "convoy/study/analysis/imported_study.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "convoy/base/temporary_folder_test.h"
#include "convoy/study/analysis/small_results_test.h"

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
  EXPECT_EQ(study.runs[0].point, (Point{{"batch", "unknown"}, {"workers", "1"}}));
  EXPECT_EQ(study.runs[1].point, (Point{{"batch", "32"}, {"workers", "2"}}));
  EXPECT_EQ(study.runs[2].repeat, 2);
  EXPECT_NE(study.runs[1].id, study.runs[2].id);
  EXPECT_EQ(study.spec.repeats, 2);
}

TEST(ImportedStudy, NamesKeepLogsApartUntilAllIsSaid) {
  std::vector<ImportedLog> logs = {log_of({{"name", "a"}}), log_of({{"name", "b"}})};
  EXPECT_NE(imported_study(logs).runs[0].point, imported_study(logs).runs[1].point);
  EXPECT_EQ(imported_study(logs).runs[0].point, (Point{{"name", "a"}, {"workers", "unknown"}}));
  for (const char* const key : {"model", "batch", "workers"}) set_everywhere(logs, key, "7");
  EXPECT_EQ(imported_study(logs).runs[0].point, (Point{{"workers", "7"}}));
  EXPECT_EQ(imported_study(logs).runs[1].repeat, 2);
}

TEST(ImportedStudy, FoldersOfRunsDiffer) {
  const std::string longest(240, 'x');
  const std::vector<ImportedLog> logs = {log_of({{"name", "a b"}}), log_of({{"name", "a-b"}}),
                                         log_of({{"name", longest}}), log_of({{"name", longest + "y"}})};
  std::set<std::string> ids;
  for (const PlannedRun& run : imported_study(logs).runs) {
    ids.insert(run.id);
    EXPECT_LT(run.id.size(), 220U);
  }
  EXPECT_EQ(ids.size(), logs.size());
}

StudyResults imported_results(std::vector<PointResult> points) {
  StudyResults results;
  results.spec.kind = StudyKind::imported;
  results.spec.settings = {{"model", "alexnet"}};
  for (const PointResult& point : points) results.ended_runs += point.runs.size();
  results.points = std::move(points);
  return results;
}

TEST(ImportedStudy, WhatLogsDoNotSayIsSaid) {
  EXPECT_TRUE(
      unknown_remarks(imported_results({point_with({{"workers", "1"}, {"batch", "64"}}, {run_with(1)})})).empty());
  const auto remarks = unknown_remarks(
      imported_results({point_with({{"workers", "1"}, {"batch", "64"}}, {run_with(1)}),
                        point_with({{"workers", "2"}, {"batch", "unknown"}}, {run_with(1), run_with(2)})}));
  ASSERT_EQ(remarks.size(), 3U);
  EXPECT_EQ(remarks[0],
            "Of 3 logs 2 do not say their batch: they are compared with no log that does, and with each other as if it "
            "were the same.");
  EXPECT_EQ(remarks[1], "2 logs say the same (batch unknown, workers 2) and are taken as repeats of one run.");
}

TEST(ImportedStudy, TheQuestionIsAboutWhatVaries) {
  const auto question = [](const char* key, const char* one, const char* other) {
    return question_of(
        imported_results({point_with({{key, one}}, {run_with(1)}), point_with({{key, other}}, {run_with(2)})}));
  };
  EXPECT_EQ(question("workers", "1", "2"), StudyKind::imported);
  EXPECT_EQ(question("threads", "1", "2"), StudyKind::imported);
  EXPECT_EQ(question("batch", "32", "64"), StudyKind::batch);
  EXPECT_EQ(question("batch", "32", "unknown"), StudyKind::imported);
  StudyResults accuracies = imported_results({point_with({{"workers", "1"}}, {run_with(1)})});
  accuracies.points[0].runs[0].measures->curve = {{.epoch = 1, .test_top1 = 0.5}};
  EXPECT_EQ(question_of(accuracies), StudyKind::imported);
  accuracies.points[0].runs[0].measures->throughput.reset();
  EXPECT_EQ(question_of(accuracies), StudyKind::converge);
  accuracies.spec.kind = StudyKind::scale;
  EXPECT_EQ(question_of(accuracies), StudyKind::scale);
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
                                             "VGG GPU,2,mean,205\n"
                                             "ResNet-34 on GPU,2,MEAN,205\n";
  const auto checks = check_published(results);
  ASSERT_EQ(checks.size(), 5U);
  EXPECT_EQ(checks[0].agreement, Agreement::follows);
  EXPECT_EQ(checks[1].agreement, Agreement::differs);
  EXPECT_EQ(checks[2].agreement, Agreement::several) << "both devices have these words";
  EXPECT_EQ(checks[3].agreement, Agreement::no_data);
  EXPECT_EQ(checks[4].agreement, Agreement::follows);
}

using Settings = std::map<std::string, std::string>;

const Settings kVgg = {{"model", "vgg16"}, {"device", "cpu"}, {"batch", "128"}, {"lab", "lab2"}};

TEST(SeriesWords, NamesAreUnderstoodAsPeopleWriteThem) {
  for (const char* text : {"vgg16", "VGG16", "VGG-16", "Vgg_16", "VGG 16", "VGG", "vgg CPU", "VGG16, CPU", "VGG on CPU",
                           "VGG 128", "VGG batch 128", "VGG (batch128)", "VGG batch size 128", "Lab2 VGG", ""}) {
    EXPECT_TRUE(names_settings(text, kVgg)) << text;
  }
}

TEST(SeriesWords, WhatIsNotSaidDoesNotFit) {
  for (const char* text : {"VGG19", "VGG-19", "VGG 19", "VG", "vgg1", "AlexNet", "VGG GPU", "VGG 64", "VGG batch 64",
                           "VGG lab 128", "CPU P100"}) {
    EXPECT_FALSE(names_settings(text, kVgg)) << text;
  }
}

TEST(SeriesWords, AMemberStandsForAModelOfWhichTheFamilyIsKnown) {
  const Settings settings = {{"model", "resnet"}};
  EXPECT_TRUE(names_settings("ResNet-34", settings));
  EXPECT_TRUE(names_settings("ResNet 34", settings));
  EXPECT_FALSE(names_settings("ResNeXt-34", settings));
  EXPECT_FALSE(names_settings("batch 34", {{"batch", "64"}, {"cores", "34"}}));
}

}  // namespace

}  // namespace convoy::study
