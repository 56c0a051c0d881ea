#include "convoy/base/process/child_process.h"

#include <csignal>

#include "convoy/base/error.h"
#include "convoy/base/file/input_file.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

class ChildProcess : public TemporaryFolder {
 protected:
  [[nodiscard]] ChildOptions files() const { return {.stdout_file = folder_ / "out", .stderr_file = folder_ / "err"}; }
};

TEST_F(ChildProcess, KeepsBothOutputsAndTheExitCode) {
  EXPECT_EQ(run_child({"sh", "-c", "echo result; echo trouble >&2; exit 3"}, files()), 3);
  EXPECT_EQ(read_file(folder_ / "out"), "result\n");
  EXPECT_EQ(read_file(folder_ / "err"), "trouble\n");
}

TEST_F(ChildProcess, HasNoInput) { EXPECT_EQ(run_child({"sh", "-c", "read line || exit 5"}, files()), 5); }

TEST_F(ChildProcess, IsSentASignalOnce) {
  ChildOptions options = files();
  options.signal_to_send = [&] { return read_file(folder_ / "out") == "ready\n" ? SIGTERM : 0; };
  const std::string script =
      "trap 'echo caught >&2' TERM; echo ready; n=0; while [ $n -lt 8 ]; do sleep 0.1; "
      "n=$((n+1)); done; exit 7";
  EXPECT_EQ(run_child({"sh", "-c", script}, options), 7);
  EXPECT_EQ(read_file(folder_ / "err"), "caught\n");
}

TEST_F(ChildProcess, TellsWhichSignalEndedIt) {
  EXPECT_EQ(run_child({"sh", "-c", "kill -KILL $$"}, files()), 128 + SIGKILL);
}

TEST_F(ChildProcess, ThatIsNotThereIsAnError) {
  const std::string missing = folder_ / "none";
  EXPECT_TRUE(throws_with<SystemError>([&] { (void)run_child({missing}, files()); }, missing));
  EXPECT_TRUE(throws_with<SystemError>(
      [&] { (void)run_child({"true"}, {.stdout_file = folder_ / "no" / "out", .stderr_file = folder_ / "err"}); },
      "out"));
}

}  // namespace
}  // namespace convoy
