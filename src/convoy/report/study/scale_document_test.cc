#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/report/document_search_test.h"
#include "convoy/report/study/sample_studies_test.h"
#include "convoy/report/study/study_document.h"

namespace convoy::report {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class ScaleDocument : public ::testing::Test {
 protected:
  static const Document& document() {
    static const Document kDocument = study_document(study::analyse(scale_study()));
    return kDocument;
  }
  static std::string words() { return words_of(section_of(document(), "summary")); }
  static const Table& points() { return table_of(document(), "points"); }
};

TEST_F(ScaleDocument, IsSound) {
  expect_sound(document());
  EXPECT_EQ(document().title, "Scaling of resnet20 on cifar10");
  EXPECT_EQ(document().subtitle, "26 runs of 13 points, 3 failed");
}

TEST_F(ScaleDocument, HasAllSectionsInOrder) {
  EXPECT_THAT(section_ids(document()),
              ElementsAre("summary", "pay-off", "throughput", "speed-up", "efficiency", "all-reduce", "time", "cost",
                          "shares", "laws", "spread", "cpu-use", "measured"));
}

TEST_F(ScaleDocument, HighlightsLeaveOutWhatIsDoubtful) {
  EXPECT_THAT(words(), HasSubstr("best throughput = 371.0 samples/s (mpi, weak, 4 workers; 3.71 times as fast as 1 "
                                 "worker; 95 % interval 367.1 to 374.9)"));
  EXPECT_THAT(words(), HasSubstr("best efficiency = 98.0 % (ring, weak, 2 workers)"));
  EXPECT_THAT(words(), HasSubstr("pays off = up to 4 workers (mpi, weak; the largest measured)"));
}

TEST_F(ScaleDocument, SaysHowMuchFasterMoreWorkersAre) {
  EXPECT_THAT(words(), HasSubstr("Strong scaling with ring (the fastest of 2 all-reduces): 2 workers train 1.90 times "
                                 "as fast as 1 (efficiency 95.0 "
                                 "%), 4 train 3.40 times as fast (efficiency 85.0 %)."));
  EXPECT_THAT(words(), HasSubstr("Up to 4 workers pay off: from 2 to 4 each added worker brings 75.0 %"));
  EXPECT_THAT(words(), HasSubstr("nothing larger was measured on cores of its own"));
  EXPECT_THAT(words(), HasSubstr("Weak scaling with mpi (the fastest of 2 all-reduces): 2 workers train 1.93"));
  EXPECT_THAT(words(), Not(HasSubstr("Strong scaling with mpi")));
}

TEST_F(ScaleDocument, SetsWeakAgainstStrong) {
  // Ring is the fastest in strong scaling, and its runs with four workers failed in weak scaling.
  EXPECT_THAT(words(), HasSubstr("With 2 workers and `ring` weak scaling (a global batch of 128) is 98.0 % efficient, "
                                 "strong scaling (64) 95.0 %. Exposed communication takes 2.0 % of the time in weak "
                                 "scaling, 4.0 % in strong."));
}

TEST_F(ScaleDocument, SaysWhetherAnAllReduceIsFasterThanChance) {
  EXPECT_THAT(words(), HasSubstr("With 2 workers (strong) the all-reduces `ring` and `mpi` are equally fast."));
  EXPECT_THAT(words(), HasSubstr("With 4 workers (strong) the fastest all-reduce is `ring`, 13.0 % ahead of `mpi` (95 "
                                 "% interval 10.9 % to 15.0 %): more than the spread"));
  EXPECT_THAT(words(), HasSubstr("With 2 workers (weak) the fastest all-reduce is `ring`, 1.6 % ahead of `mpi` (95 % "
                                 "interval -1.6 % to 4.7 %): not more than the spread"));
  EXPECT_THAT(words(), Not(HasSubstr("With 8 workers")));
  const Table& leads = table_of(document(), "all-reduce-lead");
  EXPECT_EQ(cell_of(leads, {"strong", "2"}, "more than the spread?"), "not known: measured once");
  EXPECT_EQ(cell_of(leads, {"strong", "4"}, "more than the spread?"), "yes");
  EXPECT_EQ(cell_of(leads, {"weak", "2"}, "more than the spread?"), "no");
  EXPECT_EQ(row_of(leads, {"weak", "8"}).mark, RowMark::doubtful);
}

TEST_F(ScaleDocument, ListsEachPointOnce) {
  EXPECT_EQ(points().rows.size(), 13U);
  EXPECT_EQ(cell_of(points(), {"base", "1"}, "samples/s"), "100.0");
  EXPECT_EQ(cell_of(points(), {"base", "1"}, "speed-up"), "1.000");
  EXPECT_EQ(cell_of(points(), {"ring, strong", "4"}, "global batch"), "64");
  EXPECT_EQ(cell_of(points(), {"mpi, weak", "4"}, "global batch"), "256");
  EXPECT_EQ(cell_of(points(), {"mpi, weak", "4"}, "95 % interval"), "367.1 to 374.9");
  EXPECT_EQ(cell_of(points(), {"mpi, weak", "4"}, "efficiency (%)"), "92.8");
  EXPECT_EQ(cell_of(points(), {"mpi, strong", "2"}, "CV (%)"), "7.4");
  EXPECT_EQ(cell_of(points(), {"mpi, strong", "4"}, "global batch"), "64");
  EXPECT_EQ(cell_of(points(), {"mpi, strong", "4"}, "batch per worker"), "16");
  EXPECT_EQ(cell_of(points(), {"ring, strong", "4"}, "step (ms)"), "188.2");
  // 2 workers * 0.5 * 36000 / 190 seconds
  EXPECT_EQ(cell_of(points(), {"ring, strong", "2"}, "cost (unit of --price)"), "0.05263");
  EXPECT_EQ(row_of(points(), {"mpi, weak", "4"}).mark, RowMark::best);
  EXPECT_THAT(points().caption, HasSubstr("threads 1"));
}

TEST_F(ScaleDocument, MarksOversubscribedPointsEverywhere) {
  for (const char* const series : {"ring, strong", "mpi, strong", "ring, weak", "mpi, weak"}) {
    EXPECT_EQ(row_of(points(), {series, "8"}).mark, RowMark::doubtful) << series;
    EXPECT_EQ(cell_of(points(), {series, "8"}, "remarks"), "oversubscribed") << series;
  }
  for (const char* const id : {"throughput", "speed-up", "efficiency", "turnaround", "step-time", "cost"}) {
    const LineChart& chart = chart_of<LineChart>(document(), id);
    EXPECT_FALSE(chart.hollow_means.empty()) << id;
    for (const Series& series : chart.series) {
      for (const Point& point : series.points) {
        EXPECT_EQ(point.hollow, !series.dashed && point.x == 8) << id << ' ' << series.name << ' ' << point.x;
      }
    }
  }
  const BarChart& bars = chart_of<BarChart>(document(), "all-reduce-1");
  EXPECT_THAT(bars.groups, ElementsAre("2", "4", "8"));
  for (const BarSeries& series : bars.series) {
    EXPECT_FALSE(series.bars[1].hollow);
    EXPECT_TRUE(series.bars[2].hollow);
  }
  const auto& stacks = chart_of<StackedBarChart>(document(), "shares").stacks;
  EXPECT_EQ(std::ranges::count_if(stacks, [](const Stack& s) { return s.name.ends_with("(oversubscribed)"); }), 4);
}

TEST_F(ScaleDocument, KeepsFailedPointsAndRuns) {
  EXPECT_EQ(row_of(points(), {"ring, weak", "4"}).mark, RowMark::failed);
  EXPECT_EQ(cell_of(points(), {"ring, weak", "4"}, "samples/s"), "-");
  EXPECT_EQ(cell_of(points(), {"ring, weak", "4"}, "remarks"), "failed");
  EXPECT_EQ(cell_of(points(), {"ring, strong", "2"}, "remarks"), "1 of 2 runs failed");
  EXPECT_EQ(cell_of(points(), {"ring, strong", "2"}, "95 % interval"), "187.2 to 192.9") << "by the other points";
  const Table& spread = table_of(document(), "spread-runs");
  EXPECT_EQ(cell_of(spread, {"ring, strong, 2 workers"}, "by (freedom)"), "pooled (10)");
  EXPECT_EQ(cell_of(spread, {"mpi, strong, 2 workers"}, "by (freedom)"), "own (1)") << "much noisier than the others";
  EXPECT_THAT(words(), HasSubstr("Failed runs: 3 of 26 runs failed"));
  const Table& failed = table_of(document(), "failed-runs");
  EXPECT_EQ(failed.rows.size(), 3U);
  EXPECT_EQ(failed.rows[0].cells.back(), "rank 1 on node2 was lost");
  EXPECT_EQ(failed.rows[0].cells[2], "5");
}

TEST_F(ScaleDocument, DrawsIntervalsFitsAndTheIdeal) {
  const LineChart& chart = chart_of<LineChart>(document(), "throughput");
  const Series& measured = line_of(chart, "mpi, weak");
  ASSERT_EQ(measured.points.size(), 4U);
  EXPECT_DOUBLE_EQ(measured.points[2].y, 371);
  EXPECT_NEAR(*measured.points[2].low, 367.11, 0.005);
  EXPECT_NEAR(*measured.points[2].high, 374.93, 0.005);
  const Series& single = line_of(chart, "ring, strong");
  EXPECT_NEAR(single.points[1].low.value(), 187.19, 0.005);
  const Series& ideal = line_of(chart, "ideal");
  EXPECT_TRUE(ideal.dashed);
  EXPECT_DOUBLE_EQ(ideal.points.back().y, 800);
  const Series& fit = line_of(chart, "mpi, strong, Amdahl's law");
  EXPECT_EQ(chart.series[*fit.fit_of].name, "mpi, strong");
  // It must not extend into the range of oversubscribed points, to which it was not fitted.
  EXPECT_DOUBLE_EQ(fit.points.back().x, 4);
  EXPECT_NEAR(fit.points.back().y, 301, 15);
}

TEST_F(ScaleDocument, DoesNotPredictWhatWasMeasured) {
  // Eight workers were measured with more threads than cores: 290 samples/s, where the law would promise more than 400.
  const Section& laws = section_of(document(), "laws");
  EXPECT_THROW((void)table_of(document(), "predictions"), std::out_of_range);
  EXPECT_THAT(words_of(laws), HasSubstr("mpi, strong, Amdahl's law: no prediction, since size 8 was measured"));
}

TEST_F(ScaleDocument, SaysWhyALawIsNotFitted) {
  const std::string words = words_of(section_of(document(), "laws"));
  EXPECT_THAT(words, HasSubstr("mpi, weak, no fit: Amdahl's law: it is about a fixed amount of work"));
  EXPECT_THAT(words, HasSubstr("no fit: universal scalability law: it has 3 parameters"));
  const Table& laws = table_of(document(), "laws");
  EXPECT_EQ(cell_of(laws, {"mpi, strong", "Amdahl's law"}, "runs"), "6");
  EXPECT_NE(cell_of(laws, {"mpi, strong", "Amdahl's law"}, "s, 95 %"), "-");
}

TEST(ScaleLaws, PredictTwiceTheLargestSizeAndSayThatItIsExtrapolated) {
  study::StudyResults results = scale_study();
  std::erase_if(results.points, &study::PointResult::oversubscribed);
  const Document document = study_document(study::analyse(results));
  const Table& predictions = table_of(document, "predictions");
  ASSERT_EQ(predictions.rows.size(), 2U) << "strong scaling with two all-reduces";
  const auto& amdahl = row_of(predictions, {"mpi, strong", "Amdahl's law", "8"});
  EXPECT_EQ(amdahl.cells.back(), "extrapolated");
  EXPECT_EQ(amdahl.mark, RowMark::doubtful);
}

TEST(ScaleLaws, PredictNothingWhereTheIntervalIsWide) {
  study::StudyResults results = scale_study();
  std::erase_if(results.points, [](const study::PointResult& point) {
    return point.oversubscribed || (point.point.contains("scaling") && point.point.at("scaling") == "weak");
  });
  for (study::PointResult& point : results.points) {
    for (std::size_t i = 0; i < point.runs.size(); ++i) {
      if (point.runs[i].counts()) *point.runs[i].measures->throughput *= i == 0 ? 0.6 : 1.4;
    }
  }
  const Document document = study_document(study::analyse(results));
  EXPECT_THROW((void)table_of(document, "predictions"), std::out_of_range);
  EXPECT_THAT(words_of(section_of(document, "laws")), HasSubstr("is too wide to conclude from"));
}

TEST_F(ScaleDocument, SaysWhereTheTimeGoesAndWhy) {
  const auto& chart = chart_of<StackedBarChart>(document(), "shares");
  EXPECT_EQ(chart.stacks.size(), 12U);  // all except the failed point
  EXPECT_THAT(chart.parts, ElementsAre("compute", "exposed communication", "straggler wait", "input wait", "other"));
  const Table& why = table_of(document(), "why");
  EXPECT_EQ(cell_of(why, {"mpi, strong, 4 workers"}, "limited by"), "communication");
  EXPECT_EQ(cell_of(why, {"mpi, strong, 4 workers"}, "efficiency with a free network (%)"), "94.1");
  EXPECT_EQ(cell_of(why, {"mpi, weak, 8 workers (oversubscribed)"}, "limited by"), "oversubscription");
}

TEST_F(ScaleDocument, CountsRunsAndEpochsOfTheSpread) {
  EXPECT_EQ(cell_of(table_of(document(), "spread-runs"), {"1 worker"}, "values"), "2");
  EXPECT_EQ(cell_of(table_of(document(), "spread-runs"), {"1 worker"}, "deviation"), "1.414");
  EXPECT_EQ(cell_of(table_of(document(), "spread-epochs"), {"1 worker"}, "values"), "4");
}

TEST_F(ScaleDocument, EfficiencyByTimeIsForWeakScalingOnly) {
  const Table& times = table_of(document(), "times");
  EXPECT_EQ(cell_of(times, {"mpi, weak", "4"}, "efficiency by time (%)"), "92.8");
  EXPECT_EQ(cell_of(times, {"mpi, strong", "4"}, "efficiency by time (%)"), "-");
}

TEST_F(ScaleDocument, DrawsAtMostEightLinesOfCpuUse) {
  const LineChart& chart = chart_of<LineChart>(document(), "cpu-use");
  EXPECT_EQ(chart.series.size(), 8U);
  EXPECT_DOUBLE_EQ(line_of(chart, "1 worker").points[0].y, 0.9);
  EXPECT_THAT(words_of(section_of(document(), "cpu-use")), HasSubstr("4 points"));
}

TEST(ScaleDocumentOfOversubscribedPoints, ListsCpuUseByNumber) {
  study::StudyResults results = single_repeat_study();
  for (const int workers : {4, 8}) {
    const study::Point point = {{"workers", std::to_string(workers)}};
    results.points.push_back({.point = point, .runs = {sample_run(point, 1, workers, {})}});
  }
  for (study::PointResult& point : results.points) point.oversubscribed = point.point.at("workers") != "1";
  const Document document = study_document(study::analyse(results));
  std::vector<std::string> names;
  for (const Series& series : chart_of<LineChart>(document, "cpu-use").series) {
    names.push_back(series.name);
  }
  EXPECT_THAT(names, ElementsAre("1 worker", "2 workers (oversubscribed)", "4 workers (oversubscribed)",
                                 "8 workers (oversubscribed)"));
}

TEST(ScaleDocumentOfSingleRuns, HasNoIntervalsAndSaysSo) {
  const Document document = study_document(study::analyse(single_repeat_study()));
  expect_sound(document);
  const Table& points = table_of(document, "points");
  EXPECT_EQ(cell_of(points, {"2"}, "samples/s"), "193.0");
  EXPECT_EQ(cell_of(points, {"2"}, "95 % interval"), "-");
  EXPECT_EQ(cell_of(points, {"2"}, "CV (%)"), "-");
  EXPECT_EQ(cell_of(points, {"1"}, "remarks"), "base");
  const std::string words = words_of(section_of(document, "summary"));
  EXPECT_THAT(words, AllOf(HasSubstr("Each point was run once"), HasSubstr("one run: no interval"),
                           HasSubstr("2 workers train 1.93 times as fast as 1 (efficiency 96.5 %)"),
                           HasSubstr("cost, since no `--price`")));
  EXPECT_THAT(words, Not(HasSubstr("Oversubscribed")));
  EXPECT_FALSE(has_section(document, "cost"));
  EXPECT_FALSE(has_section(document, "all-reduce"));
  const LineChart& chart = chart_of<LineChart>(document, "throughput");
  EXPECT_TRUE(chart.hollow_means.empty());
  EXPECT_FALSE(line_of(chart, "measured").points[1].low);
  EXPECT_THAT(figure_of(document, "throughput").definition,
              AllOf(HasSubstr("is the ideal"), Not(HasSubstr("fitted law")), Not(HasSubstr("interval"))));
}

TEST(ScaleDocumentWithoutThroughput, LeavesOutTheFigures) {
  study::StudyResults results = single_repeat_study();
  for (study::PointResult& point : results.points) {
    point.runs[0].measures->throughput.reset();
    point.runs[0].measures->epoch_throughputs.clear();
  }
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  EXPECT_FALSE(has_section(document, "throughput"));
  EXPECT_FALSE(has_section(document, "laws"));
  EXPECT_THAT(words_of(section_of(document, "summary")),
              AllOf(HasSubstr("no two numbers of workers"), HasSubstr("no run has an epoch after the skipped ones")));
  EXPECT_EQ(cell_of(table_of(document, "points"), {"2"}, "remarks"), "no epoch after the skipped ones");
}

TEST(ScaleDocumentOfOversubscribedPoints, DrawsNoConclusion) {
  study::StudyResults results = single_repeat_study();
  results.points[1].oversubscribed = true;
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  const std::string words = words_of(section_of(document, "summary"));
  EXPECT_THAT(words, HasSubstr("no two numbers of workers to compare that were measured on cores of their own"));
  EXPECT_THAT(words, HasSubstr("best throughput = 100.0 samples/s (1 worker; one run"));
  EXPECT_EQ(cell_of(table_of(document, "points"), {"2"}, "speed-up"), "1.930");
}

TEST(ScaleDocumentOfManySeries, IsShort) {
  study::StudyResults results = scale_study();
  std::erase_if(results.points, [](const study::PointResult& p) { return p.point.contains("scaling"); });
  for (const char* const name : {"a", "b", "c", "d", "e", "f", "g"}) {
    const study::Point point = {{"workers", "2"}, {"allreduce", name}};
    results.points.push_back(
        {.point = point, .runs = {sample_run(point, 1, 2, {.throughput = name[0] == 'c' ? 95.0 : 90.0})}});
  }
  count_runs(results);
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  const std::string words = words_of(section_of(document, "summary"));
  EXPECT_THAT(words, AllOf(HasSubstr("With c (the fastest of 7 all-reduces): 2 workers train 0.950 times as fast"),
                           HasSubstr("Going beyond 1 worker does not pay off: from 1 to 2 throughput falls."),
                           HasSubstr("pays off = up to 1 worker (c; 2 do not)"), Not(HasSubstr("With d"))));
  for (const Series& series : chart_of<LineChart>(document, "throughput").series) EXPECT_FALSE(series.fit_of);
}

TEST(ScaleDocumentOfThreads, IsOverThreads) {
  study::StudyResults results = single_repeat_study();
  results.spec.axes = {{"threads", {"1", "2"}}};
  for (study::PointResult& point : results.points) point.point = {{"threads", point.point.at("workers")}};
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  EXPECT_EQ(chart_of<LineChart>(document, "throughput").x.title, "threads");
  EXPECT_THAT(words_of(section_of(document, "summary")), HasSubstr("2 threads train 1.93 times as fast as 1"));
  EXPECT_EQ(table_of(document, "points").header.front(), "threads");
}

// The base got only a seventh of a core, because others used the rest.
TEST(ScaleDocumentOfAPrice, IsInItsCurrency) {
  study::StudyResults results = scale_study();
  results.spec.currency = "USD";
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  EXPECT_THAT(table_of(document, "points").header, ::testing::Contains("cost (USD)"));
  EXPECT_EQ(chart_of<LineChart>(document, "cost").y.title, "cost of a run (USD)");
  EXPECT_EQ(cell_of(table_of(document, "settings"), {"price of a worker-hour"}, "value"), "0.5 USD");
}

TEST(ScaleDocumentOfBatches, ShowsThatOfAWorkerBesideTheGlobalOne) {
  const Document document = study_document(study::analyse(scale_study()));
  EXPECT_EQ(cell_of(table_of(document, "points"), {"mpi, strong", "4"}, "batch per worker"), "16");
  EXPECT_EQ(cell_of(table_of(document, "points"), {"mpi, weak", "4"}, "batch per worker"), "64");
  study::StudyResults imported = import_study();
  imported.spec.settings["batch"] = "64";  // is it that of all workers or of each?
  const Document of_logs = study_document(study::analyse(imported));
  const auto& header = table_of(of_logs, "points").header;
  EXPECT_THAT(header, Not(::testing::Contains("batch per worker")));
}

TEST(ScaleDocumentOfABusyMachine, ShowsNoEfficiencyThatCannotBeWithoutItsDoubt) {
  study::StudyResults results = single_repeat_study();
  results.points[0].runs[0].measures->throughput = 41;
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  const Table& points = table_of(document, "points");
  EXPECT_EQ(cell_of(points, {"2"}, "efficiency (%)"), "235.4 ?");
  EXPECT_EQ(cell_of(points, {"2"}, "remarks"), "more than linear: doubtful");
  const std::string words = words_of(section_of(document, "summary"));
  EXPECT_THAT(words, AllOf(HasSubstr("best efficiency = 235.4 %, more than linear and so doubtful"),
                           HasSubstr("(efficiency 235.4 %, more than linear and so doubtful"),
                           Not(HasSubstr("Efficiency is 235"))));
  EXPECT_TRUE(line_of(chart_of<LineChart>(document, "efficiency"), "measured").points[1].hollow);
}

}  // namespace
}  // namespace convoy::report
