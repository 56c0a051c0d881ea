// Writes the record of a run while it runs. What was written can be read even after the process was killed.
//
//   RunWriter writer = RunWriter::create(folder, describe_run(command_line, configuration));
//   ...
//   writer.add(StepRecord{.step = 1, .epoch = 1, .samples = 128, .loss = 2.3});
//   ...
//   writer.add(EpochRecord{.epoch = 1, .end_step = 391, .steps = 391});  // then save the checkpoint of this epoch
//   ...
//   RunSummary summary = summarize_epochs(writer.epochs());
//   summary.status = RunStatus::completed;
//   writer.write(summary);
//
// and to go on from a checkpoint:
//
//   RunWriter writer = RunWriter::continue_from(folder, describe_run(command_line, configuration), checkpoint.step);
//   const double elapsed_before = writer.epochs().empty() ? 0 : writer.epochs().back().elapsed_seconds;
//
// With several ranks only rank 0 has a writer and adds the steps of all. All errors of writing are SystemErrors with
// path and reason. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "convoy/base/file/output_file.h"
#include "convoy/record/epoch_record.h"
#include "convoy/record/run_info.h"
#include "convoy/record/run_lock.h"
#include "convoy/record/run_summary.h"
#include "convoy/record/step_record.h"
#include "convoy/record/usage_record.h"

namespace convoy {

class RunWriter {
 public:
  // Starts a record; makes the folder if it does not exist. Throws UserError when it already holds a run.
  [[nodiscard]] static RunWriter create(const std::filesystem::path& folder, const RunInfo& info);

  // Continues a record after its first `step` steps: lines of later steps and of epochs that end later are dropped, and
  // so is what is damaged. `info` becomes the run's info, and the old one an earlier sitting. Throws what
  // read_run_to_continue() throws, and UserError when another process is writing the run.
  [[nodiscard]] static RunWriter continue_from(const std::filesystem::path& folder, RunInfo info, std::int64_t step);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  // All epochs of the run so far, including earlier sittings.
  [[nodiscard]] const std::vector<EpochRecord>& epochs() const { return epochs_; }

  // The step survives the end of this process at once, and a crash of the machine once the next epoch was added. Takes
  // a few microseconds.
  void add(const StepRecord& step);

  // The same. The step must not be lower than that of the sample before.
  void add(const UsageRecord& usage);

  // When this returns, the epoch and all steps before it are safely on the disk.
  void add(const EpochRecord& epoch);

  // Replaces the summary; also used while the run goes on.
  void write(const RunSummary& summary);

  // Registers a file that somebody else wrote into the run's folder and that must stay there from now on.
  void watch(std::filesystem::path file) { watched_.push_back(std::move(file)); }

  // Throws SystemError with the name when the folder or a file of the run was deleted, moved or replaced. Every write
  // checks this for the file it writes; the end of an epoch checks all of them.
  void require_there() const;

 private:
  RunWriter(const std::filesystem::path& folder, RunLock lock, std::vector<EpochRecord> epochs);

  template <typename Record>
  void append(const Record& record, OutputFile& lines, OutputFile& table);

  std::filesystem::path folder_;
  RunLock lock_;
  std::vector<EpochRecord> epochs_;
  OutputFile steps_file_;
  OutputFile steps_table_;
  OutputFile epochs_file_;
  OutputFile epochs_table_;
  OutputFile usage_file_;
  OutputFile usage_table_;
  std::vector<std::filesystem::path> watched_;
  std::string line_;  // a member, so that a step allocates nothing
};

}  // namespace convoy
