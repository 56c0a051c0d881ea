// Trains for 50 steps with the Trainer and compares every loss with what PyTorch computed in double precision from the
// same data, weights and settings (make_curve_golden.py).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "convoy/data/permutation.h"
#include "convoy/data/source/memory_source.h"
#include "convoy/graph/initialisation.h"
#include "convoy/models/zoo.h"
#include "convoy/optim/schedule.h"
#include "convoy/train/trainer.h"
#include "hashed_numbers.h"

namespace convoy::parity {
namespace {

using Json = nlohmann::json;

constexpr int kClasses = 10;

// Relative. The golden files say how far PyTorch in single precision is from the same numbers.
constexpr double kLossTolerance = 1e-2;
constexpr double kWeightLengthTolerance = 2e-4;
constexpr double kScaleLengthTolerance = 2e-3;

Json golden(const std::string& model) {
  std::ifstream in(std::filesystem::path(CONVOY_GOLDEN_FOLDER) / fmt::format("curve_{}.json", model));
  return Json::parse(in);
}

std::uint32_t byte_of(std::string_view name, std::int64_t place) {
  return bits(name, static_cast<std::uint32_t>(place)) >> 24U;
}

// Appends an image of a class: half noise, half the class's own pattern of coarse pixels.
void append_image(const Json& settings, const std::string& name, std::int32_t label, data::Bytes& pixels) {
  const Shape shape(settings.at("input").get<std::vector<std::int64_t>>());
  const std::int64_t block = settings.at("block");
  const std::string pattern = fmt::format("pattern {}", label);
  for (std::int64_t i = 0; i < shape.count(); ++i) {
    const std::int64_t x = i % shape[2] / block;
    const std::int64_t y = i / shape[2] % shape[1] / block;
    const std::int64_t channel = i / (shape[1] * shape[2]);
    const std::int64_t coarse = (channel * (shape[1] / block) + y) * (shape[2] / block) + x;
    pixels.push_back(static_cast<std::uint8_t>((byte_of(name, i) + byte_of(pattern, coarse)) / 2));
  }
}

data::Samples samples(const Json& settings, const std::string& split) {
  data::Samples made;
  for (std::uint32_t i = 0; i < settings.at(split).get<std::uint32_t>(); ++i) {
    made.labels.push_back(static_cast<std::int32_t>(bits(split + " labels", i) % kClasses));
    append_image(settings, fmt::format("{} image {}", split, i), made.labels.back(), made.pixels);
  }
  return made;
}

data::MemorySource hashed_source(const Json& settings) {
  const Shape shape(settings.at("input").get<std::vector<std::int64_t>>());
  const auto channels = static_cast<std::size_t>(shape[0]);
  return {"hashed",
          shape,
          std::vector<std::string>(kClasses, "pattern"),
          samples(settings, "train"),
          samples(settings, "test"),
          {.mean = std::vector<float>(channels, settings.at("mean")),
           .deviation = std::vector<float>(channels, settings.at("deviation"))}};
}

TrainerOptions trainer_options(const Json& settings) {
  return {.epochs = settings.at("epochs"), .batch = settings.at("batch"), .seed = settings.at("seed")};
}

// The ranges of the weights: biases, and scales and shifts of batch norm, do not decay.
std::vector<DecayRange> weights_alone(const ParameterTable& table) {
  std::vector<DecayRange> ranges;
  for (const int index : table.readiness) {
    const ParameterEntry& entry = table.entries[static_cast<std::size_t>(index)];
    if (entry.parameter.role == ParameterRole::weight) ranges.push_back({entry.slice.offset, entry.slice.count});
  }
  return ranges;
}

std::unique_ptr<Optimizer> optimizer_for(const Json& settings, const ParameterTable& table) {
  const OptimizerOptions options = {.kind = optimizer_named(settings.at("optimizer").get<std::string>()),
                                    .weight_decay = settings.at("weight_decay")};
  return make_optimizer(options, table.trainable_floats, weights_alone(table));
}

// Weights come from the hash. Everything else has its usual first value, except for the last scales of residual
// branches (make_curve_golden.py says why).
void set_first_values(const Json& settings, const Graph& graph, ParameterStore& store) {
  store.initialise(graph, Initialiser::he_normal, 0);
  for (std::size_t i = 0; i < store.table().entries.size(); ++i) {
    const Parameter& parameter = store.table().entries[i].parameter;
    if (parameter.role == ParameterRole::weight) store.set_parameter(static_cast<int>(i), first_value(parameter));
    if (parameter.name.ends_with(".bn2.weight")) {
      const std::vector<float> scales(static_cast<std::size_t>(parameter.shape.count()), settings.at("branch"));
      store.set_parameter(static_cast<int>(i), scales);
    }
  }
}

struct Curve : Observer {
  void on_step(const Trainer& /*trainer*/, const StepEvent& event) override { losses.push_back(event.record.loss); }
  void on_epoch(const Trainer& /*trainer*/, const EpochEvent& event) override { tests.push_back(event.record); }

  std::vector<double> losses;
  std::vector<EpochRecord> tests;
};

double length_of(std::span<const float> values) {
  double squares = 0;
  for (const float x : values) squares += static_cast<double>(x) * x;
  return std::sqrt(squares);
}

class CurveTraining {
 public:
  CurveTraining(const std::string& model, bool exact)
      : golden_(golden(model)),
        source_(hashed_source(golden_)),
        graph_(build_model(model, {.input = source_.shape(), .classes = kClasses})),
        network_(graph_, {.batch = golden_.at("batch"), .threads = 2, .exact = exact}),
        evaluator_(graph_, source_, {.compile = {.batch = golden_.at("batch"), .threads = 2, .exact = exact}}),
        optimizer_(optimizer_for(golden_, network_.parameters().table())) {
    set_first_values(golden_, graph_, network_.parameters());
  }

  void run() {
    const TrainerOptions options = trainer_options(golden_);
    const auto steps = static_cast<std::int64_t>(golden_.at("losses").size());
    const Schedule schedule({.kind = ScheduleKind::cosine,
                             .learning_rate = golden_.at("rate"),
                             .steps = steps,
                             .warmup_steps = golden_.at("warmup")});
    Trainer trainer(
        {network_, *optimizer_, [&](std::int64_t step) { return schedule.learning_rate(step); }, source_, evaluator_},
        options);
    ASSERT_EQ(trainer.total_steps(), steps);
    trainer.add(curve_);
    (void)trainer.run();
  }

  void expect_losses() const {
    const auto expected = golden_.at("losses").get<std::vector<double>>();
    ASSERT_EQ(curve_.losses.size(), expected.size());
    EXPECT_LT(expected.back(), expected.front() / 3) << "there is little to compare in a curve that does not fall";
    double largest = 0;
    for (std::size_t step = 0; step < expected.size(); ++step) {
      EXPECT_NEAR(curve_.losses[step], expected[step], kLossTolerance * expected[step]) << "step " << step;
      largest = std::max(largest, std::abs(curve_.losses[step] / expected[step] - 1));
    }
    testing::Test::RecordProperty("largest_deviation_of_a_loss", fmt::format("{:.2g}", largest));
  }

  void expect_tests() const {
    const Json& expected = golden_.at("tests");
    ASSERT_EQ(curve_.tests.size(), expected.size());
    // A sample that lies between two classes may be counted for either.
    const double one_sample = 1.0 / golden_.at("test").get<double>();
    for (std::size_t epoch = 0; epoch < expected.size(); ++epoch) {
      const double loss = expected[epoch].at("loss");
      EXPECT_NEAR(curve_.tests[epoch].test_loss.value(), loss, kLossTolerance * loss) << "epoch " << epoch;
      EXPECT_NEAR(curve_.tests[epoch].test_top1.value(), expected[epoch].at("top1"), 1.5 * one_sample) << epoch;
    }
  }

  // Checks lengths of weights, and so weight decay: behind a batch norm, the loss does not depend on how long the
  // weights are.
  void expect_lengths() const {
    const ParameterStore& store = network_.parameters();
    for (const auto& [name, expected] : golden_.at("lengths").items()) {
      const int index = store.table().find(name);
      const ParameterRole role = store.table().entries.at(static_cast<std::size_t>(index)).parameter.role;
      const double tolerance = role == ParameterRole::weight ? kWeightLengthTolerance : kScaleLengthTolerance;
      const double length = expected.get<double>();
      EXPECT_NEAR(length_of(store.plain_parameter(index)), length, tolerance * length) << name;
    }
  }

 private:
  Json golden_;
  data::MemorySource source_;
  Graph graph_;
  Network network_;
  Evaluator evaluator_;
  std::unique_ptr<Optimizer> optimizer_;
  Curve curve_;
};

class TrainingCurve : public testing::TestWithParam<std::tuple<std::string, bool>> {};

TEST_P(TrainingCurve, FiftyStepsEqualPyTorchs) {
  const auto& [model, exact] = GetParam();
  CurveTraining training(model, exact);
  training.run();
  training.expect_losses();
  training.expect_tests();
  training.expect_lengths();
}

std::string case_name(const testing::TestParamInfo<TrainingCurve::ParamType>& parameters) {
  const auto& [model, exact] = parameters.param;
  return model + (exact ? "_exact" : "_default");
}

INSTANTIATE_TEST_SUITE_P(Models, TrainingCurve, testing::Combine(testing::Values("resnet20", "lenet"), testing::Bool()),
                         case_name);

// If the order of samples was changed but not the golden files, this says so; the curves above would only differ.
TEST(TrainingCurveOrder, IsTheOneOfTheGoldenFiles) {
  for (const std::string model : {"resnet20", "lenet"}) {
    const Json settings = golden(model);
    for (std::size_t epoch = 0; epoch < settings.at("first_samples").size(); ++epoch) {
      const data::Permutation order(settings.at("train"), settings.at("seed"), epoch);
      const Json& expected = settings.at("first_samples")[epoch];
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(order(static_cast<std::int64_t>(i)), expected[i].get<std::int64_t>()) << epoch << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace convoy::parity
