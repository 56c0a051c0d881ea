#include "convoy/train/run_choices.h"

#include "convoy/base/error.h"
#include "convoy/base/file/write_error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

class RunChoicesTest : public TemporaryFolder {
 protected:
  RunChoices choices_{.training = {{"conv1", {"jit:avx2", "gemm", "own"}}, {"fc", {"gemm", "gemm", "gemm"}}},
                      .evaluation = {{"conv1", {"wino", "", ""}}}};
};

TEST_F(RunChoicesTest, ComeBack) {
  write_choices(folder_ / "run" / "choices", choices_);
  const RunChoices back = read_choices(folder_ / "run" / "choices");
  EXPECT_EQ(back.training, choices_.training);
  EXPECT_EQ(back.evaluation, choices_.evaluation);
}

TEST_F(RunChoicesTest, AreReplaced) {
  write_choices(folder_, choices_);
  write_choices(folder_, {.training = choices_.evaluation, .evaluation = {}});
  EXPECT_EQ(read_choices(folder_).training, choices_.evaluation);
  EXPECT_TRUE(read_choices(folder_).evaluation.empty());
}

TEST_F(RunChoicesTest, MissingAndDamagedFilesAreNamed) {
  EXPECT_TRUE(throws_with<DataError>([&] { (void)read_choices(folder_ / "none"); }, "none/training.json"));
  write_choices(folder_, choices_);
  put(folder_ / "evaluation.json", "{\"conv1\":");
  EXPECT_TRUE(throws_with<DataError>([&] { (void)read_choices(folder_); }, "evaluation.json"));
  std::filesystem::remove(folder_ / "evaluation.json");
  EXPECT_TRUE(throws_with<DataError>([&] { (void)read_choices(folder_); }, "evaluation.json"));
}

TEST_F(RunChoicesTest, AFileInTheWayIsNamed) {
  put(folder_ / "choices", "");
  EXPECT_TRUE(
      throws_with<WriteError>([&] { write_choices(folder_ / "choices", choices_); }, (folder_ / "choices").string()));
}

}  // namespace
}  // namespace convoy
