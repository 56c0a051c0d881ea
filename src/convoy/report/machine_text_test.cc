#include "convoy/report/machine_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convoy::report {
namespace {

using ::testing::ElementsAre;

RunInfo run_on(const HostInfo& host) {
  RunInfo info;
  info.hosts = {host};
  return info;
}

TEST(MachineText, ABindingIsNoMachine) {
  const RunInfo alone = run_on({.cpu_model = "EPYC", .usable_cores = 2, .hardware_threads = 2});
  const RunInfo bound = run_on({.cpu_model = "EPYC", .usable_cores = 1, .hardware_threads = 2});
  EXPECT_THAT(machine_texts(std::vector{&alone, &bound}),
              ElementsAre("EPYC, 2 hardware threads", "EPYC, 2 hardware threads"));
}

TEST(MachineText, OtherHardwareIsAnotherMachine) {
  const RunInfo small = run_on({.cpu_model = "EPYC", .usable_cores = 2, .hardware_threads = 2});
  const RunInfo large = run_on({.cpu_model = "EPYC", .usable_cores = 2, .hardware_threads = 64});
  EXPECT_THAT(machine_texts(std::vector{&small, &large}),
              ElementsAre("EPYC, 2 hardware threads", "EPYC, 64 hardware threads"));
}

TEST(MachineText, WhatARecordDoesNotTellMakesNoDifference) {
  const RunInfo earlier = run_on({.cpu_model = "EPYC", .usable_cores = 1});
  const RunInfo now = run_on({.cpu_model = "EPYC", .usable_cores = 2, .hardware_threads = 2});
  EXPECT_THAT(machine_texts(std::vector{&earlier, &now}), ElementsAre("EPYC", "EPYC"));
}

}  // namespace
}  // namespace convoy::report
