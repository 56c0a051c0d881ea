#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "convoy/report/document_search_test.h"
#include "convoy/report/study/sample_studies_test.h"
#include "convoy/report/study/study_document.h"

namespace convoy::report {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ConvergeDocument, TellsAccuracyStabilityAndTarget) {
  const Document document = study_document(study::analyse(converge_study()));
  expect_sound(document);
  const Table& points = table_of(document, "points");
  EXPECT_EQ(cell_of(points, {"workers 1"}, "final accuracy (%)"), "91.00");
  EXPECT_EQ(cell_of(points, {"workers 1"}, "95 % interval"), "79.14 to 100.0");
  EXPECT_EQ(cell_of(points, {"workers 2"}, "epochs to stable"), "2");
  EXPECT_EQ(cell_of(points, {"workers 2"}, "seconds to target"), "10.00");
  EXPECT_EQ(cell_of(points, {"workers 8"}, "seconds to target"), "-");
  EXPECT_EQ(cell_of(points, {"workers 8"}, "runs that did"), "0 of 2");
  EXPECT_EQ(cell_of(points, {"workers 8"}, "remarks"), "oversubscribed");
  EXPECT_EQ(row_of(points, {"workers 8"}).mark, RowMark::doubtful);
  const std::string words = words_of(section_of(document, "summary"));
  EXPECT_THAT(words, AllOf(HasSubstr("highest final accuracy = 91.0 % (workers 1; a tie with 1 more)"),
                           HasSubstr("A tie: the highest accuracy in the end is that of workers 1"),
                           HasSubstr("the runs do not tell it from workers 2 (87.0 %)"),
                           HasSubstr("first at 80.0 % = 10 s (workers 2)"),
                           HasSubstr("workers 8 (oversubscribed) never"), HasSubstr("within 0.5 points of its best")));
}

TEST(ConvergeDocument, TellsTrainingFromTest) {
  study::StudyResults results = converge_study();
  results.spec.settings["batch"] = "32";
  results.spec.settings["instances"] = "4";
  for (study::PointResult& point : results.points) {
    for (study::StudyRun& run : point.runs) {
      for (study::CurvePoint& epoch : run.measures->curve) epoch.train_accuracy = 0.95;
      run.measures->epoch_seconds = 9;
      run.measures->total_seconds = 50;
    }
  }
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  const Table& learning = table_of(document, "learning");
  EXPECT_EQ(cell_of(learning, {"workers 1"}, "train accuracy (%)"), "95.00");
  EXPECT_EQ(cell_of(learning, {"workers 1"}, "test error (%)"), "9.0");
  EXPECT_EQ(cell_of(learning, {"workers 1"}, "gap (points)"), "4.0");
  EXPECT_EQ(cell_of(learning, {"workers 1"}, "overfitting"), "unknown");
  EXPECT_EQ(cell_of(learning, {"workers 1"}, "global batch"), "128 (4 x 32)");
  EXPECT_EQ(cell_of(learning, {"workers 1"}, "epoch (s)"), "9.000");
  EXPECT_EQ(cell_of(learning, {"workers 1"}, "total (s)"), "50.00");
  const Series& error = line_of(chart_of<LineChart>(document, "error-epochs"), "workers 1");
  EXPECT_NEAR(error.points[4].y, 9, 1e-9);
  EXPECT_NEAR(*error.points[4].low, 0, 1e-9);
  EXPECT_THAT(words_of(section_of(document, "summary")), Not(HasSubstr("Overfitting is seen")));
}

TEST(ConvergeDocument, SaysWhereOverfittingIsSeen) {
  study::StudyResults results = converge_study();
  for (study::StudyRun& run : results.points[0].runs) {
    set_curve(run, {2, 1, 0.8, 0.6, 0.4, 0.2}, 10, {0.5, 0.9, 0.9, 0.9, 0.9, 0.9});
    for (study::CurvePoint& epoch : run.measures->curve) epoch.test_loss = epoch.epoch <= 3 ? 1 : 1.5;
  }
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  EXPECT_THAT(
      words_of(section_of(document, "summary")),
      HasSubstr("Overfitting is seen: workers 1 in 2 of 2 runs (test loss 1 around epoch 2 and 1.5 in the end"));
  EXPECT_EQ(cell_of(table_of(document, "learning"), {"workers 1"}, "overfitting"), "seen in 2 of 2 runs");
  EXPECT_EQ(cell_of(table_of(document, "learning"), {"workers 2"}, "overfitting"), "unknown");
}

TEST(ConvergeDocument, OfLogsWithoutTimesHasNone) {
  study::StudyResults results = converge_study();
  for (study::PointResult& point : results.points) {
    for (study::StudyRun& run : point.runs) {
      for (study::CurvePoint& epoch : run.measures->curve) epoch.seconds = 0;
    }
  }
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  EXPECT_EQ(cell_of(table_of(document, "points"), {"workers 1"}, "seconds to stable"), "-");
  EXPECT_THAT(words_of(section_of(document, "summary")),
              AllOf(HasSubstr("from epoch 2 (time unknown)"), HasSubstr("after time unknown (epoch 2)")));
  EXPECT_THROW((void)chart_of<LineChart>(document, "error-time"), std::out_of_range);
}

TEST(ConvergeDocument, SaysWhichTimesAreDoubtful) {
  study::StudyResults results = converge_study();
  const std::string quiet = words_of(section_of(study_document(study::analyse(results)), "summary"));
  EXPECT_THAT(quiet, AllOf(HasSubstr("workers 1 from epoch 2 (20 s) in"), HasSubstr("workers 1 after 20 s (epoch 2)")));
  for (study::StudyRun& run : results.points[0].runs) run.measures->disturbance = "others used 1 of 2 cores";
  const std::string busy = words_of(section_of(study_document(study::analyse(results)), "summary"));
  const std::string first = study::point_text(results.points[0].point);
  EXPECT_THAT(busy, ::testing::ContainsRegex("stable [^:]*: [^;]*" + first +
                                             " from epoch [0-9.]+ \\([0-9.]+ s, a "
                                             "doubtful time\\)"));
  EXPECT_THAT(busy, ::testing::ContainsRegex("is reached: " + first + " after [0-9.]+ s, a doubtful time"));
  EXPECT_THAT(busy, HasSubstr("Times are doubtful where others used the cores"));
  const std::string second = study::point_text(results.points[1].point);
  EXPECT_THAT(busy, Not(::testing::ContainsRegex(second + " after [0-9.]+ s, a doubtful")));
}

TEST(ConvergeDocument, NamesTheMostAccurateWhereRunsTell) {
  study::StudyResults results = converge_study();
  results.points.erase(results.points.begin() + 1);  // the one that ties
  const std::string words = words_of(section_of(study_document(study::analyse(results)), "summary"));
  EXPECT_THAT(words, AllOf(HasSubstr("best final accuracy = 91.0 % (workers 1)"),
                           HasSubstr("The most accurate in the end is workers 1"), Not(HasSubstr("A tie"))));
}

TEST(ConvergeDocument, CallsChanceChance) {
  study::StudyResults results = converge_study();
  for (study::PointResult& point : results.points) {
    for (study::StudyRun& run : point.runs) {
      set_curve(run, {2, 2, 2, 2, 2}, 10, {0.1, 0.1, 0.1, 0.1, 0.1});
      run.measures->test_data = study::TestData{.samples = 100, .chance = 0.1};
    }
  }
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  const std::string words = words_of(section_of(document, "summary"));
  EXPECT_THAT(words, AllOf(HasSubstr("; may be chance)"), HasSubstr("No point learned to tell the classes"),
                           HasSubstr("No accuracy is stable"), Not(HasSubstr("most accurate"))));
}

TEST(ConvergeDocument, SaysWhenRunsOfDifferentLengthsAreCompared) {
  study::StudyResults results = converge_study();
  for (study::StudyRun& run : results.points[1].runs) set_curve(run, {2, 1, 0.5}, 5, {0.5, 0.8, 0.85});
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  const std::string words = words_of(section_of(document, "summary"));
  EXPECT_THAT(words,
              AllOf(HasSubstr("accuracy at epoch 3"), HasSubstr("compared up to epoch 3, the last one that all")));
  EXPECT_EQ(cell_of(table_of(document, "points"), {"workers 2"}, "accuracy at epoch 3 (%)"), "85.00");
}

TEST(ConvergeDocument, SaysWhatWorkersDoWithAnInterval) {
  const std::string words = words_of(section_of(study_document(study::analyse(converge_study())), "summary"));
  // Final accuracies are 91, 87 and 71 at 0, 1 and 3 doublings, which gives a slope of -96 / 14 points.
  EXPECT_THAT(words, HasSubstr("Each doubling of the workers changes the final accuracy by -6.86 points (95 % interval "
                               "-8.625 to -5.089): a trend that the runs show."));
  EXPECT_THAT(words, HasSubstr("changes the epochs to stable accuracy by 0 epochs"));
}

TEST(ConvergeDocument, DrawsMeanCurvesWithIntervals) {
  const Document document = study_document(study::analyse(converge_study()));
  const Series& line = line_of(chart_of<LineChart>(document, "accuracy-epochs"), "workers 1");
  ASSERT_EQ(line.points.size(), 5U);
  EXPECT_DOUBLE_EQ(line.points[4].y, 91);
  EXPECT_NEAR(*line.points[4].low, 91 / std::exp(12.7062 * std::log(0.92 / 0.90) / 2), 0.01);
  EXPECT_DOUBLE_EQ(*line.points[4].high, 100);  // not 103.7
  EXPECT_FALSE(line.points[4].hollow);
  // Times are doubtful, but accuracies are not, so marks are hollow over time and not over epochs.
  const std::string doubtful = "workers 8 (oversubscribed)";
  for (const char* const what : {"accuracy", "loss"}) {
    const auto& over_time = chart_of<LineChart>(document, std::string(what) + "-time");
    const auto& over_epochs = chart_of<LineChart>(document, std::string(what) + "-epochs");
    EXPECT_TRUE(line_of(over_time, doubtful).points[0].hollow) << what;
    EXPECT_FALSE(over_time.hollow_means.empty()) << what;
    EXPECT_FALSE(line_of(over_epochs, doubtful).points[0].hollow) << what;
    EXPECT_TRUE(over_epochs.hollow_means.empty()) << what;
  }
  for (const RankedBar& each : chart_of<RankChart>(document, "final-accuracy").bars) EXPECT_FALSE(each.bar.hollow);
  EXPECT_DOUBLE_EQ(line_of(chart_of<LineChart>(document, "accuracy-time"), "workers 2").points[4].x, 25);
  EXPECT_EQ(chart_of<RankChart>(document, "target-seconds").bars.size(), 2U);
}

TEST(ConvergeDocument, DrawsTrainingBesideTestInItsColour) {
  study::StudyResults results = converge_study();
  for (study::PointResult& point : results.points) {
    for (study::StudyRun& run : point.runs) {
      for (study::CurvePoint& epoch : run.measures->curve) {
        epoch.train_accuracy = 0.5;
        epoch.test_loss = 2;
      }
    }
  }
  const Document document = study_document(study::analyse(results));
  const auto& accuracy = chart_of<LineChart>(document, "accuracy-epochs");
  const Series& training = line_of(accuracy, "workers 1, training");
  EXPECT_DOUBLE_EQ(training.points[0].y, 50);
  EXPECT_EQ(accuracy.series.at(*training.paired_with).name, "workers 1, test");
  EXPECT_DOUBLE_EQ(line_of(chart_of<LineChart>(document, "loss-epochs"), "workers 1, test").points[0].y, 2);
}

TEST(ConvergeDocument, DrawsAccuracyOverBytesWhereTheyAreKnown) {
  study::StudyResults results = converge_study();
  for (study::StudyRun& run : results.points[1].runs) {
    if (run.measures) run.measures->curve.back().wire_bytes = 5e6;
  }
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  EXPECT_DOUBLE_EQ(chart_of<LineChart>(document, "accuracy-bytes").series.at(0).points.at(0).x, 5);
  EXPECT_EQ(cell_of(table_of(document, "learning"), {"workers 2"}, "between machines (MB)"), "5.000");
}

TEST(ConvergeDocument, OfSingleRunsHasNoSpread) {
  study::StudyResults results = converge_study();
  for (study::PointResult& point : results.points) point.runs.resize(1);
  count_runs(results);
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  EXPECT_THAT(words_of(section_of(document, "summary")),
              AllOf(HasSubstr("Each point was run once"), HasSubstr("in a single run")));
  EXPECT_EQ(cell_of(table_of(document, "points"), {"workers 1"}, "95 % interval"), "-");
}

TEST(ConvergeDocument, WithoutEvaluationsSaysSo) {
  study::StudyResults results = converge_study();
  for (study::PointResult& point : results.points) {
    for (study::StudyRun& run : point.runs) {
      for (study::CurvePoint& epoch : run.measures->curve) epoch.test_top1.reset();
    }
  }
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  EXPECT_THAT(words_of(section_of(document, "summary")), HasSubstr("No run was evaluated"));
  EXPECT_FALSE(has_section(document, "accuracy"));
}

TEST(BatchDocument, RecommendsABatchAndSaysWhy) {
  const Document document = study_document(study::analyse(batch_study()));
  expect_sound(document);
  EXPECT_THAT(section_ids(document), ElementsAre("summary", "epochs", "throughput", "spread", "memory", "measured"));
  const std::string words = words_of(section_of(document, "summary"));
  EXPECT_THAT(words, AllOf(HasSubstr("recommended batch = 32 (decided by the intervals)"),
                           HasSubstr("the smallest within 5 % of the fastest")));
  const Table& points = table_of(document, "points");
  EXPECT_EQ(row_of(points, {"all", "32"}).mark, RowMark::best);
  EXPECT_EQ(cell_of(points, {"all", "32"}, "peak memory"), "64 MiB");
  EXPECT_EQ(row_of(points, {"all", "64"}).mark, RowMark::none);
  const Series& line = chart_of<LineChart>(document, "spread").series.at(0);
  EXPECT_NEAR(line.points[0].y, 0.2, 1e-9);
  EXPECT_DOUBLE_EQ(chart_of<LineChart>(document, "memory").series.at(0).points[2].y, 64);
}

TEST(BatchDocument, OfSingleRunsHasNoSpread) {
  study::StudyResults results = batch_study();
  for (study::PointResult& point : results.points) point.runs.resize(1);
  count_runs(results);
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  EXPECT_FALSE(has_section(document, "spread"));
  EXPECT_THAT(words_of(section_of(document, "summary")),
              AllOf(HasSubstr("not decided by the intervals"), HasSubstr("no batch was measured more than once")));
}

TEST(ImportDocument, HasBothReadingsAndNothingThatLogsDoNotTell) {
  const Document document = study_document(study::analyse(import_study()));
  expect_sound(document);
  EXPECT_EQ(document.title, "Imported runs of alexnet");
  const Table& readings = table_of(document, "readings");
  ASSERT_EQ(readings.rows.size(), 1U);
  EXPECT_EQ(cell_of(readings, {"2 workers"}, "slowest worker: mean of epochs"), "180.0");
  EXPECT_EQ(cell_of(readings, {"2 workers"}, "mean over lines"), "190.0");
  EXPECT_EQ(cell_of(readings, {"2 workers"}, "lines"), "4");
  EXPECT_EQ(cell_of(readings, {"2 workers"}, "lines over slowest, within epochs (%)"), "5.5");
  for (const char* const id : {"time", "cost", "shares", "cpu-use"}) EXPECT_FALSE(has_section(document, id)) << id;
  EXPECT_THAT(words_of(section_of(document, "summary")),
              AllOf(HasSubstr("2 workers train 1.80 times as fast as 1"), HasSubstr("imported logs do not tell")));
  EXPECT_THAT(table_of(document, "points").header, Not(::testing::Contains("step (ms)")));
  EXPECT_EQ(table_of(document, "notes").rows[0].cells[0], "workers-2.run-1: 3 lines were passed over");
  EXPECT_THAT(words_of(section_of(document, "measured")), HasSubstr("made by another system"));
}

}  // namespace
}  // namespace convoy::report
