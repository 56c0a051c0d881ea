#include "convoy/record/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/file/input_file.h"
#include "convoy/record/record_text.h"

namespace convoy {

namespace {

namespace fs = std::filesystem;

// A line of a file.
struct Line {
  std::string text;
  std::size_t number;  // counted from 1
  bool ended;          // whether it ended with a newline; if not, it may have been cut short
};

std::vector<Line> lines_of(const fs::path& path) {
  const std::string text = read_file(path);
  std::vector<Line> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back({text.substr(begin, end - begin), lines.size() + 1, end < text.size()});
    begin = end + 1;
  }
  return lines;
}

bool comes_after(const StepRecord& before, const StepRecord& record) { return record.step >= before.step; }
bool comes_after(const UsageRecord& before, const UsageRecord& record) { return record.step >= before.step; }
bool comes_after(const EpochRecord& before, const EpochRecord& record) {
  return record.epoch > before.epoch && record.end_step >= before.end_step;
}

void require_sense(const StepRecord& record) {
  if (record.step < 1) throw DataError("'step' is {}", record.step);
}
void require_sense(const EpochRecord& record) {
  if (record.epoch < 1) throw DataError("'epoch' is {}", record.epoch);
}
void require_sense(const UsageRecord& record) {
  if (record.step < 0 || record.rank < 0) throw DataError("'step' is {}, 'rank' {}", record.step, record.rank);
  if (!std::isfinite(record.seconds)) throw DataError("'seconds' is not a number");
}

// Collects the records of a file's lines, leaving out damaged ones.
template <typename Record>
class LineReader {
 public:
  LineReader(const fs::path& path, std::vector<std::string>& notes) : path_(path), notes_(notes) {}

  void add(const Line& line) {
    try {
      const auto record = record_from<Record>(parse_json(line.text));
      require_sense(record);
      if (!follows(record)) throw DataError("it does not come after the line before");
      records_.push_back(record);
      numbers_.push_back(line.number);
    } catch (const DataError& error) {
      leave_out(line.number, line.ended ? error.what() : "cut short");
    }
  }

  [[nodiscard]] std::vector<Record> take() { return std::move(records_); }

 private:
  // Whether the record comes after the last one. If the last one is the odd one of the three, it is removed instead:
  // otherwise a single damaged number that became too large would make all later lines look wrong.
  bool follows(const Record& record) {
    if (records_.empty() || comes_after(records_.back(), record)) return true;
    if (records_.size() > 1 && !comes_after(records_[records_.size() - 2], record)) return false;
    leave_out(numbers_.back(), "the next line does not come after it");
    records_.pop_back();
    numbers_.pop_back();
    return true;
  }

  void leave_out(std::size_t number, const std::string& why) {
    notes_.push_back(fmt::format("{}:{}: the line is damaged and left out ({})", path_.string(), number, why));
  }

  const fs::path& path_;
  std::vector<std::string>& notes_;
  std::vector<Record> records_;
  std::vector<std::size_t> numbers_;  // the line numbers of the records
};

template <typename Record>
std::vector<Record> read_lines(const fs::path& path, std::vector<std::string>& notes) {
  LineReader<Record> reader(path, notes);
  for (const Line& line : lines_of(path)) reader.add(line);
  return reader.take();
}

// Reads a JSON file and converts it by `convert`; adds the path to the errors of `convert`.
template <typename Convert>
auto read_object(const fs::path& path, Convert convert) {
  const nlohmann::ordered_json json = read_json_file(path);
  try {
    return convert(json);
  } catch (const DataError& error) {
    throw DataError("{}: {}", path.string(), error.what());
  } catch (const UserError& error) {
    throw UserError("{}: {}", path.string(), error.what());
  }
}

// Whether the record has all epochs that were planned; false when its settings do not say.
bool has_all_epochs(const RunRecord& run) {
  const auto& configuration = run.info.configuration;
  const auto planned = configuration.is_object() ? configuration.find("epochs") : configuration.end();
  return planned != configuration.end() && planned->is_number_integer() && !run.epochs.empty() &&
         run.epochs.back().epoch >= planned->get<std::int64_t>();
}

RunSummary read_summary(const fs::path& path, RunRecord& run) {
  try {
    return read_object(path, run_summary_from);
  } catch (const DataError& error) {
    run.notes.push_back(
        fmt::format("{}; the summary is made anew from the epochs, without results of single classes", error.what()));
  }
  RunSummary summary = summarize_epochs(run.epochs);
  if (has_all_epochs(run)) summary.status = RunStatus::completed;
  if (!run.steps.empty()) summary.steps = std::max(summary.steps, run.steps.back().step);
  return summary;
}

RunRecord read_after_info(const fs::path& folder, RunInfo info, std::vector<std::string> notes) {
  RunRecord run;
  run.folder = folder;
  run.info = std::move(info);
  run.notes = std::move(notes);
  run.steps = read_lines<StepRecord>(folder / kStepsFile, run.notes);
  run.epochs = read_lines<EpochRecord>(folder / kEpochsFile, run.notes);
  // Earlier versions do not have this file, and nothing else depends on it.
  if (fs::exists(folder / kUsageFile)) run.usage = read_lines<UsageRecord>(folder / kUsageFile, run.notes);
  run.summary = read_summary(folder / kSummaryFile, run);
  return run;
}

// No value when the file is damaged; `damage` then says how.
std::optional<RunInfo> read_info(const fs::path& folder, std::string& damage) {
  if (!is_run_folder(folder)) throw DataError("{} is not a run: it has no {}", folder.string(), kRunFile);
  try {
    return read_object(folder / kRunFile, run_info_from);
  } catch (const DataError& error) {
    damage = error.what();
    return std::nullopt;
  }
}

}  // namespace

RunRecord read_run(const fs::path& folder) {
  std::string damage;
  std::optional<RunInfo> info = read_info(folder, damage);
  if (info) return read_after_info(folder, std::move(*info), {});
  throw DataError("{}; `convoy train --resume {}` writes it anew, also for a run that is done", damage,
                  folder.string());
}

RunRecord read_run_to_continue(const fs::path& folder) {
  std::string damage;
  std::optional<RunInfo> info = read_info(folder, damage);
  if (info) return read_after_info(folder, std::move(*info), {});
  return read_after_info(folder, {},
                         {fmt::format("{}; it is written anew, without what it said of earlier sittings", damage)});
}

bool is_run_folder(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / kRunFile, error);
}

}  // namespace convoy
