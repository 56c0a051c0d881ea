#include "convoy/engine/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "convoy/base/error.h"
#include "convoy/base/machine.h"
#include "convoy/engine/network.h"
#include "convoy/engine/small_networks_test.h"
#include "convoy/engine/untuned_test.h"
#include "convoy/graph/builder.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

void expect_same_plan(const Plan& a, const Plan& b) {
  EXPECT_EQ(a.choices, b.choices);
  EXPECT_EQ(a.memory.offsets, b.memory.offsets);
  EXPECT_EQ(a.memory.bytes, b.memory.bytes);
  EXPECT_EQ(a.scratchpad_bytes, b.scratchpad_bytes);
  EXPECT_EQ(a.parameters.readiness, b.parameters.readiness);
  ASSERT_EQ(a.parameters.entries.size(), b.parameters.entries.size());
  for (std::size_t i = 0; i < a.parameters.entries.size(); ++i) {
    EXPECT_EQ(a.parameters.entries[i].layout, b.parameters.entries[i].layout);
    EXPECT_EQ(a.parameters.entries[i].slice.offset, b.parameters.entries[i].slice.offset);
    EXPECT_EQ(a.parameters.entries[i].slice.count, b.parameters.entries[i].slice.count);
  }
  ASSERT_EQ(a.program.instructions.size(), b.program.instructions.size());
  for (std::size_t i = 0; i < a.program.instructions.size(); ++i) {
    EXPECT_EQ(a.program.instructions[i].prepared->implementation(),
              b.program.instructions[i].prepared->implementation());
    EXPECT_EQ(a.program.instructions[i].layer, b.program.instructions[i].layer);
  }
}

TEST(Plan, TheSameCacheGivesTheSamePlan) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    TuningCache cache;
    const Plan first = compile(graph, {.batch = 4, .threads = 2, .cache = &cache});
    expect_same_plan(first, compile(graph, {.batch = 4, .threads = 2, .cache = &cache}));
  }
}

TEST(Plan, TheSameChoicesGiveTheSamePlan) {
  const Graph graph = residual_network();
  const Plan first = compile(graph, {.batch = 4, .threads = 2});
  expect_same_plan(first, compile(graph, {.batch = 4, .threads = 2, .choices = &first.choices}));
}

class CachedPlan : public testing::Test {
 protected:
  CachedPlan()
      : file_(fs::temp_directory_path() / ("convoy_plan_" + std::to_string(getpid()) + "_" +
                                           testing::UnitTest::GetInstance()->current_test_info()->name() + ".json")) {}
  ~CachedPlan() override { fs::remove(file_); }

  fs::path file_;
};

TEST_F(CachedPlan, MeasuresNothingTheSecondTime) {
  const Graph graph = branching_network();
  TuningCache first_cache(file_);
  const Plan first = compile(graph, {.batch = 4, .threads = 2, .cache = &first_cache});
  ASSERT_TRUE(fs::exists(file_));
  TuningCache second_cache(file_);
  fs::remove(file_);
  expect_same_plan(first, compile(graph, {.batch = 4, .threads = 2, .cache = &second_cache}));
  EXPECT_FALSE(fs::exists(file_)) << "something was measured that the cache did not hold";
}

TEST_F(CachedPlan, OtherThreadsBatchAndArithmeticAreMeasuredAnew) {
  Graph graph;
  softmax_cross_entropy(dense(conv(input(graph, {16, 8, 8}), {.out = 16, .kernel = 3, .pad = 1}), {.out = 4}));
  TuningCache cache(file_);
  const auto writes = [&](const CompileOptions& options) {
    fs::remove(file_);
    (void)compile(graph, options);
    return fs::exists(file_);
  };
  EXPECT_TRUE(writes({.batch = 4, .threads = 2, .cache = &cache}));
  EXPECT_FALSE(writes({.batch = 4, .threads = 2, .cache = &cache}));
  EXPECT_TRUE(writes({.batch = 4, .threads = 1, .cache = &cache}));
  EXPECT_TRUE(writes({.batch = 5, .threads = 2, .cache = &cache}));
  EXPECT_TRUE(writes({.batch = 4, .threads = 2, .exact = true, .cache = &cache}));
  EXPECT_TRUE(writes({.batch = 4, .threads = 2, .training = false, .cache = &cache}));
}

TEST_F(CachedPlan, WhatTheCacheSaysIsTaken) {
  // Every key for which compiling asks gets a choice without names; measuring would give real names.
  const Graph graph = residual_network();
  TuningCache measured(file_);
  (void)compile(graph, {.batch = 4, .threads = 2, .exact = true, .cache = &measured});
  std::ifstream in(file_);
  auto json = nlohmann::json::parse(in);
  for (auto& choice : json["choices"]) {
    for (int pass = 0; pass < 3; ++pass) choice[pass] = "no such kernel";
  }
  std::ofstream(file_) << json;
  TuningCache edited(file_);
  const Plan plan = compile(graph, {.batch = 4, .threads = 2, .exact = true, .cache = &edited});
  const Choices whatever = untuned(graph);
  expect_same_plan(plan, compile(graph, {.batch = 4, .threads = 2, .exact = true, .choices = &whatever}));
}

// As in the paper, for images of 224x224: its first layers alone have 128 MB of activations per sample.
Graph vgg16() {
  Graph graph;
  Value x = input(graph, {3, 224, 224});
  const std::vector<std::pair<int, int>> stages = {{2, 64}, {2, 128}, {3, 256}, {3, 512}, {3, 512}};
  for (const auto& [layers, channels] : stages) {
    for (int i = 0; i < layers; ++i) {
      x = relu(conv(x, {.out = channels, .kernel = 3, .pad = 1}));
    }
    x = max_pool(x, {.kernel = 2, .stride = 2});
  }
  x = relu(dense(flatten(x), {.out = 4096}));
  x = relu(dense(x, {.out = 4096}));
  softmax_cross_entropy(dense(x, {.out = 1000}));
  return graph;
}

TEST(Plan, ABatchTooLargeForMemoryIsRefusedBeforeMemoryIsTaken) {
  const std::int64_t before = peak_resident_bytes();
  for (const bool training : {true, false}) {
    EXPECT_THAT([&] { Network(vgg16(), {.batch = 100'000, .threads = 2, .training = training}); },
                ThrowsMessage<UserError>(AllOf(HasSubstr("a batch of 100000"), HasSubstr("smaller batch"))));
  }
  EXPECT_LT(peak_resident_bytes() - before, std::int64_t{200} << 20U);
}

TEST(Plan, ParametersLieInTheOrderOfReadiness) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    const Plan plan = compile(graph, {.batch = 2, .threads = 2});
    std::size_t offset = 0;
    for (const int index : plan.parameters.readiness) {
      const ArenaSlice& slice = plan.parameters.entries[static_cast<std::size_t>(index)].slice;
      EXPECT_EQ(slice.offset, offset);
      EXPECT_EQ(slice.offset % 16, 0U);
      offset += slice.count;
    }
    EXPECT_EQ(plan.parameters.arena_floats, offset);
  }
}

}  // namespace
}  // namespace convoy
