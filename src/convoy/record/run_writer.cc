#include "convoy/record/run_writer.h"

#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/folder.h"
#include "convoy/base/file/still_there.h"
#include "convoy/record/json_fields.h"
#include "convoy/record/record_text.h"
#include "convoy/record/run_info.h"
#include "convoy/record/run_record.h"

namespace convoy {

namespace {

namespace fs = std::filesystem;

template <typename Record>
void write_records(const fs::path& lines_path, const fs::path& table_path, const std::vector<Record>& records) {
  std::string lines;
  std::string table = csv_header<Record>();
  for (const Record& record : records) {
    append_json_line(lines, record);
    append_csv_row(table, record);
  }
  write_file_atomically(lines_path, lines);
  write_file_atomically(table_path, table);
}

// Writes all files except run.json. If it is interrupted at any point, what is there can be read and written again.
void write_files(const fs::path& folder, const RunRecord& run) {
  write_records(folder / kStepsFile, folder / kStepsTable, run.steps);
  write_records(folder / kEpochsFile, folder / kEpochsTable, run.epochs);
  write_records(folder / kUsageFile, folder / kUsageTable, run.usage);
  write_file_atomically(folder / kSummaryFile, json_file_text(to_json(summarize_epochs(run.epochs))));
}

void write_info(const fs::path& folder, const RunInfo& info) {
  write_file_atomically(folder / kRunFile, json_file_text(to_json(info)));
}

void drop_after(RunRecord& run, std::int64_t step) {
  std::erase_if(run.steps, [&](const StepRecord& record) { return record.step > step; });
  std::erase_if(run.usage, [&](const UsageRecord& record) { return record.step > step; });
  std::erase_if(run.epochs, [&](const EpochRecord& record) { return record.end_step > step; });
}

// Makes what run.json said before an earlier sitting of `info`.
void take_over(RunInfo before, RunInfo& info, std::int64_t step) {
  info.from_step = step;
  info.earlier_sittings = std::exchange(before.earlier_sittings, {});
  if (before.started.empty()) return;  // the old run.json was damaged
  info.earlier_sittings.push_back(std::move(before));
}

}  // namespace

RunWriter::RunWriter(const fs::path& folder, RunLock lock, std::vector<EpochRecord> epochs)
    : folder_(folder),
      lock_(std::move(lock)),
      epochs_(std::move(epochs)),
      steps_file_(folder / kStepsFile, OutputFile::Start::at_end),
      steps_table_(folder / kStepsTable, OutputFile::Start::at_end),
      epochs_file_(folder / kEpochsFile, OutputFile::Start::at_end),
      epochs_table_(folder / kEpochsTable, OutputFile::Start::at_end),
      usage_file_(folder / kUsageFile, OutputFile::Start::at_end),
      usage_table_(folder / kUsageTable, OutputFile::Start::at_end),
      watched_{folder / kRunFile, folder / kSummaryFile} {}

RunWriter RunWriter::create(const fs::path& folder, const RunInfo& info) {
  make_folder(folder);
  sync_folder(folder_of(folder));
  RunLock lock(folder);
  if (is_run_folder(folder)) {
    throw UserError("{} already holds a run: resume it or choose another folder", folder.string());
  }
  write_files(folder, {});
  write_info(folder, info);  // last: the folder counts as a run once this file exists
  return {folder, std::move(lock), {}};
}

RunWriter RunWriter::continue_from(const fs::path& folder, RunInfo info, std::int64_t step) {
  RunLock lock(folder);
  RunRecord run = read_run_to_continue(folder);
  drop_after(run, step);
  write_files(folder, run);
  take_over(std::move(run.info), info, step);
  write_info(folder, info);
  return {folder, std::move(lock), std::move(run.epochs)};
}

template <typename Record>
void RunWriter::append(const Record& record, OutputFile& lines, OutputFile& table) {
  line_.clear();
  append_json_line(line_, record);
  lines.write(line_);
  line_.clear();
  append_csv_row(line_, record);
  table.write(line_);
}

void RunWriter::add(const StepRecord& step) { append(step, steps_file_, steps_table_); }

void RunWriter::add(const UsageRecord& usage) { append(usage, usage_file_, usage_table_); }

void RunWriter::add(const EpochRecord& epoch) {
  append(epoch, epochs_file_, epochs_table_);
  epochs_.push_back(epoch);
  steps_file_.sync();
  epochs_file_.sync();
  require_there();
}

void RunWriter::require_there() const {
  lock_.require_there(folder_);
  for (const OutputFile* const file :
       {&steps_file_, &steps_table_, &epochs_file_, &epochs_table_, &usage_file_, &usage_table_}) {
    file->require_there();
  }
  for (const fs::path& file : watched_) require_still_there(file);
}

void RunWriter::write(const RunSummary& summary) {
  lock_.require_there(folder_);
  write_file_atomically(folder_ / kSummaryFile, json_file_text(to_json(summary)));
}

}  // namespace convoy
