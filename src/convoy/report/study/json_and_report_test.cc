// A report and `--json` come from the same analysis: these tests compare the report's cells with the JSON.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "convoy/base/number_text.h"
#include "convoy/report/document_search_test.h"
#include "convoy/report/measured_values.h"
#include "convoy/report/study/sample_studies_test.h"
#include "convoy/report/study/study_document.h"
#include "convoy/report/words.h"
#include "convoy/study/analysis/analysis_json.h"

namespace convoy::report {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

// Both views of one study.
struct Views {
  explicit Views(study::StudyResults results) : analysis(study::analyse(std::move(results))) {}

  study::StudyAnalysis analysis;
  Document document = study_document(analysis);
  Json json = study::to_json(analysis);
};

const Json& named(const Json& list, const char* key, const std::string& name) {
  for (const Json& each : list) {
    if (each.at(key) == name) return each;
  }
  throw std::out_of_range(name);
}

const Json& with_size(const Json& points, std::int64_t size) {
  for (const Json& point : points) {
    if (point.at("size") == size) return point;
  }
  throw std::out_of_range(std::to_string(size));
}

std::string number_of(const Json& json) { return significant_text(json.get<double>()); }
std::string percent_of(const Json& json) { return percent_cell(json.get<double>()); }
std::string range_of(const Json& json) {
  return fmt::format("{} to {}", number_of(json.at("low_95")), number_of(json.at("high_95")));
}

TEST(JsonAndReport, SayTheSameSpeedUpEfficiencyAndVerdict) {
  const Views views(scale_study());
  const Table& points = table_of(views.document, "points");
  const Table& why = table_of(views.document, "why");
  const Json& series = views.json["analysis"]["series"];
  EXPECT_EQ(series.size(), 4U);
  for (const Json& each : series) {
    const std::string name = each["name"];
    const Json& two = with_size(each["points"], 2);
    EXPECT_EQ(cell_of(points, {name, "2"}, "samples/s"), number_of(two["samples_per_second"]));
    EXPECT_EQ(cell_of(points, {name, "2"}, "speed-up"), number_of(two["speed_up"]["value"]));
    EXPECT_EQ(cell_of(points, {name, "2"}, "efficiency (%)"), percent_of(two["efficiency"]["value"]));
    EXPECT_EQ(cell_of(why, {name + ", 2 workers"}, "limited by"), two["verdict"]["bottleneck"]);
    EXPECT_EQ(cell_of(why, {name + ", 2 workers"}, "why"), two["verdict"]["why"]);
    EXPECT_EQ(cell_of(why, {name + ", 2 workers"}, "first thing to change"), two["verdict"]["advice"]);
    EXPECT_TRUE(with_size(each["points"], 8)["oversubscribed"].get<bool>());
  }
  const Json& four = with_size(named(series, "name", "mpi, strong")["points"], 4);
  EXPECT_LT(four["efficiency"]["low_95"], four["efficiency"]["value"]);
  EXPECT_GT(four["efficiency"]["high_95"], four["efficiency"]["value"]);
  EXPECT_FALSE(with_size(named(series, "name", "ring, weak")["points"], 4).contains("speed_up")) << "its runs failed";
}

TEST(JsonAndReport, SayTheSameLawsAndPredictions) {
  const Views views(scale_study());
  const Table& laws = table_of(views.document, "laws");
  int fitted = 0;
  for (const Json& series : views.json["analysis"]["series"]) {
    for (const Json& law : series["laws"]) {
      if (!law["fitted"].get<bool>()) {
        EXPECT_THAT(words_of(section_of(views.document, "laws")), HasSubstr(law["reason"].get<std::string>()));
        continue;
      }
      ++fitted;
      const std::vector<std::string> row = {series["name"], law["law"]};
      EXPECT_EQ(cell_of(laws, row, "X1 (samples/s)"), number_of(law["single_samples_per_second"]["value"]));
      EXPECT_EQ(cell_of(laws, row, "X1, 95 %"), range_of(law["single_samples_per_second"]));
      EXPECT_EQ(cell_of(laws, row, "s"), number_of(law["serial_share"]["value"]));
      EXPECT_EQ(cell_of(laws, row, "s, 95 %"), range_of(law["serial_share"]));
      EXPECT_EQ(cell_of(laws, row, "residual (%)"), percent_of(law["rms_relative_error"]));
      EXPECT_TRUE(law.contains("prediction") != law.contains("no_prediction"));
      if (!law.contains("prediction")) continue;
      const Table& predictions = table_of(views.document, "predictions");
      EXPECT_EQ(cell_of(predictions, row, "samples/s"), number_of(law["prediction"]["samples_per_second"]["value"]));
    }
  }
  EXPECT_GT(fitted, 0);
}

TEST(JsonAndReport, SayWhyNothingIsFitted) {
  const Views views(single_repeat_study());
  const Json& series = views.json["analysis"]["series"][0];
  const std::string words = words_of(section_of(views.document, "laws"));
  for (const Json& law : series["laws"]) {
    EXPECT_FALSE(law["fitted"].get<bool>());
    EXPECT_FALSE(law.contains("serial_share"));
    ASSERT_FALSE(law["reason"].get<std::string>().empty());
    EXPECT_THAT(words, HasSubstr(law["reason"].get<std::string>()));
  }
  EXPECT_FALSE(series["points"][1]["speed_up"].contains("low_95")) << "of single runs";
}

TEST(JsonAndReport, SayWhyNothingPaysOff) {
  study::StudyResults results = single_repeat_study();
  EXPECT_FALSE(Views(results).json["analysis"]["series"][0].contains("no_pay_off"));
  results.points.pop_back();
  const Views views(std::move(results));
  EXPECT_THAT(views.json["analysis"]["series"][0]["no_pay_off"], HasSubstr("fewer than two sizes"));
  EXPECT_THAT(words_of(section_of(views.document, "summary")), HasSubstr("There are no two numbers of workers"));
}

TEST(JsonAndReport, SayTheSamePayOffAndAllReduces) {
  const Views views(scale_study());
  const Json& analysis = views.json["analysis"];
  EXPECT_EQ(named(analysis["series"], "name", "mpi, weak")["pay_off"]["size"], 4);
  EXPECT_THAT(words_of(section_of(views.document, "summary")),
              HasSubstr("pays off = up to 4 workers (mpi, weak; the largest measured)"));
  EXPECT_EQ(analysis["fastest"]["series"], "mpi, weak");
  EXPECT_EQ(analysis["most_efficient"]["series"], "ring, weak");
  const Table& leads = table_of(views.document, "all-reduce-lead");
  ASSERT_FALSE(analysis["all_reduces"].empty());
  for (const Json& choice : analysis["all_reduces"]) {
    const std::vector<std::string> row = {choice["circumstances"], choice["size"].dump()};
    EXPECT_EQ(cell_of(leads, row, "fastest"), choice["measured"][0]["all_reduce"]);
    EXPECT_EQ(cell_of(leads, row, "lead (samples/s)"), number_of(choice["lead"]["value"]));
    EXPECT_EQ(cell_of(leads, row, "more than the spread?") == "yes", choice["winner"] != "none");
    EXPECT_EQ(choice.contains("reason"), choice["winner"] == "none");
  }
}

TEST(JsonAndReport, NameTheSameDisturbedPoints) {
  study::StudyResults results = single_repeat_study();
  results.points[1].runs[0].measures->disturbance = "others used 1 of 2 cores";
  results.disturbed_runs = 1;
  const Views views(std::move(results));
  EXPECT_EQ(views.json["disturbed_points"], (Json{{{"workers", "2"}}}));
  EXPECT_EQ(views.json["warnings"][0]["kind"], "disturbed runs");
  EXPECT_EQ(cell_of(table_of(views.document, "points"), {"2"}, "remarks"), "disturbed");
}

TEST(JsonAndReport, RecommendTheSameBatch) {
  const Views views(batch_study());
  const Json& series = views.json["analysis"]["series"][0];
  EXPECT_EQ(series["recommended"], 32);
  EXPECT_EQ(cell_of(table_of(views.document, "points"), {"all", "32"}, "remarks"), "recommended");
  EXPECT_THAT(words_of(section_of(views.document, "summary")), HasSubstr(series["why"].get<std::string>()));
}

TEST(JsonAndReport, RankTheSameAndSayWhyThereIsNoWinner) {
  const Views views(sweep_study());
  const Json& sweep = views.json["analysis"];
  const Table& ranking = table_of(views.document, "ranking");
  ASSERT_EQ(ranking.rows.size(), sweep["ranked"].size());
  for (std::size_t i = 0; i < ranking.rows.size(); ++i) {
    const Json& point = sweep["ranked"][i];
    const bool is_ranked = point.contains("loss_by_seconds");
    EXPECT_EQ(ranking.rows[i].cells[5], is_ranked ? number_of(point["loss_by_seconds"]) : "-");
  }
  EXPECT_EQ(sweep["winner"], "none");
  EXPECT_THAT(words_of(section_of(views.document, "summary")), HasSubstr(sweep["reason"].get<std::string>()));
}

TEST(JsonAndReport, NameAWinnerWhereRepeatsTell) {
  study::StudyResults results = sweep_study();
  for (study::PointResult& point : results.points) point.runs.push_back(point.runs.front());
  const Json json = study::to_json(study::analyse(results));
  EXPECT_EQ(json["analysis"]["winner"], (Json{{"batch", "32"}, {"lr", "0.1"}, {"workers", "2"}}));
  EXPECT_FALSE(json["analysis"].contains("reason"));
}

TEST(JsonAndReport, SayTheSameAccuracies) {
  const Views views(converge_study());
  const Json& converge = views.json["analysis"];
  const Table& points = table_of(views.document, "points");
  for (const Json& point : converge["points"]) {
    const std::string name = "workers " + point["point"]["workers"].get<std::string>();
    EXPECT_EQ(cell_of(points, {name}, "final accuracy (%)"),
              significant_text(100 * point["final_accuracy"]["mean"].get<double>()));
    EXPECT_EQ(cell_of(points, {name}, "epochs to stable"), short_text(point["stable_epochs"]["mean"].get<double>()));
  }
  EXPECT_EQ(converge["target_first"], (Json{{{"workers", "2"}}}));
  EXPECT_THAT(words_of(section_of(views.document, "summary")), HasSubstr("first at 80.0 % = 10 s (workers 2)"));
}

}  // namespace
}  // namespace convoy::report
