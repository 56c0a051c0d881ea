#include "convoy/record/run_name.h"

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;
using RunName = TemporaryFolder;
using std::chrono::system_clock;

// `date -u -d @1794798765`
constexpr std::int64_t kNovember = 1794798765;

system_clock::time_point at(std::int64_t seconds) { return system_clock::time_point(std::chrono::seconds(seconds)); }

TEST_F(RunName, TimeIsUtc) {
  EXPECT_EQ(time_text(at(kNovember)), "2026-11-16T03:12:45Z");
  EXPECT_EQ(time_text(at(0)), "1970-01-01T00:00:00Z");
  EXPECT_EQ(time_text(at(951868799) + std::chrono::milliseconds(999)), "2000-02-29T23:59:59Z");
}

TEST_F(RunName, IsTimeModelAndData) {
  EXPECT_EQ(default_run_name("resnet20", "fashion-mnist", at(kNovember)), "2026-11-16T0312-resnet20-fashion-mnist");
  EXPECT_EQ(default_run_name("squeezenet1.1", "folder:/home/me/my photos/", at(kNovember)),
            "2026-11-16T0312-squeezenet1.1-folder-home-me-my-photos");
  EXPECT_EQ(default_run_name("lenet", "../..", at(kNovember)), "2026-11-16T0312-lenet-..-..");
  EXPECT_EQ(default_run_name("", "\xff\n", at(kNovember)), "2026-11-16T0312");
}

TEST_F(RunName, LongNamesAreCut) {
  const std::string name = default_run_name(std::string(500, 'm'), std::string(500, 'd'), at(kNovember));
  EXPECT_EQ(name, "2026-11-16T0312-" + std::string(60, 'm') + "-" + std::string(60, 'd'));
}

TEST_F(RunName, TakenNamesGetANumber) {
  const fs::path runs = folder_ / "deep" / "runs";
  EXPECT_EQ(make_run_folder(runs, "a"), runs / "a");
  EXPECT_EQ(make_run_folder(runs, "a"), runs / "a-2");
  put(runs / "a-3", "a file");
  EXPECT_EQ(make_run_folder(runs, "a"), runs / "a-4");
  EXPECT_TRUE(fs::is_directory(runs / "a-4"));
}

TEST_F(RunName, FailureToMakeAFolderIsTold) {
  put(folder_ / "file", "");
  EXPECT_TRUE(throws_with<SystemError>([&] { (void)make_run_folder(folder_ / "file", "a"); }, "Not a directory"));
  const fs::path below = folder_ / "file" / "runs";
  EXPECT_TRUE(throws_with<SystemError>([&] { (void)make_run_folder(below, "a"); }, below.string()));
}

}  // namespace
}  // namespace convoy
