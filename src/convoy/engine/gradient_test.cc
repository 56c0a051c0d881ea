// Compares gradients of whole networks with slopes of the loss that the networks themselves compute.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "convoy/engine/network.h"
#include "convoy/engine/random_graph_test.h"
#include "convoy/engine/small_networks_test.h"
#include "convoy/engine/untuned_test.h"

namespace convoy {
namespace {

// The loss is accurate to about 1e-7 of itself, so a step must change it by much more than that. But the loss is
// curved, in some places sharply, so the step must not be large. A right gradient matches for one of these steps, a
// wrong one for none.
constexpr double kSteps[] = {4e-3, 1e-3, 2.5e-4};
constexpr double kTolerance = 0.02;

class SlopeCheck {
 public:
  SlopeCheck(const Graph& graph, std::uint64_t seed, const std::set<std::string>& frozen = {})
      : choices_(untuned(graph)),
        network_(graph, {.batch = 6, .threads = 2, .exact = true, .choices = &choices_, .frozen = frozen}),
        seed_(seed) {
    fill_parameters(network_, seed);
    fill_statistics(network_, seed);
    fill_batch(network_, seed);
    loss();
    network_.backward();
    gradients_ = plain_gradients(network_);
    for (const auto& gradient : gradients_) {
      total_ += std::inner_product(gradient.begin(), gradient.end(), gradient.begin(), 0.0);
    }
    total_ = std::sqrt(total_);
  }

  // For each parameter, along its gradient and along a random direction, the slope must be the component of the
  // gradient.
  void expect_slopes() {
    for (std::size_t i = 0; i < gradients_.size(); ++i) {
      const auto& gradient = gradients_[i];
      if (gradient.empty()) {
        continue;
      }
      const double length = std::sqrt(std::inner_product(gradient.begin(), gradient.end(), gradient.begin(), 0.0));
      if (length > 0) {
        expect_slope(i, [&](std::size_t k) { return gradient[k] / length; });
      }
      Rng rng(seed_, i);
      const double scale = 1 / std::sqrt(static_cast<double>(gradient.size()));
      expect_slope(i, [&](std::size_t) { return scale * rng.normal(); });
    }
  }

  [[nodiscard]] double gradient_length() const { return total_; }

 private:
  double loss() {
    network_.forward({.seed = seed_, .step = 3, .gradient_scale = 0.0F});
    return network_.loss();
  }

  double loss_at(int index, const std::vector<float>& middle, const std::vector<double>& direction, double step) {
    std::vector<float> moved(middle.size());
    for (std::size_t k = 0; k < middle.size(); ++k) {
      moved[k] = static_cast<float>(middle[k] + step * direction[k]);
    }
    network_.parameters().set_parameter(index, moved);
    return loss();
  }

  void expect_slope(std::size_t parameter, const std::function<double(std::size_t)>& element) {
    const auto index = static_cast<int>(parameter);
    const auto middle = network_.parameters().plain_parameter(index);
    std::vector<double> direction(middle.size());
    double expected = 0;
    for (std::size_t k = 0; k < direction.size(); ++k) {
      direction[k] = element(k);
      expected += direction[k] * gradients_[parameter][k];
    }
    double slope = 0;
    const double allowed = kTolerance * std::abs(expected) + 2e-3 * total_;
    for (const double step : kSteps) {
      const double above = loss_at(index, middle, direction, step);
      const double below = loss_at(index, middle, direction, -step);
      slope = (above - below) / (2 * step);
      if (std::abs(slope - expected) <= allowed) {
        break;
      }
    }
    network_.parameters().set_parameter(index, middle);
    EXPECT_NEAR(slope, expected, allowed) << network_.parameters().table().entries[parameter].parameter.name;
  }

  Choices choices_;
  Network network_;
  std::uint64_t seed_;
  std::vector<std::vector<float>> gradients_;
  double total_ = 0;  // length of the whole gradient
};

class SmallNetworkGradient : public testing::TestWithParam<int> {};

TEST_P(SmallNetworkGradient, IsTheSlopeOfTheLoss) {
  const auto [name, graph] = small_networks()[static_cast<std::size_t>(GetParam())];
  SCOPED_TRACE(name);
  SlopeCheck check(graph, 17);
  EXPECT_GT(check.gradient_length(), 0.05);
  check.expect_slopes();
}

INSTANTIATE_TEST_SUITE_P(Each, SmallNetworkGradient, testing::Range(0, static_cast<int>(small_networks().size())));

TEST(Gradient, IsTheSlopeOfTheLossInGeneratedNetworks) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    SlopeCheck(random_graph(seed, 8), seed).expect_slopes();
  }
}

// With the running statistics the loss is a different function than with the batch's own.
TEST(Gradient, IsTheSlopeOfTheLossThroughFrozenBatchNorm) {
  const Graph graph = residual_network();
  std::set<std::string> batch_norms;
  std::set<std::string> middle;
  for (const Parameter& parameter : parameters_of(graph)) {
    const bool is_batch_norm = parameter.role == ParameterRole::scale || parameter.role == ParameterRole::shift;
    if (is_batch_norm) batch_norms.insert(parameter.name);
    if (is_batch_norm && parameter.name.starts_with("batch_norm3.")) middle.insert(parameter.name);
  }
  ASSERT_EQ(batch_norms.size(), 14U);
  ASSERT_EQ(middle.size(), 2U);
  SlopeCheck(graph, 17, batch_norms).expect_slopes();
  SlopeCheck(graph, 17, middle).expect_slopes();
}

TEST(Gradient, IsTheSlopeOfTheLossInFrozenNetworks) {
  for (std::uint64_t seed = 40; seed < 70; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = random_graph(seed, 8);
    SlopeCheck(graph, seed, random_frozen(graph, seed)).expect_slopes();
  }
}

TEST(Gradient, EveryOperatorIsInASmallNetwork) {
  std::set<std::size_t> seen;
  for (const auto& [name, graph] : small_networks()) {
    for (const Layer& layer : graph.layers()) {
      seen.insert(layer.op.index());
    }
  }
  EXPECT_EQ(seen.size(), std::variant_size_v<Operator>);
}

}  // namespace
}  // namespace convoy
