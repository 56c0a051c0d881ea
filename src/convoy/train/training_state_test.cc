#include "convoy/train/training_state.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

// All fields have different values, among them thirds, which no decimal text represents exactly.
TrainingState state() {
  return {.step = 1234567890123,
          .epoch = {.steps = 2,
                    .metrics = {.samples = 300,
                                .right = 41,
                                .loss_sum = 1000.0 / 3,
                                .times = {.seconds = 1.0 / 3,
                                          .compute_seconds = 1.0 / 7,
                                          .input_wait_seconds = 1e-17 / 3,
                                          .exposed_communication_seconds = 1.0 / 11},
                                .cpu_seconds = 2.0 / 3,
                                .wire_bytes = 1e9 / 7},
                    .learning_rate = 0.1 / 3},
          .best = {.epoch = 5, .top1 = 2.0 / 7, .evaluations_since = 6},
          .elapsed_seconds = 1e6 / 7};
}

TEST(TrainingState, ComesBackToTheBit) {
  const TrainingState back = training_state_from_json(nlohmann::ordered_json::parse(to_json(state()).dump()));
  EXPECT_EQ(back.step, state().step);
  EXPECT_EQ(back.elapsed_seconds, state().elapsed_seconds);
  EXPECT_EQ(back.epoch.steps, state().epoch.steps);
  EXPECT_EQ(back.epoch.metrics.samples, state().epoch.metrics.samples);
  EXPECT_EQ(back.epoch.metrics.right, state().epoch.metrics.right);
  EXPECT_EQ(back.epoch.metrics.loss_sum, state().epoch.metrics.loss_sum);
  EXPECT_EQ(back.epoch.metrics.times, state().epoch.metrics.times);
  EXPECT_EQ(back.epoch.metrics.cpu_seconds, state().epoch.metrics.cpu_seconds);
  EXPECT_EQ(back.epoch.metrics.wire_bytes, state().epoch.metrics.wire_bytes);
  EXPECT_EQ(back.epoch.learning_rate, state().epoch.learning_rate);
  EXPECT_EQ(back.best.epoch, state().best.epoch);
  EXPECT_EQ(back.best.top1, state().best.top1);
  EXPECT_EQ(back.best.evaluations_since, state().best.evaluations_since);
}

// Checkpoints of older versions have these names.
TEST(TrainingState, KeepsTheNamesOnDisk) {
  std::vector<std::string> names;
  const auto json = to_json(state());
  for (const auto& [name, value] : json.at("epoch").items()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"steps", "rows", "right", "loss", "seconds", "compute_seconds",
                                             "input_wait_seconds", "exposed_communication_seconds", "cpu_seconds",
                                             "learning_rate", "wire_bytes"}));
}

TEST(TrainingState, NamesAFieldThatIsMissing) {
  const auto whole = to_json(state());
  for (const auto& [name, value] : whole.items()) {
    auto json = whole;
    json.erase(name);
    EXPECT_TRUE(throws_with<DataError>([&] { (void)training_state_from_json(json); }, "'" + name + "'"));
    if (!value.is_object()) continue;
    for (const auto& [inner, ignored] : value.items()) {
      json = whole;
      json[name].erase(inner);
      if (inner == "wire_bytes") {  // older versions did not count them
        EXPECT_EQ(training_state_from_json(json).epoch.metrics.wire_bytes, 0);
        continue;
      }
      EXPECT_TRUE(throws_with<DataError>([&] { (void)training_state_from_json(json); }, "'" + inner + "'"));
    }
  }
}

TEST(TrainingState, RefusesAFieldOfAnotherKind) {
  auto json = to_json(state());
  json["epoch"]["rows"] = "many";
  EXPECT_THROW((void)training_state_from_json(json), DataError);
  EXPECT_THROW((void)training_state_from_json(nlohmann::ordered_json::array({1, 2})), DataError);
  EXPECT_THROW((void)training_state_from_json({}), DataError);
}

}  // namespace
}  // namespace convoy
