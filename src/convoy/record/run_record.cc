#include "convoy/record/run_record.h"

#include <fmt/format.h>

#include <string_view>
#include <system_error>

#include "convoy/base/error.h"
#include "convoy/base/input_file.h"
#include "convoy/record/record_text.h"

namespace convoy {

namespace {

namespace fs = std::filesystem;

// A piece of a file that is read line by line.
struct Line {
  std::string text;
  std::size_t number;  // from 1
  bool ended;          // by a newline; without one it may have been cut short
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
bool comes_after(const EpochRecord& before, const EpochRecord& record) {
  return record.epoch > before.epoch && record.end_step >= before.end_step;
}

template <typename Record>
void add_line(const Line& line, std::vector<Record>& records) {
  const auto record = record_from<Record>(parse_json(line.text));
  if (!records.empty() && !comes_after(records.back(), record)) {
    throw DataError("it does not come after the line before");
  }
  records.push_back(record);
}

template <typename Record>
std::vector<Record> read_lines(const fs::path& path, std::vector<std::string>& notes) {
  std::vector<Record> records;
  for (const Line& line : lines_of(path)) {
    try {
      add_line(line, records);
    } catch (const DataError& error) {
      if (line.ended) throw DataError("{}:{}: {}", path.string(), line.number, error.what());
      notes.push_back(fmt::format("{}:{}: the last line was cut short and is left out", path.string(), line.number));
    }
  }
  return records;
}

// Reads a JSON file by `convert`, whose errors get the path.
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

}  // namespace

RunRecord read_run(const fs::path& folder) {
  if (!is_run_folder(folder)) throw DataError("{} is no run: it has no {}", folder.string(), kRunFile);
  RunRecord run;
  run.folder = folder;
  run.info = read_object(folder / kRunFile, run_info_from);
  run.steps = read_lines<StepRecord>(folder / kStepsFile, run.notes);
  run.epochs = read_lines<EpochRecord>(folder / kEpochsFile, run.notes);
  run.summary = read_object(folder / kSummaryFile, run_summary_from);
  return run;
}

bool is_run_folder(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / kRunFile, error);
}

}  // namespace convoy
