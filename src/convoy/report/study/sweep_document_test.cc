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
  EXPECT_EQ(chart.bars[3].name, "batch 32, lr 1");
  EXPECT_EQ(chart.bars[3].without_value, "given up");
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
  EXPECT_EQ(bar.name, "batch 32, lr 0.1");
  EXPECT_EQ(bar.without_value, "far off");
  EXPECT_TRUE(std::isnan(bar.bar.value));
  EXPECT_TRUE(std::isnan(chart_of<HeatMap>(document, "map-1").values[0][0]));
  EXPECT_DOUBLE_EQ(chart_of<HeatMap>(document, "map-1").values[1][0], 1.5);
  for (const Series& curve : chart_of<LineChart>(document, "loss-over-time-workers-1").series) {
    EXPECT_NE(curve.name, "batch 32, lr 0.1");
  }
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

}  // namespace
}  // namespace convoy::report
