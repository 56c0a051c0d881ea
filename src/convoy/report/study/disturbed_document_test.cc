// What a report says of runs during which others used the cores.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/report/document_search_test.h"
#include "convoy/report/study/sample_studies_test.h"
#include "convoy/report/study/study_document.h"

namespace convoy::report {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(DocumentOfABusyMachine, RestsNothingOnADisturbedBase) {
  study::StudyResults results = single_repeat_study();
  results.points[0].runs[0].measures->throughput = 41;
  results.points[0].runs[0].measures->disturbance = "others used 1.86 of 2 cores; the run has 1 thread and got 0.14";
  results.disturbed_runs = 1;
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  const Table& points = table_of(document, "points");
  EXPECT_EQ(row_of(points, {"1"}).mark, RowMark::doubtful);
  EXPECT_EQ(cell_of(points, {"1"}, "remarks"), "disturbed; base");
  EXPECT_EQ(cell_of(points, {"2"}, "speed-up"), "-");
  EXPECT_EQ(cell_of(points, {"2"}, "efficiency (%)"), "-");
  const LineChart& chart = chart_of<LineChart>(document, "throughput");
  EXPECT_TRUE(line_of(chart, "measured").points[0].hollow);
  EXPECT_EQ(chart.hollow_means, "others used the cores: doubtful");
  EXPECT_FALSE(has_section(document, "speed-up"));
  const std::string words = words_of(section_of(document, "summary"));
  EXPECT_THAT(words, AllOf(HasSubstr("Disturbed runs: Others used the cores during 1 of 2 runs"),
                           HasSubstr("--repeat-disturbed"), HasSubstr("The base is among them"),
                           HasSubstr("that nobody disturbed, so nothing certain"), HasSubstr("best throughput = 193.0"),
                           Not(HasSubstr("best efficiency")), Not(HasSubstr("What to change first")),
                           Not(HasSubstr("pays off")), Not(HasSubstr("times as fast"))));
  EXPECT_THAT(words_of(section_of(document, "measured")), HasSubstr("disturbed: While the run was measured"));
}

TEST(DocumentOfABusyMachine, LeavesOutADisturbedRunThatWasRepeated) {
  study::StudyResults results = single_repeat_study();
  study::StudyRun slow = results.points[0].runs[0];
  slow.measures->throughput = 41;
  slow.measures->disturbance = "others used 1.86 of 2 cores";
  results.points[0].runs[0].outcome.run.attempt = 2;
  results.points[0].runs.push_back(slow);
  results.disturbed_runs = 1;
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  const Table& points = table_of(document, "points");
  EXPECT_EQ(cell_of(points, {"1"}, "samples/s"), "100.0");
  EXPECT_EQ(cell_of(points, {"1"}, "remarks"), "1 disturbed run left out; base");
  EXPECT_EQ(row_of(points, {"1"}).mark, RowMark::none);
  EXPECT_EQ(cell_of(points, {"2"}, "speed-up"), "1.930");
  EXPECT_THAT(words_of(section_of(document, "summary")),
              AllOf(HasSubstr("They were run again since."), Not(HasSubstr("--repeat-disturbed"))));
}

TEST(DocumentOfABusyMachine, OffersNoMoreAttemptsThanThereAre) {
  study::StudyResults results = single_repeat_study();
  results.points[0].runs[0].measures->disturbance = "others used 1.86 of 2 cores";
  results.points[0].runs[0].outcome.run.attempt = study::kMostAttempts;
  results.disturbed_runs = 1;
  EXPECT_THAT(words_of(section_of(study_document(study::analyse(results)), "summary")),
              AllOf(HasSubstr("Some were disturbed in each of 3 attempts."), Not(HasSubstr("--repeat-disturbed"))));
}

}  // namespace
}  // namespace convoy::report
