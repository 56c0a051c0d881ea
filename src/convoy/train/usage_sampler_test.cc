#include "convoy/train/usage_sampler.h"

#include <gtest/gtest.h>

#include "convoy/train/scripted_usage_test.h"

namespace convoy {
namespace {

TEST(UsageBetween, IsARateAndWhatIsHeld) {
  const UsageRecord record = usage_between(ScriptedUsage::at(3), ScriptedUsage::at(5));
  EXPECT_DOUBLE_EQ(record.cpu_use, 1.5);
  EXPECT_EQ(record.memory_bytes, 1005);
  EXPECT_DOUBLE_EQ(record.machine_cpu_use.value(), 4);
  EXPECT_DOUBLE_EQ(record.received_bytes_per_second.value(), 100);
  EXPECT_DOUBLE_EQ(record.sent_bytes_per_second.value(), 50);
}

TEST(UsageBetween, OfTheMachineNeedsBothReadings) {
  UsageReading before = ScriptedUsage::at(3);
  before.machine_cpu_seconds.reset();
  before.network.reset();
  const UsageRecord record = usage_between(before, ScriptedUsage::at(5));
  EXPECT_FALSE(record.machine_cpu_use);
  EXPECT_FALSE(record.received_bytes_per_second);
  EXPECT_FALSE(record.sent_bytes_per_second);
}

TEST(UsageBetween, CountersThatWereSetBackCountAsNothing) {
  UsageReading after = ScriptedUsage::at(5);
  after.network = NetworkBytes{};
  EXPECT_EQ(usage_between(ScriptedUsage::at(3), after).received_bytes_per_second, 0);
  EXPECT_EQ(usage_between(ScriptedUsage::at(5), ScriptedUsage::at(5)).cpu_use, 0) << "no time between";
}

TEST(UsageSampler, SamplesInOrderFromWhereTheRunIs) {
  ScriptedUsage usage;
  UsageSampler sampler({.rank = 3, .elapsed_seconds = 100, .interval = std::chrono::milliseconds(1), .read = [&] {
                          return usage.next();
                        }});
  usage.wait_for(4);  // the first reading begins the first sample, so there are at least two samples
  const std::vector<UsageRecord> first = sampler.take();
  ASSERT_GE(first.size(), 2U);
  EXPECT_DOUBLE_EQ(first[0].seconds, 101);
  EXPECT_DOUBLE_EQ(first[1].seconds, 102);
  EXPECT_EQ(first[1].memory_bytes, 1002);
  EXPECT_EQ(first[1].rank, 3);
  EXPECT_DOUBLE_EQ(first[1].cpu_use, 1.5);
  const int done = static_cast<int>(first.size());
  usage.wait_for(done + 3);
  const std::vector<UsageRecord> next = sampler.take();
  ASSERT_FALSE(next.empty());
  EXPECT_DOUBLE_EQ(next.front().seconds, first.back().seconds + 1) << "none twice, none lost";
}

TEST(UsageSampler, SamplesKnowTheStep) {
  ScriptedUsage usage;
  UsageSampler sampler({.interval = std::chrono::milliseconds(1), .read = [&] { return usage.next(); }});
  sampler.set_step(7);
  usage.wait_for(4);
  int taken = static_cast<int>(sampler.take().size());
  usage.wait_for(taken + 4);
  const std::vector<UsageRecord> later = sampler.take();
  ASSERT_FALSE(later.empty());
  EXPECT_EQ(later.front().step, 7);
}

TEST(UsageSampler, EndsWhileItSleeps) {
  ScriptedUsage usage;
  UsageSampler sampler({.interval = std::chrono::hours(1), .read = [&] { return usage.next(); }});
  EXPECT_TRUE(sampler.take().empty());
}

}  // namespace
}  // namespace convoy
