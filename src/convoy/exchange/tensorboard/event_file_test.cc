#include "convoy/exchange/tensorboard/event_file.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(RunEvents, HaveStepsOfTheFirstRankAndWhatEpochsKnow) {
  RunRecord run;
  run.info.started = "1970-01-01T00:01:40Z";
  run.steps = {{.step = 1, .rank = 0, .loss = 2}, {.step = 1, .rank = 1, .loss = 3}};
  run.epochs = {{.epoch = 1, .end_step = 1, .train_loss = 2, .test_top1 = 0.25}};
  EXPECT_EQ(event_file_name(run), "events.out.tfevents.100.convoy");
  const std::string bytes = run_events(run);
  EXPECT_NE(bytes.find("accuracy/test"), std::string::npos);
  EXPECT_EQ(bytes.find("loss/test"), std::string::npos) << "it was not evaluated";
  EXPECT_EQ(bytes.find("step/loss", bytes.find("step/loss") + 1), std::string::npos);
}

}  // namespace
}  // namespace convoy
