#include "convoy/study/plan/study_spec.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::study {
namespace {

StudySpec full_spec() {
  return {.kind = StudyKind::sweep,
          .axes = {{"lr", {"0.1", "0.2"}}, {"workers", {"1", "2"}}},
          .settings = {{"model", "lenet"}, {"epochs", "4"}},
          .repeats = 3,
          .order_seed = 7,
          .random_points = 5,
          .halving = HalvingSpec{.first_epochs = 2, .eta = 3},
          .skipped_epochs = 2,
          .price = 0.5,
          .currency = "USD",
          .target_accuracy = 0.9,
          .stable_within = 0.01,
          .cores = 4,
          .command = {"convoy", "study", "sweep"}};
}

TEST(StudySpec, ComesBackFromJson) {
  const StudySpec spec = full_spec();
  const StudySpec back = study_spec_from(to_json(spec));
  EXPECT_EQ(to_json(back), to_json(spec));
  EXPECT_EQ(back.axes, spec.axes);
  EXPECT_EQ(back.halving, spec.halving);
  EXPECT_EQ(back.kind, StudyKind::sweep);
  EXPECT_FALSE(study_spec_from(to_json(StudySpec{})).halving);
}

TEST(StudySpec, IsTheSameHoweverItIsSpelt) {
  StudySpec other = full_spec();
  other.command = {"convoy", "study", "sweep", "--config", "x.toml"};
  other.predicted_sizes = {8, 16};
  EXPECT_EQ(study_spec_from(to_json(other)).predicted_sizes, other.predicted_sizes);
  EXPECT_TRUE(full_spec().same_runs(other));
  other.settings["epochs"] = "5";
  EXPECT_FALSE(full_spec().same_runs(other));
}

TEST(StudySpec, NamesWhatIsWrong) {
  nlohmann::ordered_json json = to_json(full_spec());
  json["kind"] = "scales";
  EXPECT_TRUE(throws_with<DataError>([&] { (void)study_spec_from(json); }, "scales"));
  json = to_json(full_spec());
  json.erase("repeats");
  EXPECT_TRUE(throws_with<DataError>([&] { (void)study_spec_from(json); }, "repeats"));
  json = to_json(full_spec());
  json["schema"] = 99;
  EXPECT_TRUE(throws_with<UserError>([&] { (void)study_spec_from(json); }, "99"));
}

TEST(StudySpec, NumbersThatCannotBeAreNamed) {
  for (const char* name : {"repeats", "random_points", "skipped_epochs", "price", "stable_within", "cores"}) {
    nlohmann::ordered_json json = to_json(full_spec());
    json[name] = -1;
    EXPECT_TRUE(throws_with<DataError>([&] { (void)study_spec_from(json); }, name));
  }
  nlohmann::ordered_json json = to_json(full_spec());
  json["halving"]["eta"] = 1;
  EXPECT_TRUE(throws_with<DataError>([&] { (void)study_spec_from(json); }, "eta"));
}

TEST(StudySpec, SettingsThatAreCountedAreNumbersButInImports) {
  StudySpec spec = full_spec();
  spec.settings["epochs"] = "four";
  EXPECT_TRUE(throws_with<DataError>([&] { (void)study_spec_from(to_json(spec)); },
                                     "'epochs' must be a whole number, got 'four'"));
  spec = full_spec();
  spec.axes[1].values = {"1", "unknown"};
  EXPECT_TRUE(
      throws_with<DataError>([&] { (void)study_spec_from(to_json(spec)); }, "'workers' must be a whole number"));
  spec.kind = StudyKind::imported;
  EXPECT_NO_THROW((void)study_spec_from(to_json(spec))) << "logs may not say it";
}

TEST(StudyKinds, HasARowForEachKindUnderItsName) {
  for (const auto kind :
       {StudyKind::scale, StudyKind::batch, StudyKind::sweep, StudyKind::converge, StudyKind::imported}) {
    const KindRow& row = kind_row(kind);
    EXPECT_EQ(row.kind, kind);
    EXPECT_EQ(to_text(kind), row.name);
    EXPECT_EQ(kind_named(row.name), &row);
    EXPECT_FALSE(row.title.empty());
  }
  EXPECT_EQ(kind_named("imported"), nullptr) << "the command is called import";
}

TEST(StudyKinds, ThroughputIsMeasuredInOneGo) {
  EXPECT_FALSE(kind_row(StudyKind::scale).resumable);
  EXPECT_FALSE(kind_row(StudyKind::batch).resumable);
  EXPECT_TRUE(kind_row(StudyKind::sweep).resumable);
  EXPECT_TRUE(kind_row(StudyKind::converge).resumable);
}

}  // namespace

}  // namespace convoy::study
