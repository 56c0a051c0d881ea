#include "convoy/study/log/event_log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/folder.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/exchange/tensorboard/event_file.h"
#include "convoy/study/log/read_log.h"

namespace convoy::study {
namespace {

Events events_of(std::vector<EventPoint> points) { return {.begin = 100, .points = std::move(points)}; }

// As torch.utils.tensorboard is used: with the user's own tags, and epochs from 0.
TEST(EventLog, UnderstandsTagsByTheirWords) {
  const ImportedLog log = log_of_curves(events_of({{"Loss/train", 0, 110, 2.5},
                                                   {"Accuracy/train", 0, 110, 0.25},
                                                   {"Accuracy/test", 0, 112, 0.5},
                                                   {"Loss/train", 1, 125, 1.5},
                                                   {"grad_norm", 1, 125, 7}}),
                                        "alexnet-batch64-nodes2-cpu/events.out.tfevents.1.host");
  ASSERT_EQ(log.lines.size(), 2);
  EXPECT_EQ(log.lines[0].epoch, 1);
  EXPECT_EQ(log.lines[0].loss, 2.5);
  EXPECT_EQ(log.lines[0].error, 0.75);
  EXPECT_EQ(log.lines[0].test_error, 0.5);
  EXPECT_EQ(log.lines[0].seconds, 10);
  EXPECT_EQ(log.lines[1].seconds, 15);
  EXPECT_FALSE(log.lines[1].test_error);
  EXPECT_EQ(log.settings.at("workers"), "2") << "from the folder's name";
  ASSERT_EQ(log.notes.size(), 1);
  EXPECT_NE(log.notes[0].find("grad_norm"), std::string::npos);
}

TEST(EventLog, MeansOfStepsBetweenEvaluations) {
  std::vector<EventPoint> points;
  for (int step = 1; step <= 60; ++step) points.push_back({"train/loss", step, 100.0 + step, step <= 30 ? 3.0 : 1.0});
  points.push_back({"val/acc", 30, 130, 40});
  points.push_back({"val/acc", 60, 160, 80});
  const ImportedLog log = log_of_curves(events_of(points), "run");
  ASSERT_EQ(log.lines.size(), 2);
  EXPECT_EQ(log.lines[0].loss, 3.0);
  EXPECT_EQ(log.lines[1].loss, 1.0);
  EXPECT_NEAR(*log.lines[1].test_error, 0.2, 1e-9) << "in percent, as no share is above 1";
}

TEST(EventLog, RefusesFilesWithoutCurvesOfEpochs) {
  EXPECT_TRUE(throws_with<DataError>(
      [] {
        (void)log_of_curves(events_of({{"batch_loss", 1, 101, 2}, {"momentum", 1, 101, 2}}), "run");
      },
      "its tags are: batch_loss, momentum"));
}

void write_events(const std::filesystem::path& folder, const EventFile& file) {
  make_folder(folder);
  write_file_atomically(folder / "events.out.tfevents.1.host", file.bytes());
}

// Keras' callback writes the folders train/ and validation/ with the same tags.
using EventFolderTest = TemporaryFolder;
TEST_F(EventFolderTest, OfKerasIsOneRun) {
  EventFile train(100);
  EventFile validation(100);
  for (int epoch = 0; epoch < 2; ++epoch) {
    train.add_scalar("epoch_accuracy", 0.5 + 0.25 * epoch, epoch, 110 + 10 * epoch);
    validation.add_scalar("epoch_accuracy", 0.25 + 0.25 * epoch, epoch, 111 + 10 * epoch);
    validation.add_scalar("evaluation_loss_vs_iterations", 1, 100 + epoch, 111);
  }
  write_events(folder_ / "resnet" / "train", train);
  write_events(folder_ / "resnet" / "validation", validation);
  const std::vector<ImportedLog> logs = read_log(folder_ / "resnet");
  ASSERT_EQ(logs.size(), 1);
  ASSERT_EQ(logs[0].lines.size(), 2);
  EXPECT_EQ(logs[0].lines[1].error, 0.25);
  EXPECT_EQ(logs[0].lines[1].test_error, 0.5);
  EXPECT_EQ(logs[0].system, "TensorBoard");
}

TEST(EventLog, ADamagedFileIsRefusedWithItsOffset) {
  EventFile file(100);
  file.add_scalar("loss", 1, 1, 101);
  std::string bytes = file.bytes();
  bytes[EventFile(100).bytes().size()] ^= 1;
  EXPECT_TRUE(throws_with<DataError>([&] { (void)parse_log(bytes, "events.out.tfevents.1"); }, "offset 42"));
}

}  // namespace
}  // namespace convoy::study
