#include "convoy/run/run_folder.h"

#include <gtest/gtest.h>

namespace convoy {
namespace {

TEST(MostCopies, CountsWhatIsKeptAndWhatIsBeingWritten) {
  EXPECT_EQ(most_copies(1, 2, false), 1);
  EXPECT_EQ(most_copies(1, 2, true), 2) << "the first is the best, too";
  EXPECT_EQ(most_copies(2, 2, true), 4) << "the first, the best, and both anew";
  EXPECT_EQ(most_copies(3, 2, true), 5);
  EXPECT_EQ(most_copies(1000, 2, true), 5);
  EXPECT_EQ(most_copies(1000, 2, false), 3);
  EXPECT_EQ(most_copies(3, 100, true), 5) << "no more than there were";
  EXPECT_EQ(most_copies(10, 0, true), 0);
}

class RoomForRun : public testing::Test {
 protected:
  RoomNeeded room(std::int64_t present_bytes = 0) {
    plan_ = plan_training(settings_, 1, Remarks{});
    return room_for_run(plan_, present_bytes);
  }

  RoomForRun() {
    settings_.data = "synthetic:1x28x28,classes=10,count=600";
    settings_.model = "lenet";
    settings_.batch = 50;
    settings_.epochs = 10;
  }

  static constexpr std::int64_t kLenetBytes = 1'663'370 * 4;
  static constexpr std::int64_t kLittle = 2 << 20;  // room for headers and records
  TrainSettings settings_;
  TrainingPlan plan_;
};

TEST_F(RoomForRun, CountsTheOptimizersMemory) {
  settings_.optimizer = "sgd";
  EXPECT_NEAR(static_cast<double>(room().bytes), 5 * kLenetBytes, kLittle);
  settings_.optimizer = "momentum";
  EXPECT_NEAR(static_cast<double>(room().bytes), 10 * kLenetBytes, kLittle);
  settings_.optimizer = "adam";
  EXPECT_NEAR(static_cast<double>(room().bytes), 15 * kLenetBytes, kLittle);
  EXPECT_NEAR(static_cast<double>(room().largest_file_bytes), 2 * kLenetBytes, kLittle);
}

TEST_F(RoomForRun, CountsWhatNodesOwe) {
  settings_.compress = "onebit";
  EXPECT_NEAR(static_cast<double>(room().bytes), 10 * kLenetBytes, kLittle) << "one node owes nothing";
  plan_.nodes = 3;
  EXPECT_NEAR(static_cast<double>(room_for_run(plan_, 0).bytes), 25 * kLenetBytes, kLittle);
}

TEST_F(RoomForRun, NeedsLessForWhatIsNotKeptOrThereAlready) {
  const std::int64_t all = room().bytes;
  EXPECT_EQ(room(4 * kLenetBytes).bytes, all - 4 * kLenetBytes);
  EXPECT_NEAR(static_cast<double>(room(100 * kLenetBytes).bytes), 4 * kLenetBytes, kLittle) << "two are written anew";
  settings_.keep = 1;
  EXPECT_NEAR(static_cast<double>(room().bytes), static_cast<double>(all - 2 * kLenetBytes), 10'000);
  settings_.keep = 0;
  EXPECT_LT(room().bytes, kLittle);
  EXPECT_EQ(room().largest_file_bytes, 0);
}

TEST_F(RoomForRun, CountsRecordsUnlessTheRunMayEndLongBefore) {
  settings_.epochs = 1'000'000;
  EXPECT_GT(room().bytes, std::int64_t{1'000'000} * 12 * 300);
  settings_.max_time = "1h";
  EXPECT_LT(room().bytes, 10 * kLenetBytes + kLittle);
}

}  // namespace
}  // namespace convoy
