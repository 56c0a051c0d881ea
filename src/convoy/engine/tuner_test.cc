#include "convoy/engine/tuner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/cpu_times.h"

namespace convoy {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const kernels::DenseProblem kProduct{.batch = 1024, .in_channels = 1024, .out = 1024, .bias = false};
const KernelChoice kOld{.forward = "old", .backward_data = "old", .backward_weights = "old"};

// Others that always use `share` of all cores.
OthersClock others_with(double share) {
  return [=] {
    static const auto cores = static_cast<double>(allowed_cpu_ids().size());
    return std::optional(share * cores * seconds_between(Clock::time_point(), Clock::now()));
  };
}

// Real races, but for what they say of their own times: nobody knows what this machine does meanwhile.
RaceKernels races_that_are(bool settled) {
  return [=](Stopwatch& stopwatch, const std::vector<kernels::PreparedPtr>& entrants) {
    RaceTimes times = stopwatch.race(entrants);
    times.settled = settled;
    return times;
  };
}

// The implementation that the choice names for the entrant's pass.
const std::string& name_in(const KernelChoice& choice, const kernels::Prepared& entrant) {
  if (!entrant.layout(kernels::Role::destination).empty()) return choice.forward;
  if (!entrant.layout(kernels::Role::diff_source).empty()) return choice.backward_data;
  return choice.backward_weights;
}

class TunerTest : public testing::Test {
 protected:
  // Tunes one layer and returns the entry that the cache has for it.
  TunedChoice tune(TuningCache& cache, const OthersClock& others, const RaceKernels& race = races_that_are(true)) {
    Tuner tuner(device_, cache, "here", {others, race});
    (void)tuner.choose(site("dense 1024"), std::nullopt, {});
    tuner.note_disturbance();
    return cache.find(kKey).value();
  }

  // Tunes two layers in one compilation.
  void tune_two(TuningCache& cache, const OthersClock& others) {
    Tuner tuner(device_, cache, "here", {others, races_that_are(true)});
    for (const char* problem : {"dense 1024", "another"}) (void)tuner.choose(site(problem), std::nullopt, {});
  }

  [[nodiscard]] LayerSite site(const std::string& problem) const {
    return {.layer = "dense",
            .problem = problem,
            .candidates = [this](kernels::Pass pass) { return kernels::candidates(device_, kProduct, pass); },
            .source = kernels::Layout::plain({1024, 1024}),
            .destination = kernels::Layout::plain({1024, 1024})};
  }

  static constexpr const char* kKey = "here | dense 1024 | source ab training";
  static constexpr const char* kOtherKey = "here | another | source ab training";
  kernels::Device device_{1};
};

TEST_F(TunerTest, ARaceOnAQuietMachineIsFinal) {
  TuningCache cache;
  const TunedChoice found = tune(cache, others_with(0));
  EXPECT_FALSE(found.provisional);
  EXPECT_THAT(cache.notes(), IsEmpty());
}

TEST_F(TunerTest, ARaceAgainstOthersIsProvisionalAndSaysSo) {
  TuningCache cache;
  const TunedChoice found = tune(cache, others_with(0.5));
  EXPECT_TRUE(found.provisional);
  EXPECT_THAT(cache.notes(), ElementsAre(AllOf(HasSubstr("kernels of 1 layer were chosen"), HasSubstr("50 %"))));
}

TEST_F(TunerTest, ARaceWhoseTimesDoNotAgreeIsProvisionalAndSaysSo) {
  TuningCache cache;
  EXPECT_TRUE(tune(cache, others_with(0), races_that_are(false)).provisional);
  EXPECT_THAT(cache.notes(), ElementsAre(AllOf(HasSubstr("kernels of 1 layer were chosen"), HasSubstr("varied"))));
}

TEST_F(TunerTest, ALayerWithATrialIsItselfNotTimed) {
  TuningCache cache;
  Tuner tuner(device_, cache, "here", {others_with(0), races_that_are(true)});
  std::vector<kernels::Pass> tried;
  LayerSite small = site("dense 8");
  small.candidates = [&](kernels::Pass pass) {
    tried.push_back(pass);
    return kernels::candidates(device_, {.batch = 8, .in_channels = 8, .out = 8, .bias = false}, pass);
  };
  small.source = small.destination = kernels::Layout::plain({8, 8});
  LayerSite large = site("dense 1024");
  large.trial = std::make_shared<LayerSite>(small);
  const LayerKernels layer = tuner.choose(large, std::nullopt, {});
  EXPECT_THAT(tried,
              ElementsAre(kernels::Pass::forward, kernels::Pass::backward_data, kernels::Pass::backward_weights));
  EXPECT_EQ(layer.forward->layout(kernels::Role::destination), large.destination);
  EXPECT_EQ(cache.find(kKey)->kernels, layer.choice) << "the choice is kept as that of the layer";
}

TEST_F(TunerTest, ASystemThatDoesNotTellDisturbsNothing) {
  TuningCache cache;
  EXPECT_FALSE(tune(cache, [] { return std::optional<double>(); }).provisional);
}

TEST_F(TunerTest, AnOldProvisionalChoiceIsMeasuredAgainWhenTheMachineIsQuiet) {
  TuningCache cache;
  const TunedChoice hasty{.kernels = kOld, .measured_at = 1'000, .provisional = true};
  cache.put(kKey, hasty);
  EXPECT_EQ(tune(cache, others_with(0.5)), hasty) << "it was as busy as before";
  EXPECT_NE(tune(cache, others_with(0)).kernels, kOld);
  EXPECT_FALSE(cache.find(kKey)->provisional);
}

// On a machine that is never quiet, races would otherwise be run again for ever.
TEST_F(TunerTest, TwoDisturbedRacesWithTheSameResultAreFinal) {
  TuningCache cache;
  TunedChoice found = tune(cache, others_with(0), races_that_are(false));
  found.measured_at = 1'000;
  TuningCache again;
  again.put(kKey, found);
  const RaceKernels same = [&](Stopwatch& /*stopwatch*/, const std::vector<kernels::PreparedPtr>& entrants) {
    RaceTimes times{.settled = false};
    for (const auto& entrant : entrants) {
      times.seconds.push_back(entrant->implementation() == name_in(found.kernels, *entrant) ? 1 : 2);
    }
    return times;
  };
  EXPECT_EQ(tune(again, others_with(0), same).kernels, found.kernels);
  EXPECT_FALSE(again.find(kKey)->provisional);
}

TEST_F(TunerTest, TwoDisturbedRacesWithDifferentResultsAreNot) {
  TuningCache cache;
  cache.put(kKey, {.kernels = kOld, .measured_at = 1'000, .provisional = true});
  const TunedChoice kept = tune(cache, others_with(0), races_that_are(false));
  EXPECT_NE(kept.kernels, kOld) << "the newer one began on a quiet machine";
  EXPECT_TRUE(kept.provisional);
  EXPECT_GT(kept.measured_at, 1'700'000'000) << "the next race comes some time later";
}

constexpr std::int64_t kInTheFuture = 100'000'000'000;

TEST_F(TunerTest, WhatWasFairStaysAndSoDoesWhatIsNew) {
  TuningCache cache;
  cache.put(kKey, {.kernels = kOld, .measured_at = kInTheFuture});
  EXPECT_EQ(tune(cache, others_with(0)).kernels, kOld);
  cache.put(kKey, {.kernels = kOld, .measured_at = kInTheFuture, .provisional = true});
  EXPECT_EQ(tune(cache, others_with(0)).kernels, kOld);
}

TEST_F(TunerTest, AnOldFairChoiceIsLookedAtAnew) {
  TuningCache cache;
  const TunedChoice old{.kernels = kOld, .measured_at = 1'000};
  cache.put(kKey, old);
  EXPECT_EQ(tune(cache, others_with(0.5)), old) << "a busy race is worth less than a fair one, however old";
  const TunedChoice now = tune(cache, others_with(0));
  EXPECT_NE(now.kernels, kOld);
  EXPECT_GT(now.measured_at, 1'700'000'000);
}

// So a compilation with many layers does not take longer.
TEST_F(TunerTest, OneOldChoiceIsLookedAtInACompilation) {
  TuningCache cache;
  const TunedChoice old{.kernels = kOld, .measured_at = 1'000};
  cache.put(kKey, old);
  cache.put(kOtherKey, old);
  tune_two(cache, others_with(0));
  EXPECT_NE(cache.find(kKey)->kernels, kOld);
  EXPECT_EQ(cache.find(kOtherKey), old);
}

}  // namespace
}  // namespace convoy
