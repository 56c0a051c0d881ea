#include "convoy/report/study/study_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/report/document_search_test.h"
#include "convoy/report/study/sample_studies_test.h"

namespace convoy::report {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

study::StudyResults second_study() {
  study::StudyResults results = single_repeat_study();
  results.folder = "studies/second/";
  return results;
}

TEST(ComparisonDocument, DrawsScalingStudiesInCommonFigures) {
  const Document document = comparison_document({study::analyse(scale_study()), study::analyse(second_study())});
  expect_sound(document);
  const LineChart& throughput = chart_of<LineChart>(document, "compared-throughput");
  EXPECT_DOUBLE_EQ(line_of(throughput, "second").points[1].y, 193);
  EXPECT_DOUBLE_EQ(line_of(throughput, "study: mpi, weak").points[2].y, 371);
  EXPECT_TRUE(line_of(throughput, "study: mpi, weak").points[3].hollow);
  EXPECT_DOUBLE_EQ(line_of(chart_of<LineChart>(document, "compared-speed-up"), "second").points[1].y, 1.93);
  const Table& studies = table_of(document, "studies");
  EXPECT_EQ(cell_of(studies, {"study"}, "best samples/s"), "371.0");
  EXPECT_EQ(cell_of(studies, {"second"}, "at"), "workers 2");
  EXPECT_THAT(words_of(document.sections[0]), Not(HasSubstr("Different")));
}

TEST(ComparisonDocument, TakesNoOversubscribedPointForTheBest) {
  study::StudyResults doubtful = second_study();
  doubtful.points[1].oversubscribed = true;
  const Document document = comparison_document({study::analyse(single_repeat_study()), study::analyse(doubtful)});
  EXPECT_EQ(cell_of(table_of(document, "studies"), {"study"}, "best samples/s"), "193.0");
  EXPECT_EQ(cell_of(table_of(document, "studies"), {"second"}, "best samples/s"), "100.0");
}

TEST(ComparisonDocument, KeepsTheSectionsOfEachWithIdsOfTheirOwn) {
  const Document document = comparison_document({study::analyse(scale_study()), study::analyse(second_study())});
  EXPECT_EQ(document.sections[0].id, "summary");
  EXPECT_EQ(section_of(document, "s1-summary").title, "study: Summary");
  EXPECT_EQ(section_of(document, "s2-measured").title, "second: How it was measured");
  EXPECT_EQ(cell_of(table_of(document, "s2-points"), {"2"}, "samples/s"), "193.0");
  EXPECT_NO_THROW((void)figure_of(document, "s1-throughput"));
}

TEST(ComparisonDocument, WarnsOfWhatMustNotBeCompared) {
  study::StudyResults other = second_study();
  other.spec.settings["model"] = "vgg16";
  other.spec.settings["data"] = "mnist";
  other.info->hosts.pop_back();
  for (HostInfo& host : other.info->hosts) host.hardware_threads = 2;
  const std::string words =
      words_of(comparison_document({study::analyse(single_repeat_study()), study::analyse(other)}).sections[0]);
  EXPECT_THAT(words,
              AllOf(HasSubstr("Different models: model: study has resnet20, second has vgg16."),
                    HasSubstr("Different data: data: study has cifar10, second has mnist."),
                    HasSubstr("Different machines: machine: study has Test CPU, 8 hardware threads, second has Test "
                              "CPU, 2 hardware threads.")));
  EXPECT_THAT(words, Not(HasSubstr("Different kinds")));
}

TEST(ComparisonDocument, OfDifferentKindsHasATableOnly) {
  study::StudyResults sweep = sweep_study();
  const Document document = comparison_document({study::analyse(single_repeat_study()), study::analyse(sweep)});
  expect_sound(document);
  EXPECT_THAT(words_of(document.sections[0]), HasSubstr("Different kinds of studies"));
  EXPECT_THROW((void)figure_of(document, "compared-throughput"), std::out_of_range);
  // Both folders are called "study", so the second one gets a number.
  EXPECT_EQ(cell_of(table_of(document, "studies"), {"study (2)"}, "best final accuracy (%)"), "70.0");
}

}  // namespace
}  // namespace convoy::report
