#include "convoy/record/run_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/base/file/write_error.h"
#include "convoy/base/forked_test.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/record/run_record.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

class RunWriterTest : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    run_ = folder_ / "runs" / "one";
  }

  static RunInfo info(const std::string& argument = "first") {
    return describe_run({"convoy", argument}, {{"model", "lenet"}});
  }
  static StepRecord step(std::int64_t number, std::int64_t rank = 0) {
    return {.step = number,
            .epoch = (number + 3) / 4,
            .rank = rank,
            .samples = 32,
            .loss = 1.0 / static_cast<double>(number)};
  }
  static EpochRecord epoch(std::int64_t number) {
    return {.epoch = number, .end_step = 4 * number, .steps = 4, .samples = 128, .peak_memory_bytes = number};
  }
  // Writes epochs of four steps each, and two more steps.
  static void train(RunWriter& writer, std::int64_t first_epoch, std::int64_t last_epoch) {
    for (std::int64_t e = first_epoch; e <= last_epoch; ++e) {
      for (std::int64_t s = 4 * e - 3; s <= 4 * e; ++s) writer.add(step(s));
      writer.add(epoch(e));
    }
    writer.add(step(4 * last_epoch + 1));
    writer.add(step(4 * last_epoch + 2));
  }
  [[nodiscard]] std::vector<std::string> lines(const char* file) const {
    std::vector<std::string> lines;
    std::ifstream in(run_ / file);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }

  fs::path run_;
};

TEST_F(RunWriterTest, WhatIsWrittenIsRead) {
  RunWriter writer = RunWriter::create(run_, info());
  EXPECT_EQ(writer.folder(), run_);
  train(writer, 1, 2);
  RunSummary summary = summarize_epochs(writer.epochs());
  summary.status = RunStatus::completed;
  writer.write(summary);

  const RunRecord run = read_run(run_);
  EXPECT_EQ(run.info.command_line, info().command_line);
  EXPECT_EQ(run.info.configuration, info().configuration);
  ASSERT_EQ(run.steps.size(), 10U);
  EXPECT_EQ(run.steps[6], step(7));
  EXPECT_EQ(run.epochs, (std::vector{epoch(1), epoch(2)}));
  EXPECT_EQ(run.epochs, writer.epochs());
  EXPECT_EQ(run.summary, summary);
  EXPECT_TRUE(run.notes.empty());
}

TEST_F(RunWriterTest, TablesAreForSpreadsheets) {
  RunWriter writer = RunWriter::create(run_, info());
  train(writer, 1, 1);
  const std::vector<std::string> steps = lines("steps.csv");
  ASSERT_EQ(steps.size(), 7U);
  EXPECT_EQ(steps[0].substr(0, 24), "step,epoch,rank,samples,");
  EXPECT_EQ(steps[2], "2,1,0,32,0.5,0,0,0,0,0,0,0,") << "the last is not known";
  EXPECT_EQ(lines("epochs.csv").size(), 2U);
  const auto cells = [](const std::string& row) { return std::ranges::count(row, ','); };
  EXPECT_EQ(cells(lines("epochs.csv")[0]), cells(lines("epochs.csv")[1]));
}

TEST_F(RunWriterTest, FolderThatIsGoneIsAnErrorAtTheNextWrite) {
  RunWriter writer = RunWriter::create(run_, info());
  train(writer, 1, 1);
  fs::remove_all(run_);
  const std::string message = run_.string() + " was deleted or moved";
  EXPECT_TRUE(throws_with<SystemError>([&] { writer.add(step(7)); }, message));
  EXPECT_TRUE(throws_with<SystemError>([&] { writer.write(RunSummary{}); }, message));
  fs::create_directory(run_);
  EXPECT_TRUE(throws_with<SystemError>([&] { writer.write(RunSummary{}); }, run_.string() + " was replaced"));
  EXPECT_TRUE(fs::is_empty(run_));
}

TEST_F(RunWriterTest, EveryFileThatIsGoneIsNamed) {
  RunWriter writer = RunWriter::create(run_, info());
  put(run_ / "resolved.toml", "");
  writer.watch(run_ / "resolved.toml");
  writer.add(epoch(1));
  writer.require_there();
  for (const char* const name : {"steps.csv", "epochs.jsonl", "run.json", "summary.json", "resolved.toml"}) {
    fs::rename(run_ / name, folder_ / "away");
    EXPECT_TRUE(throws_with<SystemError>([&] { writer.require_there(); }, (run_ / name).string())) << name;
    fs::rename(folder_ / "away", run_ / name);
  }
  fs::remove(run_ / "run.json");
  EXPECT_TRUE(throws_with<SystemError>([&] { writer.add(epoch(2)); }, "run.json was deleted or moved"));
}

TEST_F(RunWriterTest, RunThatIsThereIsNotOverwritten) {
  { RunWriter::create(run_, info()).add(step(1)); }
  EXPECT_TRUE(
      throws_with<UserError>([&] { (void)RunWriter::create(run_, info()); }, run_.string() + " already holds a run"));
  EXPECT_EQ(read_run(run_).steps.size(), 1U);
}

TEST_F(RunWriterTest, FolderWithOtherFilesIsTaken) {
  fs::create_directories(run_);
  put(run_ / "notes.txt", "mine");
  (void)RunWriter::create(run_, info());
  EXPECT_EQ(read(run_ / "notes.txt"), "mine");
  EXPECT_EQ(names(run_), (std::set<std::string>{"notes.txt", "run.json", "steps.jsonl", "steps.csv", "epochs.jsonl",
                                                "epochs.csv", "usage.jsonl", "usage.csv", "summary.json"}));
}

TEST_F(RunWriterTest, KilledRunIsReadable) {
  const int code = in_child([&] {
    RunWriter writer = RunWriter::create(run_, info());
    train(writer, 1, 3);
    kill(getpid(), SIGKILL);
    return 0;
  });
  EXPECT_EQ(code, -SIGKILL);
  const RunRecord run = read_run(run_);
  EXPECT_EQ(run.steps.size(), 14U);
  EXPECT_EQ(run.epochs.size(), 3U);
  EXPECT_EQ(run.summary.status, RunStatus::running);
  EXPECT_TRUE(run.notes.empty());
}

TEST_F(RunWriterTest, GoesOnFromACheckpoint) {
  {
    RunWriter writer = RunWriter::create(run_, info("first"));
    train(writer, 1, 3);
    RunSummary summary;
    summary.status = RunStatus::failed;
    writer.write(summary);
  }
  RunWriter writer = RunWriter::continue_from(run_, info("second"), 8);
  EXPECT_EQ(writer.epochs(), (std::vector{epoch(1), epoch(2)}));
  RunRecord run = read_run(run_);
  EXPECT_EQ(run.steps.size(), 8U);
  EXPECT_EQ(run.steps.back(), step(8));
  EXPECT_EQ(run.epochs.size(), 2U);
  EXPECT_EQ(run.summary.status, RunStatus::running);
  EXPECT_EQ(run.summary.epochs, 2);
  EXPECT_EQ(lines("steps.csv").size(), 9U);
  EXPECT_EQ(lines("epochs.csv").size(), 3U);

  train(writer, 3, 3);
  run = read_run(run_);
  ASSERT_EQ(run.steps.size(), 14U);
  for (int i = 0; i < 14; ++i) EXPECT_EQ(run.steps[i], step(i + 1));
  EXPECT_EQ(run.epochs.size(), 3U);
  EXPECT_EQ(lines("steps.csv").size(), 15U);
}

TEST_F(RunWriterTest, UsageGoesOnFromTheSameStep) {
  const auto usage = [](std::int64_t step, std::int64_t rank) {
    return UsageRecord{.seconds = 0.5 * static_cast<double>(step), .step = step, .rank = rank, .cpu_use = 1.5};
  };
  UsageRecord of_machine = usage(2, 0);
  of_machine.machine_cpu_use = 3.25;
  of_machine.sent_bytes_per_second = 7;
  {
    RunWriter writer = RunWriter::create(run_, info());
    for (const UsageRecord& record : {of_machine, usage(2, 1), usage(5, 0), usage(5, 1), usage(7, 0)}) {
      writer.add(record);
    }
  }
  EXPECT_EQ(read_run(run_).usage.size(), 5U);
  RunWriter writer = RunWriter::continue_from(run_, info(), 5);
  writer.add(usage(6, 1));
  EXPECT_EQ(read_run(run_).usage, (std::vector{of_machine, usage(2, 1), usage(5, 0), usage(5, 1), usage(6, 1)}));
  EXPECT_EQ(lines("usage.csv")[1], "1,2,0,1.5,0,3.25,,7");
  EXPECT_EQ(lines("usage.csv").size(), 6U);
}

TEST_F(RunWriterTest, GoesOnWithARecordThatWasDamaged) {
  {
    RunWriter writer = RunWriter::create(run_, info("first"));
    train(writer, 1, 2);
  }
  put(run_ / "run.json", "{");
  put(run_ / "summary.json", "");
  put(run_ / "epochs.jsonl", "\xff" + read(run_ / "epochs.jsonl"));
  (void)RunWriter::continue_from(run_, info("second"), 8);
  const RunRecord run = read_run(run_);
  EXPECT_TRUE(run.notes.empty());
  EXPECT_EQ(run.info.command_line, info("second").command_line);
  EXPECT_TRUE(run.info.earlier_sittings.empty());
  EXPECT_EQ(run.info.from_step, 8);
  EXPECT_EQ(run.epochs, std::vector{epoch(2)});
  EXPECT_EQ(run.steps.size(), 8U);
  EXPECT_EQ(run.summary.epochs, 2);
}

// The run goes on from the middle of an epoch, with the steps of several ranks in any order.
TEST_F(RunWriterTest, KeepsAllRanksOfTheLastStep) {
  {
    RunWriter writer = RunWriter::create(run_, info());
    for (std::int64_t s = 1; s <= 6; ++s) {
      for (const std::int64_t rank : {2, 0, 1}) writer.add(step(s, rank));
      if (s == 4) writer.add(epoch(1));
    }
  }
  (void)RunWriter::continue_from(run_, info(), 5);
  const RunRecord run = read_run(run_);
  ASSERT_EQ(run.steps.size(), 15U);
  EXPECT_EQ(run.steps.back(), step(5, 1));
  EXPECT_EQ(run.epochs.size(), 1U);
}

TEST_F(RunWriterTest, SittingsAreRemembered) {
  (void)RunWriter::create(run_, info("first"));
  (void)RunWriter::continue_from(run_, info("second"), 0);
  (void)RunWriter::continue_from(run_, info("third"), 12);
  const RunInfo now = read_run(run_).info;
  EXPECT_EQ(now.command_line[1], "third");
  EXPECT_EQ(now.from_step, 12);
  ASSERT_EQ(now.earlier_sittings.size(), 2U);
  EXPECT_EQ(now.earlier_sittings[0].command_line[1], "first");
  EXPECT_EQ(now.earlier_sittings[1].command_line[1], "second");
  EXPECT_TRUE(now.earlier_sittings[1].earlier_sittings.empty());
}

TEST_F(RunWriterTest, LastLineThatWasCutShortIsDropped) {
  {
    RunWriter writer = RunWriter::create(run_, info());
    train(writer, 1, 1);
  }
  std::ofstream(run_ / "steps.jsonl", std::ios::app) << "{\"step\":7,\"ep";
  std::ofstream(run_ / "epochs.jsonl", std::ios::app) << std::string(100, '\0');
  EXPECT_EQ(read_run(run_).notes.size(), 2U);
  RunWriter writer = RunWriter::continue_from(run_, info(), 6);
  writer.add(step(7));
  const RunRecord run = read_run(run_);
  EXPECT_TRUE(run.notes.empty());
  EXPECT_EQ(run.steps.back(), step(7));
}

TEST_F(RunWriterTest, OneWriterAtATime) {
  {
    const RunWriter writer = RunWriter::create(run_, info());
    EXPECT_TRUE(throws_with<UserError>([&] { (void)RunWriter::continue_from(run_, info(), 0); }, "another process"));
    EXPECT_TRUE(throws_with<UserError>([&] { (void)RunWriter::create(run_, info()); }, "another process"));
    EXPECT_TRUE(read_run(run_).notes.empty()) << "reading is always allowed";
  }
  (void)RunWriter::continue_from(run_, info(), 0);
}

TEST_F(RunWriterTest, CannotGoOnWithoutARun) {
  EXPECT_TRUE(throws_with<DataError>([&] { (void)RunWriter::continue_from(run_, info(), 0); }, "is not a run"));
}

TEST_F(RunWriterTest, FullDiskIsAnErrorThatLeavesARecord) {
  const int code = in_child([&] {
    RunWriter writer = RunWriter::create(run_, info());
    limit_file_size(5000);
    const auto train_on = [&] {
      for (std::int64_t s = 1; s < 100; ++s) writer.add(step(s));
    };
    return throws_with<WriteError>(train_on, (run_ / "steps.jsonl").string() + ": File too large") ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
  const RunRecord run = read_run(run_);
  EXPECT_GT(run.steps.size(), 10U);
  EXPECT_TRUE(run.notes.empty()) << "half a line was left";
}

TEST_F(RunWriterTest, FolderThatMayNotBeWritten) {
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_exec);
  const int code = in_child([&] {
    if (!become_nobody()) return 2;
    const auto create = [&] { (void)RunWriter::create(run_, info()); };
    return throws_with<WriteError>(create, run_.string() + ": Permission denied") ? 0 : 1;
  });
  fs::permissions(folder_, fs::perms::owner_all);
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace convoy
