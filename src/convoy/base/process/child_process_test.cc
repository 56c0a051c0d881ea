#include "convoy/base/process/child_process.h"

#include <unistd.h>

#include <array>
#include <csignal>

#include "convoy/base/file/input_file.h"
#include "convoy/base/file/write_error.h"
#include "convoy/base/process/pipe.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

class RunChild : public TemporaryFolder {
 protected:
  [[nodiscard]] RunOptions files() const { return {.stdout_file = folder_ / "out", .stderr_file = folder_ / "err"}; }
};

TEST_F(RunChild, KeepsBothOutputsAndTheExitCode) {
  EXPECT_EQ(run_child({"sh", "-c", "echo result; echo trouble >&2; exit 3"}, files()), 3);
  EXPECT_EQ(read_file(folder_ / "out"), "result\n");
  EXPECT_EQ(read_file(folder_ / "err"), "trouble\n");
}

TEST_F(RunChild, HasNoInput) { EXPECT_EQ(run_child({"sh", "-c", "read line || exit 5"}, files()), 5); }

TEST_F(RunChild, NeedsNoFiles) { EXPECT_EQ(run_child({"sh", "-c", "echo x; echo y >&2; exit 4"}, {}), 4); }

TEST_F(RunChild, IsSentASignalOnce) {
  RunOptions options = files();
  options.signal_to_send = [&] { return read_file(folder_ / "out") == "ready\n" ? SIGTERM : 0; };
  const std::string script =
      "trap 'echo caught >&2' TERM; echo ready; n=0; while [ $n -lt 8 ]; do sleep 0.1; "
      "n=$((n+1)); done; exit 7";
  EXPECT_EQ(run_child({"sh", "-c", script}, options), 7);
  EXPECT_EQ(read_file(folder_ / "err"), "caught\n");
}

TEST_F(RunChild, TellsWhichSignalEndedIt) {
  EXPECT_EQ(run_child({"sh", "-c", "kill -KILL $$"}, files()), 128 + SIGKILL);
}

TEST_F(RunChild, ThatIsNotThereIsAnError) {
  const std::string missing = folder_ / "none";
  EXPECT_TRUE(throws_with<NotStarted>([&] { (void)run_child({missing}, files()); }, missing));
  EXPECT_TRUE(throws_with<WriteError>(
      [&] { (void)run_child({"true"}, {.stdout_file = folder_ / "no" / "out", .stderr_file = folder_ / "err"}); },
      "out"));
}

using ChildProcessTest = TemporaryFolder;

TEST_F(ChildProcessTest, TellsNotStartedFromAnExitCode) {
  EXPECT_EQ(ChildProcess({"sh", "-c", "exit 127"}, {}).wait().exit_code, 127);
  try {
    const ChildProcess child({"convoy-has-no-such-program"}, {});
    FAIL() << "it was started";
  } catch (const NotStarted& error) {
    EXPECT_TRUE(error.is_missing());
    EXPECT_STREQ(error.what(), "convoy-has-no-such-program cannot be started: No such file or directory");
  }
  put(folder_ / "text", "no program");
  EXPECT_TRUE(throws_with<NotStarted>([&] { const ChildProcess child({folder_ / "text"}, {}); }, "Permission denied"));
}

TEST_F(ChildProcessTest, TalksThroughPipes) {
  const Pipe to;
  Pipe from;
  ChildProcess child({"sh", "-c", "read word; echo got $word"}, {.input = to.out.get(), .output = from.in.get()});
  from.in = Descriptor();
  EXPECT_FALSE(child.end().has_value());
  ASSERT_EQ(write(to.in.get(), "this\n", 5), 5);
  std::array<char, 64> answer{};
  EXPECT_EQ(::read(from.out.get(), answer.data(), answer.size()), 9);
  EXPECT_STREQ(answer.data(), "got this\n");
  EXPECT_EQ(child.wait().exit_code, 0);
}

// The shell and its child form one group; this process belongs to another.
TEST_F(ChildProcessTest, GroupIsKilledTogether) {
  Pipe from;
  ChildProcess child({"sh", "-c", "sleep 1000 & echo begun; wait"}, {.output = from.in.get()});
  from.in = Descriptor();
  std::array<char, 64> text{};
  ASSERT_EQ(::read(from.out.get(), text.data(), text.size()), 6);
  child.send_to_group(SIGKILL);
  EXPECT_EQ(child.wait().killed_by, SIGKILL);
  // End of file: the child of the shell, which held the other end, is gone too.
  EXPECT_EQ(::read(from.out.get(), text.data(), text.size()), 0);
}

TEST_F(ChildProcessTest, IsKilledAtTheEndOfItsScope) {
  pid_t id = 0;
  {
    const ChildProcess child({"sleep", "1000"}, {});
    id = child.id();
    EXPECT_EQ(kill(id, 0), 0);
  }
  EXPECT_NE(kill(id, 0), 0);
}

TEST_F(ChildProcessTest, GetsVariablesThatAreNotSet) {
  ASSERT_EQ(setenv("CONVOY_TEST_SET", "mine", 1), 0);
  ASSERT_EQ(unsetenv("CONVOY_TEST_UNSET"), 0);
  ChildProcess child({"sh", "-c", "test $CONVOY_TEST_SET = mine && test $CONVOY_TEST_UNSET = theirs"},
                     {.default_variables = {{"CONVOY_TEST_SET", "theirs"}, {"CONVOY_TEST_UNSET", "theirs"}}});
  EXPECT_EQ(child.wait().exit_code, 0);
  unsetenv("CONVOY_TEST_SET");
}

}  // namespace
}  // namespace convoy
