#include "convoy/run/bench/communication_tuning.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace convoy {
namespace {

TuningResult result(const TuningCandidate& candidate, std::vector<double> seconds) {
  return {.candidate = candidate, .seconds = std::move(seconds)};
}

TEST(CommunicationTuning, TriesOneSettingAtATime) {
  const auto all = exact_candidates({.nodes = 4, .has_dense = true, .has_library_all_reduce = true});
  EXPECT_EQ(all.front(), TuningCandidate());
  EXPECT_TRUE(std::ranges::all_of(all, &TuningCandidate::is_exact));
  EXPECT_EQ(std::ranges::count(all, "factors", &TuningCandidate::dense_exchange), 1);
  EXPECT_EQ(std::ranges::count(all, "mpi", &TuningCandidate::all_reduce), 1);
  const auto few = exact_candidates({.nodes = 1, .has_dense = true});
  EXPECT_EQ(std::ranges::count(few, "factors", &TuningCandidate::dense_exchange), 0);
  EXPECT_EQ(std::ranges::count(few, "mpi", &TuningCandidate::all_reduce), 0);
}

TEST(CommunicationTuning, LossyWaysKeepTheRestAndAreMarked) {
  const TuningCandidate exact{.all_reduce = "ring", .dense_exchange = "factors"};
  const auto lossy = lossy_candidates({.nodes = 2}, exact);
  EXPECT_TRUE(std::ranges::none_of(lossy, &TuningCandidate::is_exact));
  EXPECT_EQ(std::ranges::count(lossy, "int8", &TuningCandidate::compress), 1);
  EXPECT_EQ(std::ranges::count(lossy, "none", &TuningCandidate::compress), 2);  // the candidates with local steps
  EXPECT_TRUE(std::ranges::all_of(lossy, [](const auto& one) { return one.all_reduce == "ring"; }));
  // On one node there is nothing to compress.
  for (const TuningCandidate& one : lossy_candidates({.nodes = 1}, exact)) EXPECT_EQ(one.compress, "none");
}

TEST(CommunicationTuning, FlagsAreThoseOfTrain) {
  EXPECT_EQ(TuningCandidate().flags(), "");
  const TuningCandidate all{
      .all_reduce = "ring", .bucket_bytes = std::size_t{4} << 20U, .dense_exchange = "factors", .compress = "int8"};
  EXPECT_EQ(all.flags(), "--allreduce ring --bucket 4M --dense-exchange factors --compress int8");
  EXPECT_EQ(TuningCandidate{.local_steps = 4}.flags(), "--local-steps 4");
  EXPECT_EQ(all.reducer().algorithm, Algorithm::ring);
  EXPECT_EQ(all.reducer().compression.codec, CodecKind::int8);
}

TEST(CommunicationTuning, CombinesTheFastestOfEachSetting) {
  const std::vector<TuningResult> results = {
      result({}, {1.0}), result({.all_reduce = "ring"}, {0.8}), result({.all_reduce = "mpi"}, {0.9}),
      result({.bucket_bytes = 1024}, {0.7}), result({.dense_exchange = "factors"}, {1.2})};
  EXPECT_EQ(combined(results), (TuningCandidate{.all_reduce = "ring", .bucket_bytes = 1024}));
  EXPECT_EQ(combined(std::span(results).first(3)), std::nullopt);
  EXPECT_EQ(combined(std::span(results).first(1)), std::nullopt);
}

TEST(CommunicationTuning, NamesAWinnerOnlyBeyondTheSpread) {
  std::vector<TuningResult> results = {result({}, {1.0, 1.01, 0.99}),
                                       result({.all_reduce = "ring"}, {0.8, 0.81, 0.79})};
  ASSERT_NE(exact_winner(results), nullptr);
  EXPECT_EQ(exact_winner(results)->candidate.all_reduce, "ring");
  results[1].seconds = {0.8, 1.2, 0.9};
  EXPECT_EQ(exact_winner(results), nullptr);
  results[1].seconds = {0.8};
  EXPECT_EQ(exact_winner(results), nullptr);
}

TEST(CommunicationTuning, NeverTakesALossyWayForAnExactOne) {
  const std::vector<TuningResult> results = {result({}, {1.0, 1.01, 0.99}),
                                             result({.compress = "int8"}, {0.5, 0.51, 0.49})};
  EXPECT_EQ(exact_winner(results), nullptr);
  ASSERT_NE(lossy_winner(results), nullptr);
  EXPECT_EQ(lossy_winner(results)->candidate.compress, "int8");
  EXPECT_EQ(lossy_winner(std::span(results).first(1)), nullptr);
}

TEST(CommunicationTuning, MeasuresOnlyContendersAgain) {
  const std::vector<TuningResult> results = {result({}, {2.0}),
                                             result({.all_reduce = "ring"}, {1.0}),
                                             result({.all_reduce = "mpi"}, {1.05}),
                                             result({.bucket_bytes = 1024}, {1.5}),
                                             result({.compress = "int8"}, {0.5}),
                                             result({.compress = "bf16"}, {0.7})};
  const std::vector<bool> expected = {true, true, true, false, true, false};
  for (std::size_t i = 0; i < results.size(); ++i) EXPECT_EQ(is_contender(results[i], results), expected[i]) << i;
}

}  // namespace
}  // namespace convoy
