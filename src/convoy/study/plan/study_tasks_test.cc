#include "convoy/study/plan/study_tasks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include "convoy/base/error.h"
#include "convoy/base/odd_numbers_test.h"

namespace convoy::study {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Points = std::vector<HalvingPoint>;

TEST(Halving, RungsGrowByEtaUpToTheLast) {
  EXPECT_THAT(halving_rungs({.eta = 3, .first_epochs = 1, .last_epochs = 27}), ElementsAre(1, 3, 9, 27));
  EXPECT_THAT(halving_rungs({.eta = 2, .first_epochs = 2, .last_epochs = 9}), ElementsAre(2, 4, 8, 9));
  EXPECT_THAT(halving_rungs({.eta = 2, .first_epochs = 5, .last_epochs = 5}), ElementsAre(5));
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(halving_rungs({.eta = 2, .first_epochs = 1, .last_epochs = kMost}).back(), kMost);
}

TEST(Halving, ImpossibleRungsAreRefused) {
  EXPECT_THROW((void)halving_rungs({.eta = 1, .last_epochs = 2}), InternalError);
  EXPECT_THROW((void)halving_rungs({.first_epochs = 3, .last_epochs = 2}), InternalError);
}

TEST(Halving, TheBestThirdGoesOn) {
  const Points points = {{0, 5}, {0, 1}, {0, 4}, {0, 2}, {0, 3}, {0, 6}, {0, 7}};
  EXPECT_THAT(halving_survivors(points, 3), ElementsAre(1, 3));
  EXPECT_THAT(halving_survivors(points, 2), ElementsAre(1, 3, 4));
}

TEST(Halving, OneAlwaysGoesOn) {
  EXPECT_THAT(halving_survivors(Points{{0, 5}, {0, 1}}, 3), ElementsAre(1));
  EXPECT_THAT(halving_survivors(Points{}, 3), IsEmpty());
}

TEST(Halving, OfEqualsTheFirst) {
  EXPECT_THAT(halving_survivors(Points{{0, 2}, {0, 1}, {0, 1}, {0, 1}}, 2), ElementsAre(1, 2));
}

TEST(Halving, GroupsAreCutEachByItself) {
  // All points of the second group are worse than all of the first.
  const Points points = {{1, 1}, {8, 11}, {1, 2}, {8, 10}, {1, 3}, {1, 4}};
  EXPECT_THAT(halving_survivors(points, 2), ElementsAre(0, 2, 3));
}

TEST(Halving, WhatDivergedNeverGoesOn) {
  // Two of the four should go on, but only one can.
  EXPECT_THAT(halving_survivors(Points{{0, kNan}, {0, kNan}, {0, 9}, {0, kNan}}, 2), ElementsAre(2));
  EXPECT_THAT(halving_survivors(Points{{1, kNan}, {2, 3}}, 2), ElementsAre(1));
}

// An imagined study whose runs end as the test decides.
class Imagined {
 public:
  explicit Imagined(StudySpec spec) : spec_(std::move(spec)), plan_(plan_runs(spec_)) {}

  [[nodiscard]] std::vector<Task> next() const {
    return next_tasks(spec_, plan_,
                      {.outcome =
                           [this](const std::string& id) {
                             const auto found = outcomes_.find(id);
                             return found == outcomes_.end() ? nullptr : &found->second;
                           },
                       .loss = [this](const std::string& id, std::int64_t epoch) -> std::optional<double> {
                         if (outcomes_.at(id).exit_code != 0 || outcomes_.at(id).epochs < epoch) return std::nullopt;
                         return losses_.at(id);
                       }});
  }
  void end(const Task& task, double loss, int exit_code = 0) {
    outcomes_[task.run.id] = {.run = task.run, .epochs = task.epochs, .exit_code = exit_code};
    losses_[task.run.id] = loss;
  }

 private:
  StudySpec spec_;
  std::vector<PlannedRun> plan_;
  std::map<std::string, RunOutcome> outcomes_;
  std::map<std::string, double> losses_;
};

StudySpec sweep(std::optional<HalvingSpec> halving, int repeats = 1) {
  return {.kind = StudyKind::sweep,
          .axes = {{"lr", {"1", "2", "3", "4"}}, {"workers", {"1", "2"}}},
          .settings = {{"epochs", "4"}},
          .repeats = repeats,
          .halving = halving,
          .cores = 2};
}

double rate_of(const Task& task) { return std::stod(task.run.point.at("lr")); }

TEST(StudyTasks, AreAllRunsThatHaveNotEnded) {
  Imagined study(sweep(std::nullopt));
  const auto all = study.next();
  ASSERT_EQ(all.size(), 8U);
  for (const Task& task : all) EXPECT_EQ(task.epochs, 4);
  study.end(all[0], 1);
  study.end(all[3], 1, 4);
  auto left = study.next();
  ASSERT_EQ(left.size(), 6U) << "what failed is not tried again";
  EXPECT_EQ(left[0], all[1]);
  for (const Task& task : left) study.end(task, 1);
  EXPECT_TRUE(study.next().empty());
}

TEST(StudyTasks, GiveUpTheWorseHalfForEachNumberOfWorkers) {
  Imagined study(sweep(HalvingSpec{.first_epochs = 1, .eta = 2}));
  std::vector<std::size_t> sizes;
  std::vector<std::int64_t> epochs;
  std::vector<Task> last;
  for (auto tasks = study.next(); !tasks.empty(); tasks = study.next()) {
    sizes.push_back(tasks.size());
    epochs.push_back(tasks.front().epochs);
    for (const Task& task : tasks) study.end(task, rate_of(task));
    last = tasks;
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{8, 4, 2}));
  EXPECT_EQ(epochs, (std::vector<std::int64_t>{1, 2, 4}));
  ASSERT_EQ(last.size(), 2U);
  EXPECT_EQ(rate_of(last[0]), 1);
  EXPECT_EQ(rate_of(last[1]), 1);
  EXPECT_NE(last[0].run.point.at("workers"), last[1].run.point.at("workers"));
}

TEST(StudyTasks, KeepAllRunsOfAPointOrNone) {
  Imagined study(sweep(HalvingSpec{.first_epochs = 1, .eta = 2}, 2));
  for (const Task& task : study.next()) {
    // The first run of rate 1 is the best of all, but its second one is hopeless.
    const bool hopeless = rate_of(task) == 1 && task.run.repeat == 2;
    study.end(task, hopeless ? 100 : rate_of(task));
  }
  const auto second = study.next();
  ASSERT_EQ(second.size(), 8U);
  for (const Task& task : second) EXPECT_TRUE(rate_of(task) == 2 || rate_of(task) == 3) << rate_of(task);
}

TEST(StudyTasks, RunsThatFailedAreGivenUpFirst) {
  Imagined study(sweep(HalvingSpec{.first_epochs = 1, .eta = 2}));
  for (const Task& task : study.next()) study.end(task, rate_of(task), rate_of(task) == 1 ? 4 : 0);
  std::set<double> left;
  for (const Task& task : study.next()) left.insert(rate_of(task));
  EXPECT_EQ(left, (std::set<double>{2, 3}));
}

}  // namespace

}  // namespace convoy::study
