// LARS and LAMB against naive twins, written from the papers in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/optim/optimizer.h"
#include "convoy/optim/random_floats_test.h"

namespace convoy {
namespace {

constexpr std::size_t kArena = 40000;
constexpr double kDecay = 0.01;

// Two layers that decay, one whose weights are zero, and elements between them that belong to no layer.
const std::vector<ArenaSlice> kLayers = {{100, 900}, {1008, 30000}, {35000, 1000}};

std::vector<DecayRange> decaying() {
  std::vector<DecayRange> ranges;
  for (const ArenaSlice& layer : kLayers) ranges.push_back({layer.offset, layer.count});
  return ranges;
}

std::vector<float> first_parameters() {
  std::vector<float> parameters = random_floats(kArena, 1);
  std::fill_n(parameters.begin() + 35000, 1000, 0.0F);
  return parameters;
}

const ArenaSlice* layer_of(std::size_t i) {
  for (const ArenaSlice& layer : kLayers) {
    if (i >= layer.offset && i < layer.end()) return &layer;
  }
  return nullptr;
}

double norm(const std::vector<double>& values, const ArenaSlice& slice) {
  double squares = 0;
  for (std::size_t i = slice.offset; i < slice.end(); ++i) squares += values[i] * values[i];
  return std::sqrt(squares);
}

class NaiveLayerwise {
 public:
  explicit NaiveLayerwise(OptimizerKind kind) : kind_(kind), first_(kArena), second_(kArena) {
    const std::vector<float> start = first_parameters();
    p.assign(start.begin(), start.end());
  }

  void step(double rate, const std::vector<float>& gradients, double scale) {
    ++steps_;
    std::vector<double> g(gradients.begin(), gradients.end());
    for (double& value : g) value *= scale;
    kind_ == OptimizerKind::lars ? lars(rate, g) : lamb(rate, g);
  }

  std::vector<double> p;

 private:
  void lars(double rate, const std::vector<double>& g) {
    const std::vector<double> before = p;
    for (std::size_t i = 0; i < kArena; ++i) {
      const ArenaSlice* const layer = layer_of(i);
      double own = rate;
      if (layer != nullptr && norm(before, *layer) > 0) own *= ratio(before, g, *layer);
      first_[i] = 0.9 * first_[i] + own * (g[i] + (layer == nullptr ? 0 : kDecay) * before[i]);
      p[i] = before[i] - first_[i];
    }
  }

  // Computed once per layer and step: the result for the last layer is remembered.
  double ratio(const std::vector<double>& w, const std::vector<double>& g, const ArenaSlice& layer) {
    if (last_ != &layer || last_step_ != steps_) {
      last_ = &layer;
      last_step_ = steps_;
      ratio_ = 0.01 * norm(w, layer) / (norm(g, layer) + kDecay * norm(w, layer));
    }
    return ratio_;
  }

  void lamb(double rate, const std::vector<double>& g) {
    std::vector<double> r(kArena);
    for (std::size_t i = 0; i < kArena; ++i) {
      first_[i] = 0.9 * first_[i] + 0.1 * g[i];
      second_[i] = 0.999 * second_[i] + 0.001 * g[i] * g[i];
      const double mean = first_[i] / (1 - std::pow(0.9, steps_));
      const double square = second_[i] / (1 - std::pow(0.999, steps_));
      r[i] = mean / (std::sqrt(square) + 1e-6) + (layer_of(i) == nullptr ? 0 : kDecay) * p[i];
    }
    std::vector<double> rates(kArena, rate);
    for (const ArenaSlice& layer : kLayers) {
      const double weights = norm(p, layer);
      if (weights == 0) continue;
      const double own = rate * weights / norm(r, layer);
      for (std::size_t i = layer.offset; i < layer.end(); ++i) rates[i] = own;
    }
    for (std::size_t i = 0; i < kArena; ++i) p[i] -= rates[i] * r[i];
  }

  OptimizerKind kind_;
  std::vector<double> first_;
  std::vector<double> second_;
  int steps_ = 0;
  const ArenaSlice* last_ = nullptr;
  int last_step_ = 0;
  double ratio_ = 0;
};

std::unique_ptr<Optimizer> make(OptimizerKind kind) {
  return make_optimizer({.kind = kind, .weight_decay = kDecay}, kArena, decaying(), kLayers);
}

// `cuts` says where slices begin, apart from the one at 0.
void take_step(Optimizer& optimizer, double rate, std::vector<float>& parameters, const std::vector<float>& gradients,
               std::vector<std::size_t> cuts, float scale) {
  optimizer.begin_step(rate);
  cuts.insert(cuts.begin(), 0);
  cuts.push_back(kArena);
  const auto each = [&](auto&& use) {
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      const std::size_t count = cuts[i + 1] - cuts[i];
      use(cuts[i], std::span(parameters).subspan(cuts[i], count), std::span(gradients).subspan(cuts[i], count));
    }
  };
  each([&](std::size_t offset, auto p, auto g) { optimizer.measure(offset, p, g, scale); });
  each([&](std::size_t offset, auto p, auto g) { optimizer.update(offset, p, g, scale); });
}

TEST(Layerwise, IsWhatThePapersSay) {
  for (const OptimizerKind kind : {OptimizerKind::lars, OptimizerKind::lamb}) {
    const auto optimizer = make(kind);
    NaiveLayerwise naive(kind);
    std::vector<float> parameters = first_parameters();
    for (std::uint64_t step = 0; step < 5; ++step) {
      const std::vector<float> gradients = random_floats(kArena, 10 + step);
      take_step(*optimizer, 0.05, parameters, gradients, {}, 0.5F);
      naive.step(0.05, gradients, 0.5);
      for (std::size_t i = 0; i < kArena; ++i) {
        ASSERT_NEAR(parameters[i], naive.p[i], 2e-5 * (1 + std::abs(naive.p[i])))
            << optimizer_names()[static_cast<std::size_t>(kind)] << ", step " << step << ", element " << i;
      }
    }
  }
}

TEST(Layerwise, CutsShowInTheLastBitsOfNormsOnly) {
  for (const OptimizerKind kind : {OptimizerKind::lars, OptimizerKind::lamb}) {
    const auto whole = make(kind);
    const auto cut = make(kind);
    std::vector<float> a = first_parameters();
    std::vector<float> b = a;
    for (std::uint64_t step = 0; step < 3; ++step) {
      const std::vector<float> gradients = random_floats(kArena, 10 + step);
      take_step(*whole, 0.05, a, gradients, {}, 1);
      take_step(*cut, 0.05, b, gradients, {7, 500, 20000, 35010}, 1);
      for (std::size_t i = 0; i < whole->squares().size(); ++i) {
        EXPECT_NEAR(whole->squares()[i], cut->squares()[i], 1e-13 * whole->squares()[i]);
      }
    }
    for (std::size_t i = 0; i < kArena; ++i) ASSERT_NEAR(a[i], b[i], 1e-6F * (1 + std::abs(a[i])));
  }
}

// Two owners each measure their own part; with the sums of both they update as a single owner would.
TEST(Layerwise, OwnersOfPartsShareTheirSquares) {
  for (const OptimizerKind kind : {OptimizerKind::lars, OptimizerKind::lamb}) {
    const auto alone = make(kind);
    const std::vector<std::unique_ptr<Optimizer>> owners = [&] {
      std::vector<std::unique_ptr<Optimizer>> made;
      made.push_back(make(kind));
      made.push_back(make(kind));
      return made;
    }();
    constexpr std::size_t kBorder = 17000;
    const std::vector<float> gradients = random_floats(kArena, 5);
    std::vector<float> expected = first_parameters();
    std::vector<float> parameters = expected;
    take_step(*alone, 0.05, expected, gradients, {kBorder}, 1);
    const auto part = [&](std::size_t owner, auto& of) {
      return owner == 0 ? std::span(of).first(kBorder) : std::span(of).subspan(kBorder);
    };
    for (std::size_t i = 0; i < 2; ++i) {
      owners[i]->begin_step(0.05);
      owners[i]->measure(i * kBorder, part(i, parameters), part(i, gradients));
    }
    for (std::size_t i = 0; i < alone->squares().size(); ++i) {
      owners[0]->squares()[i] += owners[1]->squares()[i];
      owners[1]->squares()[i] = owners[0]->squares()[i];
    }
    for (std::size_t i = 0; i < 2; ++i) owners[i]->update(i * kBorder, part(i, parameters), part(i, gradients));
    EXPECT_EQ(parameters, expected);
  }
}

TEST(Layerwise, MeasuresBeforeItUpdates) {
  const auto optimizer = make(OptimizerKind::lars);
  std::vector<float> parameters = first_parameters();
  const std::vector<float> gradients(kArena, 1.0F);
  optimizer->begin_step(0.1);
  EXPECT_TRUE(throws_with<UserError>([&] { optimizer->update(0, parameters, gradients); }, "measure()"));
  EXPECT_EQ(optimizer->squares().size(), 6U);
  const auto element_wise = make_optimizer({.kind = OptimizerKind::adam}, kArena, decaying(), kLayers);
  EXPECT_TRUE(element_wise->squares().empty());
}

}  // namespace
}  // namespace convoy
