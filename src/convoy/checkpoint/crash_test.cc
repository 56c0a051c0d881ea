// Writers that are killed, or whose disk fails, at each single call that changes files.
#include <cerrno>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/forked_test.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/checkpoint/checkpoint_store.h"
#include "convoy/checkpoint/small_checkpoint_test.h"
#include "convoy/checkpoint/system_calls_test.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

// The parameter is the step of the second checkpoint: later than the first one, or the same.
class CrashTest : public TemporaryFolder, public testing::WithParamInterface<std::int64_t> {
 protected:
  static constexpr std::int64_t kFirstStep = 10;
  static constexpr int kMoreCallsThanThereAre = 1000;

  Checkpoint first_ = small_checkpoint(kFirstStep, 1);
  Checkpoint second_ = small_checkpoint(GetParam(), 2);
  Checkpoint third_ = small_checkpoint(30, 3);
  SaveOptions options_ = {.keep = 1, .best = true};

  [[nodiscard]] CheckpointStore store() const { return CheckpointStore(folder_ / "checkpoints"); }
  void start_again() const {
    fs::remove_all(folder_ / "checkpoints");
    store().save(first_, options_);
  }
  // Saves in a child process that dies at the n-th call. False when it finished before.
  [[nodiscard]] bool save_dies(const Checkpoint& checkpoint, int n) const {
    const int code = in_child([&] {
      die_at_call(n);
      store().save(checkpoint, options_);
      return 0;
    });
    EXPECT_TRUE(code == 0 || code == kDiedAtCall) << code;
    return code == kDiedAtCall;
  }
  // Which of the three checkpoints this is: 1, 2 or 3, by its first weight.
  static int which(const Checkpoint& checkpoint) {
    return static_cast<int>(std::get<std::vector<float>>(checkpoint.weights.at(0).values).at(0));
  }
  void expect_third_can_be_saved(int n) const {
    store().save(third_, options_);
    EXPECT_TRUE(same(store().latest(), third_)) << n;
    EXPECT_TRUE(same(store().load_best(), third_)) << n;
    EXPECT_EQ(names(folder_ / "checkpoints"), (Names{"best", "step-000000030"})) << n;
  }
};

TEST_P(CrashTest, KilledAnywhereOneCanBeRead) {
  Names outcomes;
  int n = 1;
  for (start_again(); save_dies(second_, n) && !HasFailure(); start_again(), ++n) {
    ASSERT_LT(n, kMoreCallsThanThereAre);
    const int newest = which(store().latest());
    const int best = which(store().load_best());
    EXPECT_TRUE(same(store().latest(), newest == 1 ? first_ : second_)) << n;
    EXPECT_GE(best, newest) << n << ": the best of the newest checkpoint is lost";
    outcomes.insert(std::to_string(newest) + std::to_string(best));
    expect_third_can_be_saved(n);
  }
  EXPECT_GT(n, 30) << "the calls were not counted";
  EXPECT_EQ(outcomes, (Names{"11", "12", "22"})) << "not all stages were seen";
}

// The next writer, which cleans up after the first, is killed too. To save time, only the first of several calls that
// leave the same names is tried; of the next writer's calls, the first ten and every seventh after them.
TEST_P(CrashTest, KilledTwiceOneCanBeRead) {
  Names left_before;
  int states = 0;
  for (int n = 1;; ++n) {
    start_again();
    if (!save_dies(second_, n)) break;
    const Names left = names(folder_ / "checkpoints");
    if (std::exchange(left_before, left) == left) continue;
    ++states;
    for (int m = 1;; m += m < 10 ? 1 : 7) {
      start_again();
      ASSERT_TRUE(save_dies(second_, n));
      if (!save_dies(third_, m)) break;
      EXPECT_GE(which(store().load_best()), which(store().latest())) << n << " " << m;
      expect_third_can_be_saved(n);
      ASSERT_FALSE(HasFailure()) << n << " " << m;
    }
  }
  EXPECT_GE(states, 7);
}

TEST_P(CrashTest, AnyErrorLeavesOneAndNoHalf) {
  int errors = 0;
  for (int n = 1;; ++n) {
    start_again();
    const Names before = names(folder_ / "checkpoints");
    fail_at_call(n, ENOSPC);
    bool threw = false;
    try {
      store().save(second_, options_);
    } catch (const SystemError&) {
      threw = true;
    }
    const int calls = stop_counting_calls();
    errors += threw ? 1 : 0;
    EXPECT_GE(which(store().load_best()), which(store().latest())) << n;
    EXPECT_EQ(which(store().latest()), threw ? 1 : 2) << n;
    if (threw) {
      EXPECT_EQ(names(folder_ / "checkpoints"), before) << n;
    }
    expect_third_can_be_saved(n);
    ASSERT_FALSE(HasFailure()) << n;
    if (calls < n) break;
  }
  EXPECT_GT(errors, 15);
}

TEST_P(CrashTest, NothingIsRenamedBeforeItIsOnTheDisk) {
  start_again();
  fail_at_call(kMoreCallsThanThereAre, EIO);
  store().save(second_, options_);
  EXPECT_GT(stop_counting_calls(), 30);
  EXPECT_EQ(files_not_synced_in_time(), 0);
}

INSTANTIATE_TEST_SUITE_P(SecondStep, CrashTest, testing::Values(20, 10));

}  // namespace
}  // namespace convoy
