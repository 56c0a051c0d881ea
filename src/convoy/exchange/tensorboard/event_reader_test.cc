#include "convoy/exchange/tensorboard/event_reader.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/exchange/tensorboard/event_file.h"

namespace convoy {
namespace {

std::string two_points() {
  EventFile file(10);
  file.add_scalar("loss", 0.5, 1, 11);
  file.add_scalar("loss", 0.25, 2, 12.5);
  return file.bytes();
}

TEST(EventReader, ReadsWhatWasWritten) {
  EventFile file(10);
  file.add_hyper_parameters(std::vector<HyperParameter>{{"lr", 0.1}, {"exact", true}, {"model", "lenet"}}, 10);
  file.add_histogram("weights", std::vector<float>{1, 2, 3}, 1, 10);
  const Events events = read_events(file.bytes() + two_points().substr(EventFile(10).bytes().size()), "events");
  EXPECT_EQ(events.begin, 10);
  ASSERT_EQ(events.points.size(), 2) << "hyper-parameters and histograms are no points";
  EXPECT_EQ(events.points[1].tag, "loss");
  EXPECT_EQ(events.points[1].step, 2);
  EXPECT_EQ(events.points[1].wall_time, 12.5);
  EXPECT_EQ(events.points[1].value, 0.25);
}

// As tf.summary.scalar of TensorFlow 2 writes it: a tensor with one float, whose bytes are in tensor_content.
TEST(EventReader, TakesTensorsOfOneNumber) {
  EventFile none(0);
  const std::string message = std::string("\x09\0\0\0\0\0\0\xF0\x3F\x10\x07\x2A\x13", 13) +
                              std::string("\x0A\x11\x0A\x01L\x42\x0C\x08\x01\x22\x04\0\0\x80\x3F\x12\x02\x12\x00", 19);
  std::string record;
  const auto append = [&](std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) record += static_cast<char>(number >> (8 * i) & 0xFFU);
  };
  append(message.size(), 8);
  append(masked_crc32c(record), 4);
  record += message;
  append(masked_crc32c(message), 4);
  const Events events = read_events(none.bytes() + record, "events");
  ASSERT_EQ(events.points.size(), 1);
  EXPECT_EQ(events.points[0].tag, "L");
  EXPECT_EQ(events.points[0].step, 7);
  EXPECT_EQ(events.points[0].value, 1);
}

TEST(EventReader, ARestartTakesBackLaterSteps) {
  EventFile second(20);
  second.add_restart(2, 20);
  second.add_scalar("loss", 0.125, 2, 21);
  const Events events = read_events(second.bytes(), "second", read_events(two_points(), "first"));
  ASSERT_EQ(events.points.size(), 2);
  EXPECT_EQ(events.points[0].value, 0.5);
  EXPECT_EQ(events.points[1].value, 0.125);
  EXPECT_EQ(events.begin, 10);
}

TEST(EventReader, RefusesEveryDamagedByteWithItsOffset) {
  const std::string good = two_points();
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    EXPECT_TRUE(throws_with<DataError>([&] { (void)read_events(bad, "events"); }, "events, offset ")) << i;
  }
}

TEST(EventReader, RefusesACutFile) {
  const std::string good = two_points();
  const std::size_t first = EventFile(10).bytes().size();
  EXPECT_TRUE(throws_with<DataError>([&] { (void)read_events(good.substr(0, first + 5), "events"); },
                                     "events, offset " + std::to_string(first) + ": the file is cut"));
  EXPECT_TRUE(read_events(good.substr(0, first), "events").points.empty()) << "an end between events is one";
}

TEST(EventReader, KnowsEventFiles) {
  EXPECT_TRUE(is_event_file(two_points()));
  EXPECT_FALSE(is_event_file("Finished Epoch[1 of 10]: brain.Event:2"));
  EXPECT_FALSE(is_event_file(""));
}

}  // namespace
}  // namespace convoy
