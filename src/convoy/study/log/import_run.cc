#include "convoy/study/log/import_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

#include "convoy/base/check.h"
#include "convoy/base/error.h"
#include "convoy/record/run_writer.h"

namespace convoy::study {

namespace {

using Lines = std::span<const ImportedEpoch>;

// The lines about the first epoch.
Lines first_epoch(Lines lines) {
  const auto end = std::ranges::find_if(lines, [&](const auto& line) { return line.epoch != lines.front().epoch; });
  return {lines.begin(), end};
}

// The mean over the lines that have it; NaN if none has.
double mean_of(Lines lines, std::optional<double> ImportedEpoch::*member) {
  double sum = 0;
  int count = 0;
  for (const ImportedEpoch& line : lines) {
    if (!(line.*member)) continue;
    sum += *(line.*member);
    ++count;
  }
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / count;
}

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double known_or_nan(double value) { return value > 0 ? value : kUnknown; }

EpochRecord epoch_record(Lines lines, const EpochRecord* before) {
  EpochRecord record;
  record.epoch = lines.front().epoch;
  record.end_step = record.epoch;
  record.steps = 1;
  record.samples = std::llround(std::ranges::max(lines, {}, &ImportedEpoch::samples).samples);
  record.train_loss = mean_of(lines, &ImportedEpoch::loss);
  record.train_accuracy = 1 - mean_of(lines, &ImportedEpoch::error);
  if (const double error = mean_of(lines, &ImportedEpoch::test_error); !std::isnan(error)) record.test_top1 = 1 - error;
  if (const double loss = mean_of(lines, &ImportedEpoch::test_loss); !std::isnan(loss)) record.test_loss = loss;
  record.learning_rate = kUnknown;
  record.times.seconds = known_or_nan(std::ranges::max(lines, {}, &ImportedEpoch::seconds).seconds);
  // Samples divided by seconds if both are known, otherwise what the log prints.
  record.samples_per_second = record.samples > 0 && !std::isnan(record.times.seconds)
                                  ? static_cast<double>(record.samples) / record.times.seconds
                                  : known_or_nan(lines.front().samples_per_second);
  record.elapsed_seconds = record.times.seconds + (before != nullptr ? before->elapsed_seconds : 0);
  return record;
}

void add_steps(Lines lines, std::vector<StepRecord>& steps) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const ImportedEpoch& line = lines[i];
    steps.push_back({.step = line.epoch,
                     .epoch = line.epoch,
                     .rank = line.rank.value_or(static_cast<std::int64_t>(i)),
                     .samples = std::llround(line.samples / static_cast<double>(lines.size())),
                     .loss = line.loss.value_or(kUnknown),
                     .learning_rate = kUnknown,
                     .times = {.seconds = known_or_nan(line.seconds)}});
  }
}

std::optional<std::int64_t> count_setting(const ImportedLog& log, const char* key) {
  const auto found = log.settings.find(key);
  if (found == log.settings.end()) return std::nullopt;
  const std::string& text = found->second;
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1) {
    throw UserError("{}: {} are '{}', which is not a number from 1 on", log.name, key, text);
  }
  return count;
}

// The lines, with the samples of an epoch filled in if only the user says them.
std::vector<ImportedEpoch> completed_lines(const ImportedLog& log) {
  std::vector<ImportedEpoch> lines = log.lines;
  const auto samples = count_setting(log, kSamplesSetting);
  for (ImportedEpoch& line : lines) {
    if (line.samples == 0 && samples) line.samples = static_cast<double>(*samples);
  }
  return lines;
}

void add_line_notes(Lines lines, std::size_t usual, std::vector<std::string>& notes) {
  const ImportedEpoch& first = lines.front();
  if (lines.size() != usual) {
    notes.push_back(fmt::format("epoch {} has {} lines, the first epoch {}", first.epoch, lines.size(), usual));
  }
  if (std::ranges::any_of(lines, [&](const ImportedEpoch& line) { return line.samples != first.samples; })) {
    notes.push_back(fmt::format("lines of epoch {} differ in their samples: the most are taken", first.epoch));
  }
}

bool is_cut_short(const ImportedLog& log) {
  return log.lines.back().epoch < log.announced_epochs && !log.lines.back().test_error;
}

RunInfo info_of(const ImportedLog& log, const ImportedRecords& records, const std::vector<std::string>& command_line) {
  nlohmann::ordered_json configuration = {{"imported", true}, {"system", log.system}, {"log", log.name}};
  for (const auto& [name, value] : log.settings) configuration[name] = value;
  configuration["notes"] = records.notes;
  RunInfo info = describe_run(command_line, std::move(configuration));
  info.hosts.clear();  // it did not run here
  info.ranks = count_setting(log, "workers").value_or(std::ssize(first_epoch(log.lines)));
  return info;
}

}  // namespace

ImportedRecords records_from(const ImportedLog& log) {
  CONVOY_CHECK(!log.lines.empty());
  ImportedRecords records;
  records.notes = log.notes;
  const std::vector<ImportedEpoch> all = completed_lines(log);
  const std::size_t usual = first_epoch(all).size();
  const auto workers = count_setting(log, "workers");
  const bool one_line_is_usual = log.system != "CNTK";  // with CNTK every rank prints its own line
  if (workers && (usual > 1 || !one_line_is_usual) && *workers != static_cast<std::int64_t>(usual)) {
    records.notes.push_back(
        fmt::format("{} lines for each epoch of {} worker{}", usual, *workers, *workers == 1 ? "" : "s"));
  }
  for (Lines rest = all; !rest.empty();) {
    const Lines lines = first_epoch(rest);
    add_line_notes(lines, usual, records.notes);
    add_steps(lines, records.steps);
    records.epochs.push_back(epoch_record(lines, records.epochs.empty() ? nullptr : &records.epochs.back()));
    rest = rest.subspan(lines.size());
  }
  if (const std::int64_t last = log.lines.back().epoch; last < log.announced_epochs) {
    records.notes.push_back(fmt::format("the log ends with epoch {} of {}", last, log.announced_epochs));
  }
  return records;
}

void import_run(const ImportedLog& log, const std::filesystem::path& folder,
                const std::vector<std::string>& command_line) {
  const ImportedRecords records = records_from(log);
  RunWriter writer = RunWriter::create(folder, info_of(log, records, command_line));
  for (const StepRecord& step : records.steps) writer.add(step);
  for (const EpochRecord& epoch : records.epochs) writer.add(epoch);
  RunSummary summary = summarize_epochs(writer.epochs());
  summary.status = is_cut_short(log) ? RunStatus::interrupted : RunStatus::completed;
  if (is_cut_short(log)) summary.reason = records.notes.back();
  writer.write(summary);
}

}  // namespace convoy::study
