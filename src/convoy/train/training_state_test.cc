#include "convoy/train/training_state.h"

#include <nlohmann/json.hpp>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

// All fields differ, and thirds have no end in any text.
TrainingState state() {
  return {.step = 1234567890123,
          .epoch = {.steps = 2,
                    .rows = 300,
                    .right = 41,
                    .loss = 1000.0 / 3,
                    .seconds = 1.0 / 3,
                    .compute_seconds = 1.0 / 7,
                    .input_wait_seconds = 1e-17 / 3,
                    .cpu_seconds = 2.0 / 3,
                    .learning_rate = 0.1 / 3},
          .best = {.epoch = 5, .top1 = 2.0 / 7, .evaluations_since = 6},
          .elapsed_seconds = 1e6 / 7};
}

TEST(TrainingState, ComesBackToTheBit) {
  const TrainingState back = training_state_from_json(nlohmann::ordered_json::parse(to_json(state()).dump()));
  EXPECT_EQ(back.step, state().step);
  EXPECT_EQ(back.elapsed_seconds, state().elapsed_seconds);
  EXPECT_EQ(back.epoch.steps, state().epoch.steps);
  EXPECT_EQ(back.epoch.rows, state().epoch.rows);
  EXPECT_EQ(back.epoch.right, state().epoch.right);
  EXPECT_EQ(back.epoch.loss, state().epoch.loss);
  EXPECT_EQ(back.epoch.seconds, state().epoch.seconds);
  EXPECT_EQ(back.epoch.compute_seconds, state().epoch.compute_seconds);
  EXPECT_EQ(back.epoch.input_wait_seconds, state().epoch.input_wait_seconds);
  EXPECT_EQ(back.epoch.cpu_seconds, state().epoch.cpu_seconds);
  EXPECT_EQ(back.epoch.learning_rate, state().epoch.learning_rate);
  EXPECT_EQ(back.best.epoch, state().best.epoch);
  EXPECT_EQ(back.best.top1, state().best.top1);
  EXPECT_EQ(back.best.evaluations_since, state().best.evaluations_since);
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
