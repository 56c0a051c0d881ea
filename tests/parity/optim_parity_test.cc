// Ten steps of every element-wise optimizer and every rate of the schedules, compared with what PyTorch computed in
// double precision (make_optim_golden.py).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "convoy/optim/element_wise_test.h"
#include "convoy/optim/optimizer.h"
#include "convoy/optim/schedule.h"
#include "hashed_numbers.h"

namespace convoy::parity {
namespace {

using Json = nlohmann::json;

// Absolute, as the numbers are about 1. Ten roundings in single precision add up to 1e-6.
constexpr double kParameterTolerance = 3e-6;
constexpr double kRateTolerance = 1e-8;

Json golden(const std::string& file) {
  std::ifstream in(std::filesystem::path(CONVOY_GOLDEN_FOLDER) / (file + ".json"));
  return Json::parse(in);
}

class OptimizerParity : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Kinds, OptimizerParity, testing::ValuesIn(element_wise_names()),
                         [](const auto& tested) { return tested.param; });

TEST_P(OptimizerParity, TenStepsEqualPyTorchs) {
  const Json expected = golden("optimizers").at(GetParam());
  const std::size_t count = expected.at("parameters")[0].size();
  std::vector<float> parameters = noise("parameters", count);
  const std::vector<DecayRange> decaying = {{.offset = 0, .count = expected.at("decaying")}};
  const OptimizerOptions options = {.kind = optimizer_named(GetParam()), .weight_decay = expected.at("weight_decay")};
  const auto optimizer = make_optimizer(options, count, decaying);
  for (std::size_t step = 0; step < expected.at("rates").size(); ++step) {
    optimizer->begin_step(expected.at("rates")[step]);
    optimizer->update(0, parameters, noise(fmt::format("gradients {}", step), count));
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_NEAR(parameters[i], expected.at("parameters")[step][i].get<double>(), kParameterTolerance)
          << "step " << step << ", parameter " << i;
    }
  }
}

ScheduleOptions schedule_options(const Json& json) {
  ScheduleOptions options;
  options.kind = schedule_named(json.at("kind").get<std::string>());
  options.learning_rate = json.at("rate");
  options.steps = json.at("steps");
  options.warmup_steps = json.value("warmup_steps", options.warmup_steps);
  options.milestones = json.value("milestones", options.milestones);
  options.every = json.value("every", options.every);
  options.factor = json.value("factor", options.factor);
  options.final_fraction = json.value("final_fraction", options.final_fraction);
  options.power = json.value("power", options.power);
  options.start_divisor = json.value("start_divisor", options.start_divisor);
  options.end_divisor = json.value("end_divisor", options.end_divisor);
  options.rise_fraction = json.value("rise_fraction", options.rise_fraction);
  return options;
}

TEST(ScheduleParity, EveryRateEqualsPyTorchs) {
  const Json all = golden("schedules");
  EXPECT_EQ(all.size(), 7U);
  for (const auto& [name, expected] : all.items()) {
    const Schedule schedule(schedule_options(expected));
    const auto rates = expected.at("rates").get<std::vector<double>>();
    ASSERT_EQ(rates.size(), static_cast<std::size_t>(schedule.options().steps));
    for (std::size_t step = 0; step < rates.size(); ++step) {
      EXPECT_NEAR(schedule.learning_rate(static_cast<std::int64_t>(step)), rates[step], kRateTolerance)
          << name << " " << step;
    }
  }
}

}  // namespace
}  // namespace convoy::parity
