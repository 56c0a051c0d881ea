// What a training writes for TensorBoard and Prometheus while it runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "convoy/base/file/input_file.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/exchange/tensorboard/event_reader.h"
#include "convoy/run/live_curves.h"
#include "convoy/run/metrics_file.h"
#include "convoy/train/small_training_test.h"

namespace convoy {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class MonitoringTest : public TemporaryFolder {
 protected:
  [[nodiscard]] Events events() const {
    Events all;
    for (const std::string& name : names(folder_ / "curves")) {
      all = read_events(read_file(folder_ / "curves" / name), name, std::move(all));
    }
    return all;
  }
  [[nodiscard]] std::string metrics() const { return read_file(folder_ / "run.prom"); }
};

// Records the contents of the metrics file after each step.
struct Reader : Observer {
  explicit Reader(std::filesystem::path of) : path(std::move(of)) {}
  void on_step(const Trainer& /*trainer*/, const StepEvent& /*event*/) override { seen.push_back(read_file(path)); }
  std::filesystem::path path;
  std::vector<std::string> seen;
};

TEST_F(MonitoringTest, CurvesHaveEveryStepAndEpoch) {
  SmallTraining training({.epochs = 2, .batch = 16});
  LiveCurves curves(folder_ / "curves", std::vector<HyperParameter>{{"lr", 0.1}}, 0, 2);
  training.trainer.add(curves);
  (void)training.trainer.run();
  std::map<std::string, std::vector<std::int64_t>> steps;
  for (const EventPoint& point : events().points) steps[point.tag].push_back(point.step);
  EXPECT_EQ(steps["step/loss"], (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(steps["accuracy/test"], (std::vector<std::int64_t>{4, 8}));
  EXPECT_EQ(steps["step/gradient_norm"], std::vector<std::int64_t>{1}) << "it is looked at now and then";
  const std::string bytes = read_file(folder_ / "curves" / *names(folder_ / "curves").begin());
  EXPECT_THAT(bytes, HasSubstr("weights/conv1.weight"));
}

TEST_F(MonitoringTest, CurvesOfARunThatGoesOnTakeBackWhatWasLost) {
  for (const std::int64_t first_step : {0, 4}) {
    SmallTraining training({.epochs = 2, .batch = 16});
    training.trainer.set_state({.step = first_step});
    LiveCurves curves(folder_ / "curves", {}, first_step, 0);
    training.trainer.add(curves);
    (void)training.trainer.run();
  }
  std::vector<std::int64_t> steps;
  for (const EventPoint& point : events().points) {
    if (point.tag == "step/loss") steps.push_back(point.step);
  }
  EXPECT_EQ(steps, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST_F(MonitoringTest, MetricsAreRenewedAndSayHowItEnded) {
  SmallTraining training({.epochs = 2, .batch = 16});
  MetricsFile file(folder_ / "run.prom", {{"run", "first"}}, 2, training.trainer.total_steps(), 0);
  EXPECT_THAT(metrics(), HasSubstr("convoy_run_info{run=\"first\"} 1\n"));
  EXPECT_THAT(metrics(), Not(HasSubstr("convoy_step_loss"))) << "there was no step yet";
  Reader reader(folder_ / "run.prom");
  training.trainer.add(file);
  training.trainer.add(reader);
  (void)training.trainer.run();
  ASSERT_EQ(reader.seen.size(), 8);
  EXPECT_THAT(reader.seen[2], HasSubstr("convoy_step 3\n"));
  EXPECT_THAT(reader.seen[2], HasSubstr("convoy_status{state=\"running\"} 1\n"));
  EXPECT_THAT(reader.seen[2], HasSubstr("convoy_gradient_norm "));
  EXPECT_THAT(metrics(), HasSubstr("convoy_status{state=\"running\"} 0\nconvoy_status{state=\"completed\"} 1\n"));
  EXPECT_THAT(metrics(), HasSubstr("convoy_test_accuracy_ratio "));
  EXPECT_THAT(metrics(), HasSubstr("convoy_steps_planned 8\n"));
  EXPECT_EQ(names(folder_), std::set<std::string>{"run.prom"}) << "nothing is left beside it";
}

TEST_F(MonitoringTest, MetricsAreNotWrittenMoreOftenThanAskedFor) {
  SmallTraining training({.epochs = 2, .batch = 16, .evaluate_every = 0});
  MetricsFile file(folder_ / "run.prom", {}, 2, 8, std::numeric_limits<double>::infinity());
  Reader reader(folder_ / "run.prom");
  training.trainer.add(file);
  training.trainer.add(reader);
  (void)training.trainer.run();
  EXPECT_THAT(reader.seen[3], HasSubstr("convoy_step 0\n"));
  EXPECT_THAT(reader.seen[4], HasSubstr("convoy_step 4\n")) << "an epoch ended";
}

}  // namespace
}  // namespace convoy
