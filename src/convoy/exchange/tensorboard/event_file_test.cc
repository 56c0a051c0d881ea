#include "convoy/exchange/tensorboard/event_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "convoy/exchange/tensorboard/event_reader.h"
#include "convoy/exchange/tensorboard/run_events.h"

namespace convoy {
namespace {

TEST(EventFile, ChecksumsAreThoseOfTheStandard) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
}

TEST(EventFile, BeginsWithItsVersion) {
  const EventFile file(1.5);
  const std::string message(
      "\x09\0\0\0\0\0\0\xF8\x3F\x10\0\x1A\x0D"
      "brain.Event:2",
      26);
  ASSERT_EQ(file.bytes().size(), 8 + 4 + message.size() + 4);
  EXPECT_EQ(file.bytes()[0], static_cast<char>(message.size()));
  EXPECT_EQ(file.bytes().substr(12, message.size()), message);
}

TEST(EventFile, LeavesOutWhatIsNoNumber) {
  EventFile file(0);
  const std::size_t before = file.bytes().size();
  file.add_scalar("loss", NAN, 1, 0);
  EXPECT_EQ(file.bytes().size(), before);
  file.add_scalar("loss", 0.5, 1, 0);
  EXPECT_GT(file.bytes().size(), before);
}

TEST(EventFile, HistogramsCountEveryNumber) {
  EventFile file(0);
  (void)file.take_bytes();
  file.add_histogram("weights", std::vector<float>{NAN, NAN}, 1, 0);
  EXPECT_TRUE(file.bytes().empty()) << "nothing to count";
  file.add_histogram("weights", std::vector<float>(5, 0.25F), 1, 0);
  EXPECT_GT(file.bytes().size(), 2 * kHistogramBuckets * sizeof(double)) << "limits and counts";
  EXPECT_FALSE(file.take_bytes().empty());
  EXPECT_TRUE(file.bytes().empty());
}

TEST(RunEvents, HyperParametersAreSettingsThatTellRunsApart) {
  const auto parameters = hyper_parameters(
      {{"lr", 0.1}, {"model", "lenet"}, {"sync-bn", false}, {"run-dir", "/tmp/run"}, {"batch", nullptr}});
  ASSERT_EQ(parameters.size(), 3);
  EXPECT_EQ(parameters[0], HyperParameter("model", "lenet"));
  EXPECT_EQ(parameters[1], HyperParameter("lr", 0.1));
  EXPECT_EQ(parameters[2], HyperParameter("sync-bn", false));
}

TEST(RunEvents, HaveStepsOverAllRanksAndWhatEpochsKnow) {
  RunRecord run;
  run.info.started = "1970-01-01T00:01:40Z";
  run.steps = {{.step = 1, .rank = 0, .samples = 3, .loss = 2, .times = {.seconds = 2}},
               {.step = 1, .rank = 1, .samples = 1, .loss = 4, .times = {.seconds = 2}}};
  run.epochs = {{.epoch = 1, .end_step = 1, .train_loss = 2, .test_top1 = 0.25}};
  EXPECT_EQ(event_file_name(run), "events.out.tfevents.100.convoy");
  const std::string bytes = run_events(run);
  EXPECT_NE(bytes.find("accuracy/test"), std::string::npos);
  EXPECT_EQ(bytes.find("loss/test"), std::string::npos) << "it was not evaluated";
  std::map<std::string, double> values;
  for (const EventPoint& point : read_events(bytes, "events").points) values[point.tag] = point.value;
  EXPECT_EQ(values.at("step/loss"), 2.5);
  EXPECT_EQ(values.at("step/samples_per_second"), 2);
}

}  // namespace
}  // namespace convoy
