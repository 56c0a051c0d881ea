// What university courses ask of a study: a figure for each network, whether a step pays off, tables epoch by epoch,
// winners that are trained longer.
#include <gmock/gmock.h>

#include "convoy/report/chart/line_chart.h"
#include "convoy/report/document_search_test.h"
#include "convoy/report/study/sample_studies_test.h"
#include "convoy/report/study/study_document.h"

namespace convoy::report {
namespace {

const Document& the_document() {
  static const Document kDocument = study_document(study::analyse(scale_study()));
  return kDocument;
}

TEST(ScaleFigures, SaysWhetherEachStepPays) {
  const Table& steps = table_of(the_document(), "pay-off");
  EXPECT_EQ(cell_of(steps, {"ring, strong", "1", "2"}, "each added worker"), "90.0 %");
  EXPECT_EQ(cell_of(steps, {"ring, strong", "2", "4"}, "throughput, times"), "1.79");
  EXPECT_EQ(cell_of(steps, {"ring, strong", "2", "4"}, "pays?"), "yes");
}

TEST(ScaleFigures, NamesTheKindOfScalingInTitles) {
  const Section& section = section_of(the_document(), "throughput");
  EXPECT_EQ(std::get<Figure>(section.blocks[0]).title, "Throughput over workers, weak and strong scaling");
}

TEST(ScaleFigures, DrawsTheIdealBesideTheDataOnLogarithmicAxes) {
  EXPECT_EQ(chart_of<LineChart>(the_document(), "throughput").y.scale, AxisScale::log2);
}

TEST(ScaleFigures, ThereIsOneForEachNetwork) {
  const study::StudyResults one = single_repeat_study();
  study::StudyResults results = one;
  results.points.clear();
  for (const char* const model : {"lenet", "vgg16"}) {
    for (study::PointResult point : one.points) {
      point.point["model"] = model;
      results.points.push_back(point);
    }
  }
  const Document document = study_document(study::analyse(results));
  EXPECT_EQ(std::get<Figure>(section_of(document, "throughput").blocks.at(0)).title,
            "Throughput of lenet over workers, strong scaling");
  EXPECT_EQ(chart_of<LineChart>(document, "throughput-2").series.at(0).points.size(), one.points.size());
}

TEST(ScaleFigures, AreNotDrawnWhereThereIsNothingToCompare) {
  study::StudyResults results = single_repeat_study();
  results.points.pop_back();
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  EXPECT_THAT(figure_of(document, "throughput").definition, testing::Not(testing::HasSubstr("ideal")));
  EXPECT_FALSE(has_section(document, "speed-up"));
  EXPECT_FALSE(has_section(document, "efficiency"));
}

TEST(SweepDocument, OverlaysTheWinnersThatWereTrainedLonger) {
  study::StudyResults results = sweep_study();
  EXPECT_FALSE(has_section(study_document(study::analyse(results)), "retrained"));
  study::StudyRun longer = results.points[1].runs[0];
  longer.outcome.run.point = results.points[1].point;
  longer.outcome.run.retrained = true;
  longer.outcome.epochs = 9;
  results.retrained.push_back(longer);
  const Document document = study_document(study::analyse(results));
  expect_sound(document);
  EXPECT_EQ(cell_of(table_of(document, "retrained"), {"batch 32, lr 0.1, workers 2"}, "epochs"), "9");
  EXPECT_EQ(chart_of<LineChart>(document, "retrained-loss-over-time").series.size(), 1U);
  EXPECT_EQ(table_of(document, "ranking").rows.size(), 8U) << "it is no point of the ranking";
}

TEST(BatchDocument, HasATableOfEpochs) {
  const Document document = study_document(study::analyse(batch_study()));
  const Table& epochs = table_of(document, "epochs");
  EXPECT_EQ(epochs.header, (std::vector<std::string>{"epoch", "batch 16", "batch 32", "batch 64"}));
  EXPECT_EQ(cell_of(epochs, {"2"}, "batch 32"), "97.00") << "the first is skipped";
  EXPECT_EQ(cell_of(epochs, {"3"}, "batch 32"), "99.00");
  EXPECT_EQ(cell_of(epochs, {"mean"}, "batch 64"), "100.0");
  EXPECT_EQ(cell_of(epochs, {"median"}, "batch 64"), "100.0");
  EXPECT_EQ(epochs.rows.size(), 6U);
}

TEST(Predictions, AreAskedForAndSayHowFarTheyReach) {
  const std::vector<std::int64_t> sizes = {8};
  EXPECT_FALSE(has_section(the_document(), "predicted"));
  const Document document = study_document(study::analyse(converge_study(), sizes));
  expect_sound(document);
  const Section& section = *std::ranges::find(document.sections, "predicted", &Section::id);
  EXPECT_THAT(to_plain_text(section), ::testing::HasSubstr("Not predicted: throughput, "))
      << "two trusted sizes are too few";
  const Table& table = table_of(document, "predicted");
  EXPECT_EQ(cell_of(table, {"", "final accuracy (%)", "8"}, "how far"), "within what was measured");
}

}  // namespace
}  // namespace convoy::report
