#include "convoy/cli/launch/mpirun_output.h"

#include <gtest/gtest.h>

#include "convoy/cli/launch/launcher_lines.h"

namespace convoy::cli {
namespace {

const std::string kRule = std::string(74, '-') + "\n";

struct Filtered {
  std::string passed;
  MpirunOutput output{[this](std::string_view text) { passed += text; }};

  void take(const std::string& text, std::size_t piece = 1) {
    for (std::size_t i = 0; i < text.size(); i += piece) output.take(std::string_view(text).substr(i, piece));
  }
};

TEST(MpirunOutput, WordsOfRanksGoOnUnchanged) {
  for (const std::size_t piece : {1U, 3U, 1000U}) {
    Filtered filtered;
    const std::string text = "error: a\nmodel b\n- c\n---\n[d]\nssh is used\n\nlast";
    filtered.take(text, piece);
    filtered.output.finish();
    EXPECT_EQ(filtered.passed, text);
    EXPECT_EQ(filtered.output.complaint(), "");
  }
}

TEST(MpirunOutput, ProgressGoesOnBeforeItsLineEnds) {
  Filtered filtered;
  filtered.take("\repoch 1", 1000);
  EXPECT_EQ(filtered.passed, "\repoch 1");
}

TEST(MpirunOutput, RepetitionsAreKeptBack) {
  Filtered filtered;
  filtered.take("error: this is wrong\n" + kRule +
                "MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD\nwith errorcode 5.\n" + kRule +
                "mpirun: Forwarding signal 10 to job\n"
                "[vm:1] 1 more process has sent help message help-mpi-api.txt / mpi-abort\n" +
                kRule + "Primary job  terminated normally, but 1 process returned\na non-zero exit code.\n" + kRule);
  filtered.output.finish();
  EXPECT_EQ(filtered.passed, "error: this is wrong\n");
  EXPECT_EQ(filtered.output.complaint(), "");
  EXPECT_FALSE(filtered.output.killed().has_value());
}

TEST(MpirunOutput, ARankTellsTheCodeItEndsTheRunWith) {
  const std::string warning = kRule + "There is no network card of the best kind\n" + kRule;
  for (const std::size_t piece : {1U, 1000U}) {
    Filtered filtered;
    filtered.take("error: this is wrong\n", piece);
    filtered.take(warning, piece);
    EXPECT_FALSE(filtered.output.state().failed);
    EXPECT_FALSE(filtered.output.end_code().has_value());
    filtered.take(end_notice(3) + "more\n", piece);
    EXPECT_TRUE(filtered.output.state().failed);
    EXPECT_EQ(filtered.output.end_code(), 3);
    EXPECT_EQ(filtered.passed, "error: this is wrong\nmore\n");
  }
}

TEST(MpirunOutput, ARankTellsWhereTheRunIsRecorded) {
  Filtered filtered;
  filtered.take("one\n" + folder_notice("/runs/a b") + "two\n", 1);
  EXPECT_EQ(filtered.output.run_folder(), "/runs/a b");
  EXPECT_FALSE(filtered.output.state().failed);
  EXPECT_EQ(filtered.passed, "one\ntwo\n");
}

TEST(MpirunOutput, ARankTellsThatItListensAndHasHeard) {
  for (const std::size_t piece : {1, 7, 1000}) {
    Filtered filtered;
    filtered.take(listening_notice(), piece);
    EXPECT_TRUE(filtered.output.state().listening);
    EXPECT_FALSE(filtered.output.state().heard);
    // A notice that another thread writes in the middle of a line.
    filtered.take("epoch 1 of 9" + heard_notice() + "0\r- step 2", piece);
    EXPECT_TRUE(filtered.output.state().heard);
    EXPECT_EQ(filtered.passed, "epoch 1 of 90\r- step 2");
  }
}

TEST(MpirunOutput, ARankThatAbortsFailsTheRun) {
  Filtered filtered;
  filtered.take(kRule + "MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD\nwith errorcode 3.\n" + kRule);
  EXPECT_TRUE(filtered.output.state().failed);
}

TEST(MpirunOutput, ALostHostFailsTheRun) {
  Filtered filtered;
  filtered.take(kRule + "ORTE has lost communication with a remote daemon.\n" + kRule);
  EXPECT_TRUE(filtered.output.state().failed);
  EXPECT_FALSE(filtered.output.end_code().has_value());
  EXPECT_NE(filtered.output.complaint(), "");
}

TEST(MpirunOutput, ARankThatWasKilledIsNamed) {
  Filtered filtered;
  filtered.take(kRule + "mpirun noticed that process rank 12 with PID 0 on node node-3 exited on signal 9 (Killed).\n" +
                kRule);
  filtered.output.finish();
  ASSERT_TRUE(filtered.output.killed().has_value());
  EXPECT_EQ(filtered.output.killed()->rank, 12);
  EXPECT_EQ(filtered.output.killed()->host, "node-3");
  EXPECT_EQ(filtered.output.killed()->signal, 9);
  EXPECT_EQ(filtered.passed, "");
}

TEST(MpirunOutput, WhyItCouldNotStartIsAComplaint) {
  Filtered filtered;
  filtered.take(kRule + "There are not enough slots available\n" + kRule);
  filtered.output.finish();
  EXPECT_EQ(filtered.output.complaint(), "There are not enough slots available\n");
}

TEST(MpirunOutput, AHostThatCannotBeReachedIsNoComplaintButItsReason) {
  Filtered filtered;
  filtered.take("ssh: connect to host b port 22: Connection refused\r\n" + kRule +
                "ORTE was unable to reliably start one or more daemons.\nThis usually is caused by:\n" + kRule);
  filtered.output.finish();
  EXPECT_TRUE(filtered.output.unreachable());
  EXPECT_EQ(filtered.output.ssh_words(), "ssh: connect to host b port 22: Connection refused");
  EXPECT_EQ(filtered.output.complaint(), "");
  EXPECT_EQ(filtered.passed, "");
}

TEST(MpirunOutput, ABlockThatDoesNotEndIsNotLost) {
  Filtered filtered;
  filtered.take(kRule + "something\n");
  filtered.output.finish();
  EXPECT_EQ(filtered.output.complaint(), "something\n");
}

}  // namespace
}  // namespace convoy::cli
