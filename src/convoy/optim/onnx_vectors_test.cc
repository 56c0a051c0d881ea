// ONNX's test vectors for its training operators (Debian: libonnx-testdata). Each of them is a first step, T = 0.
//
// Where ONNX's operators and Convoy's rules agree:
//   norm_coefficient is weight_decay of the kind that is added to the gradient.
//   Momentum: alpha is momentum. beta weighs the gradient after the first step only; in Convoy it is always 1.
//   Adam: alpha is beta1, beta is beta2.
// Where they differ: ONNX's Adam has no bias correction in step T = 0, later uses the power T instead of T + 1, and
// adds epsilon to the uncorrected root. After very many steps the corrections are exactly 1 and both agree, so the
// vectors are computed as such a step. ONNX's norm_coefficient_post, a decay after the step, is 0 here. The vectors of
// Adagrad are not used: Convoy does not have it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "convoy/optim/optimizer.h"
#include "convoy/optim/tensor_proto_test.h"

namespace convoy {
namespace {

struct Vector {
  std::string name;
  OptimizerOptions options;  // the attributes in model.onnx of the folder
  std::size_t tensors;       // how many are updated together

  friend std::ostream& operator<<(std::ostream& out, const Vector& v) { return out << v.name; }
};

const std::vector<Vector> kVectors = {
    {.name = "momentum",
     .options = {.kind = OptimizerKind::momentum, .momentum = 0.95, .weight_decay = 0.001},
     .tensors = 1},
    {.name = "momentum_multiple",
     .options = {.kind = OptimizerKind::momentum, .momentum = 0.95, .weight_decay = 0.001},
     .tensors = 2},
    {.name = "nesterov_momentum",
     .options = {.kind = OptimizerKind::nesterov, .momentum = 0.95, .weight_decay = 0.01},
     .tensors = 1},
    {.name = "adam",
     .options = {.kind = OptimizerKind::adam, .beta1 = 0.95, .beta2 = 0.1, .epsilon = 1e-7, .weight_decay = 0.001},
     .tensors = 1},
    // The model does not set epsilon, but the vectors were computed with this one.
    {.name = "adam_multiple",
     .options = {.kind = OptimizerKind::adam, .beta1 = 0.95, .beta2 = 0.85, .epsilon = 1e-2, .weight_decay = 0.001},
     .tensors = 2},
};

class OnnxVectors : public testing::TestWithParam<Vector> {
 protected:
  void SetUp() override {
    folder_ = "/usr/share/libonnx-testdata/data/node/test_" + GetParam().name + "/test_data_set_0";
    if (!std::filesystem::exists(folder_)) GTEST_SKIP() << folder_ << " is missing: apt install libonnx-testdata";
  }

  // All tensors from number `first` on, one after the other, as in an arena.
  [[nodiscard]] std::vector<float> arena(const std::string& kind, std::size_t first) const {
    std::vector<float> all;
    for (std::size_t i = 0; i < GetParam().tensors; ++i) {
      const auto tensor = tensor_proto<float>(folder_ / (kind + "_" + std::to_string(first + i) + ".pb"));
      all.insert(all.end(), tensor.begin(), tensor.end());
    }
    return all;
  }

  std::filesystem::path folder_;
};

INSTANTIATE_TEST_SUITE_P(All, OnnxVectors, testing::ValuesIn(kVectors),
                         [](const auto& tested) { return tested.param.name; });

void expect_near(std::span<const float> actual, const std::vector<float>& expected, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], 1e-6 * (1 + std::abs(expected[i]))) << what << " at " << i;
  }
}

// The inputs are the rate, T, then tensors, gradients and states; the outputs are tensors and states.
TEST_P(OnnxVectors, AreReproduced) {
  const std::size_t tensors = GetParam().tensors;
  const double rate = tensor_proto<float>(folder_ / "input_0.pb").at(0);
  ASSERT_EQ(tensor_proto<std::int64_t>(folder_ / "input_1.pb"), std::vector<std::int64_t>{0});
  std::vector<float> parameters = arena("input", 2);
  const auto optimizer = make_optimizer(GetParam().options, parameters.size());
  const auto states = optimizer->state();
  for (std::size_t i = 0; i < states.size(); ++i) {
    std::ranges::copy(arena("input", 2 + (2 + i) * tensors), states[i].values.begin());
  }
  optimizer->set_steps(1'000'000);
  optimizer->begin_step(rate);
  optimizer->update(0, parameters, arena("input", 2 + tensors));
  expect_near(parameters, arena("output", 0), "parameters");
  for (std::size_t i = 0; i < states.size(); ++i) {
    expect_near(states[i].values, arena("output", (1 + i) * tensors), states[i].name);
  }
}

}  // namespace
}  // namespace convoy
