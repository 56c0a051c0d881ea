#include "convoy/record/trace.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "convoy/base/temporary_folder_test.h"

namespace convoy {
namespace {

class TraceTest : public TemporaryFolder {};

TEST_F(TraceTest, ARankIsAProcessAndALaneAThread) {
  const std::vector<TimelineEvent> events = {
      {.lane = Lane::compute, .name = "forward", .begin = 0.5, .seconds = 0.25},
      {.lane = Lane::communication, .name = "bucket 0", .begin = 0.75, .seconds = 0.5}};
  write_trace(folder_ / kTraceFile, {trace_events(0, "a", {}), trace_events(1, "b", events)});
  std::ifstream file(folder_ / kTraceFile);
  const auto json = nlohmann::json::parse(file).at("traceEvents");
  ASSERT_EQ(json.size(), 8U);  // the names of two processes and of their two lanes each, and the events
  EXPECT_EQ(json[3]["args"]["name"], "rank 1 on b");
  EXPECT_EQ(json[6]["name"], "forward");
  EXPECT_EQ(json[6]["pid"], 1);
  EXPECT_EQ(json[6]["tid"], 0);
  EXPECT_EQ(json[6]["ts"], 500000.0);
  EXPECT_EQ(json[6]["dur"], 250000.0);
  EXPECT_EQ(json[7]["tid"], 1);
}

}  // namespace
}  // namespace convoy
