#include "convoy/cli/launch/go_on.h"

#include <gtest/gtest.h>

#include "convoy/base/temporary_folder_test.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

class GoOn : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    run_ = folder_ / "my run";
  }
  std::string text() { return how_to_go_on(run_, {"convoy", "train", "--workers", "2", "--hosts", "a:1,b:1"}); }
  std::string command() { return "`convoy train --resume '" + run_.string() + "' --workers 2 --hosts a:1,b:1`"; }

  fs::path run_;
};

TEST_F(GoOn, FromTheNewestCheckpoint) {
  fs::create_directories(run_ / "checkpoints" / "step-000000005");
  fs::create_directories(run_ / "checkpoints" / "step-000000120");
  put(run_ / "run.json", "{}");
  EXPECT_EQ(text(), "go on after step 120 with " + command());
}

TEST_F(GoOn, FromTheBeginningWithoutOne) {
  fs::create_directories(run_);
  put(run_ / "run.json", "{}");
  EXPECT_EQ(text(), "no checkpoint was written yet; start it again with " + command());
}

TEST_F(GoOn, NotWithoutARecord) {
  fs::create_directories(run_);
  EXPECT_EQ(text(), "nothing of the run was recorded yet; start it again");
}

TEST_F(GoOn, WhereTheFolderIs) {
  EXPECT_EQ(text(),
            "the run folder " + run_.string() + " is not on this machine; where it is, " + command() + " goes on");
}

TEST_F(GoOn, ARecordThatCannotBeReadHidesNothingElse) {
  fs::create_directories(run_);
  put(run_ / "run.json", "{");
  EXPECT_EQ(last_step_text(run_), "");
}

TEST(InterruptionText, SaysWhatThereIsAndHowToGoOn) {
  EXPECT_EQ(interruption_text("my run", 24, 24), "checkpoint written; go on with `convoy train --resume 'my run'`");
  const std::string early = interruption_text("v", 0, std::nullopt);
  EXPECT_NE(early.find("nothing was trained, and there is no checkpoint"), std::string::npos) << early;
  EXPECT_NE(early.find("start it with `convoy train --resume v`"), std::string::npos) << early;
  EXPECT_EQ(
      interruption_text("v", 5, std::nullopt),
      "interrupted after step 5; no checkpoint was written, as --keep 0 asks; `convoy train --resume v` starts again "
      "from the first step");
  EXPECT_EQ(
      interruption_text("v", 5, 3),
      "interrupted after step 5; no checkpoint was written, as --keep 0 asks; `convoy train --resume v` goes on after "
      "step 3");
}

}  // namespace
}  // namespace convoy::cli
