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

TEST(SweepDocument, HasTheRatesThatScalingMadeOfThoseGiven) {
  study::StudyResults results = sweep_study();
  for (study::PointResult& point : results.points) {
    const double workers = point.point.at("workers") == "2" ? 2 : 1;
    for (study::StudyRun& run : point.runs) {
      if (run.measures) run.measures->learning_rate = workers * std::stod(point.point.at("lr"));
    }
  }
  const Document document = study_document(study::analyse(results));
  for (const Row& row : table_of(document, "ranking").rows) {
    if (row.cells[2] != "0.1") continue;
    EXPECT_EQ(row.cells[4], row.cells[3] == "1" ? "-" : "0.2") << "one worker trains with what was given";
  }
}

TEST(SweepDocument, RanksAllPointsAndKeepsTheLost) {
  const Document document = study_document(study::analyse(sweep_study()));
  expect_sound(document);
  const Table& ranking = table_of(document, "ranking");
  ASSERT_EQ(ranking.rows.size(), 8U);
  EXPECT_THAT(ranking.header,
              ElementsAre("rank", "batch", "lr", "workers", "effective lr", "mean loss over time", "over samples",
                          "over cost", "final loss", "accuracy (%)", "samples/s", "remarks"));
  EXPECT_EQ(ranking.rows[0].mark, RowMark::none) << "single runs";
  EXPECT_THAT(std::vector(ranking.rows[0].cells.begin(), ranking.rows[0].cells.begin() + 6),
              ElementsAre("1", "32", "0.1", "2", "-", "1.000"));
  EXPECT_EQ(cell_of(ranking, {"-", "32", "1", "1"}, "remarks"), "given up after 1 epoch");
  EXPECT_EQ(cell_of(ranking, {"-", "32", "1", "1"}, "mean loss over time"), "-") << "another horizon";
  EXPECT_EQ(row_of(ranking, {"-", "32", "1", "1"}).mark, RowMark::none);
  EXPECT_EQ(row_of(ranking, {"-", "64", "1", "2"}).mark, RowMark::failed);
  EXPECT_EQ(cell_of(ranking, {"-", "64", "1", "2"}, "remarks"), "diverged: loss is NaN at step 12");
  const std::string words = words_of(section_of(document, "summary"));
  EXPECT_THAT(words, AllOf(HasSubstr("lowest loss over time, not decided = batch 32, lr 0.1, workers 2"),
                           HasSubstr("best accuracy = 70.0 % (batch 64, lr 0.1, workers 1 at epoch 2)"),
                           HasSubstr("The second, batch 64, lr 0.1, workers 2, has 1.250, 25.0 % more."),
                           HasSubstr("over the first 20 s"), HasSubstr("Each is a single run"),
                           Not(HasSubstr("learns fastest"))));
  EXPECT_THAT(words, HasSubstr("Given up early, before the time that the others are compared on: (batch 32, lr 1, "
                               "workers 1)"));
  EXPECT_THAT(words, HasSubstr("(batch 64, lr 1, workers 2): diverged: loss is NaN"));
}

// Repeats each run of the sweep with a loss that is larger by `more`.
study::StudyResults repeated_sweep(double more) {
  study::StudyResults results = sweep_study();
  for (study::PointResult& point : results.points) {
    study::StudyRun& again = point.runs.emplace_back(point.runs.front());
    if (again.counts())
      set_curve(again, std::vector(again.measures->curve.size(), again.measures->curve[0].train_loss + more), 10);
  }
  return results;
}

TEST(SweepDocument, NamesAWinnerOnlyWhereRunsTellItFromTheOthers) {
  const Document sure = study_document(study::analyse(repeated_sweep(0.001)));
  EXPECT_THAT(words_of(section_of(sure, "summary")),
              AllOf(HasSubstr("learns fastest = batch 32, lr 0.1, workers 2"),
                    HasSubstr("95 % interval of the difference"), Not(HasSubstr("no winner"))));
  EXPECT_EQ(table_of(sure, "ranking").rows[0].mark, RowMark::best);
  const Document unsure = study_document(study::analyse(repeated_sweep(0.3)));
  EXPECT_THAT(words_of(section_of(unsure, "summary")),
              AllOf(HasSubstr("does not tell it from (batch 64, lr 0.1, workers 2)"), HasSubstr("no winner is named"),
                    Not(HasSubstr("learns fastest"))));
}

TEST(SweepDocument, HasTheBestForEachNumberOfWorkers) {
  const Document document = study_document(study::analyse(sweep_study()));
  const Table& best = table_of(document, "best-by-workers");
  ASSERT_EQ(best.rows.size(), 2U);
  EXPECT_EQ(cell_of(best, {"1"}, "settings"), "batch 64, lr 0.1");
  EXPECT_EQ(cell_of(best, {"2"}, "settings"), "batch 32, lr 0.1");
}

TEST(SweepDocument, MapsLossOverBatchAndRateForEachNumberOfWorkers) {
  const Document document = study_document(study::analyse(sweep_study()));
  const HeatMap& one = chart_of<HeatMap>(document, "map-1");
  EXPECT_EQ(figure_of(document, "map-1").title, "Mean loss over time: workers 1");
  EXPECT_EQ(one.row_title, "batch");
  EXPECT_EQ(one.column_title, "lr");
  EXPECT_EQ(one.better, Better::lower);
  EXPECT_DOUBLE_EQ(one.values[0][0], 2);
  EXPECT_TRUE(std::isnan(one.values[0][1]));  // given up
  EXPECT_DOUBLE_EQ(one.values[1][1], 2.5);
  EXPECT_DOUBLE_EQ(chart_of<HeatMap>(document, "map-2").values[1][0], 1.25);
}

TEST(SweepDocument, DrawsTheRankingAndTheBestCurvesOfEachNumberOfWorkers) {
  const Document document = study_document(study::analyse(sweep_study()));
  const RankChart& chart = chart_of<RankChart>(document, "ranking-chart-workers-1");
  EXPECT_EQ(chart.better, Better::lower);
  EXPECT_EQ(chart.bars.size(), 4U);
  EXPECT_EQ(chart.bars[3].name, "batch 32, lr 1 (given up)");
  EXPECT_TRUE(std::isnan(chart.bars[3].bar.value));
  EXPECT_EQ(chart_of<RankChart>(document, "ranking-chart-workers-2").bars.size(), 4U);
  const LineChart& curves = chart_of<LineChart>(document, "loss-over-samples-workers-2");
  EXPECT_EQ(curves.series.size(), 2U);  // those with a rank
  EXPECT_DOUBLE_EQ(curves.series[0].points[0].x, 0);
  EXPECT_DOUBLE_EQ(chart_of<LineChart>(document, "loss-over-time-workers-2").series[0].points[2].x, 20);
  const Table& ranking = table_of(document, "ranking-workers-2");
  EXPECT_EQ(ranking.header[1], "batch") << "the number of workers is the same in all rows";
}

TEST(SweepDocument, DrawsNoLossThatWouldHideTheOthers) {
  study::StudyResults results = sweep_study();
  set_curve(results.points[0].runs[0], {1e25, 2}, 10);  // batch 32, lr 0.1, workers 1
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  EXPECT_EQ(cell_of(table_of(document, "ranking"), {"5", "32", "0.1", "1"}, "mean loss over time"), "7.500e+24");
  const RankedBar& bar = chart_of<RankChart>(document, "ranking-chart-workers-1").bars[2];
  EXPECT_EQ(bar.name, "batch 32, lr 0.1 (far off)");
  EXPECT_TRUE(std::isnan(bar.bar.value));
  EXPECT_TRUE(std::isnan(chart_of<HeatMap>(document, "map-1").values[0][0]));
  EXPECT_DOUBLE_EQ(chart_of<HeatMap>(document, "map-1").values[1][0], 1.5);
}

TEST(SweepDocument, MarksOversubscribedPoints) {
  study::StudyResults results = sweep_study();
  results.points[1].oversubscribed = true;  // the best
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  EXPECT_EQ(table_of(document, "ranking").rows[0].mark, RowMark::doubtful);
  EXPECT_EQ(cell_of(table_of(document, "ranking"), {"1"}, "remarks"), "oversubscribed");
  EXPECT_TRUE(chart_of<RankChart>(document, "ranking-chart-workers-2").bars[0].bar.hollow);
  EXPECT_TRUE(chart_of<LineChart>(document, "loss-over-time-workers-2").series[0].points[0].hollow);
  EXPECT_FALSE(chart_of<LineChart>(document, "loss-over-samples-workers-2").series[0].points[0].hollow);
  EXPECT_THAT(words_of(section_of(document, "summary")),
              AllOf(HasSubstr("batch 32, lr 0.1, workers 2 (oversubscribed) has the lowest training loss"),
                    HasSubstr("Oversubscribed points: ")));
}

TEST(SweepDocument, OfOneSettingHasNoMap) {
  study::StudyResults results = sweep_study();
  results.spec.axes = {{"workers", {"1", "2"}}};
  results.points.resize(2);
  for (study::PointResult& point : results.points) {
    point.point.erase("batch");
    point.point.erase("lr");
  }
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  EXPECT_FALSE(has_section(document, "maps"));
  EXPECT_THAT(words_of(section_of(document, "summary")),
              HasSubstr("maps over two settings, since fewer than two vary"));
}

TEST(SweepDocument, WithoutAnyLossSaysSo) {
  study::StudyResults results = sweep_study();
  for (study::PointResult& point : results.points) point.runs[0].trouble = "diverged";
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  EXPECT_THAT(words_of(section_of(document, "summary")),
              HasSubstr("No point that was trained to the end has a finite loss"));
  EXPECT_FALSE(has_section(document, "ranking"));
}

TEST(ConvergeDocument, TellsAccuracyStabilityAndTarget) {
  const Document document = study_document(study::analyse(converge_study()));
  expect_sound(document);
  const Table& points = table_of(document, "points");
  EXPECT_EQ(cell_of(points, {"workers 1"}, "final accuracy (%)"), "91.00");
  EXPECT_EQ(cell_of(points, {"workers 1"}, "95 % interval"), "79.14 to 100.0");
  EXPECT_EQ(cell_of(points, {"workers 2"}, "epochs to stable"), "2.000");
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
