#include "convoy/study/log/csv_log.h"

#include <array>
#include <cmath>

#include "convoy/base/error.h"
#include "convoy/base/file/input_file.h"
#include "convoy/study/log/csv_table.h"

namespace convoy::study {

namespace {

const std::vector<std::string> kColumns = {
    "epoch",         "samples_per_second",    "seconds", "samples", "loss",  "accuracy", "accuracy_percent",
    "test_accuracy", "test_accuracy_percent", "rank",    "workers", "batch", "threads"};

constexpr std::array kSettings = {"workers", "batch", "threads"};

// A cell as a whole number of at least `least`.
std::optional<std::int64_t> whole_number(const CsvTable& table, std::size_t row, const char* column,
                                         std::int64_t least) {
  const auto value = table.number(row, column);
  if (!value) return std::nullopt;
  constexpr double kMost = 1e15;  // beyond that a double does not count one by one
  if (*value != std::floor(*value) || *value < static_cast<double>(least) || *value > kMost) {
    throw DataError("{}: '{}' is {}, which is no whole number from {} on", table.place(row), column, *value, least);
  }
  return static_cast<std::int64_t>(*value);
}

std::optional<double> positive_number(const CsvTable& table, std::size_t row, const char* column) {
  const auto value = table.number(row, column);
  if (value && *value <= 0) throw DataError("{}: '{}' is {}, which is not above 0", table.place(row), column, *value);
  return value;
}

// 1 - accuracy, which stands in the column `name` as a share or in `name`_percent.
std::optional<double> error_of(const CsvTable& table, std::size_t row, const std::string& name) {
  auto share = table.number(row, name);
  if (const auto percent = table.number(row, name + "_percent")) share = *percent / 100;
  if (!share) return std::nullopt;
  if (*share < 0 || *share > 1) {
    throw DataError("{}: an accuracy of {:g} %; shares belong in '{}', percentages in '{}_percent'", table.place(row),
                    100 * *share, name, name);
  }
  return 1 - *share;
}

// Any two of the three give the third.
void take_rate(const CsvTable& table, std::size_t row, ImportedEpoch& epoch) {
  const auto rate = positive_number(table, row, "samples_per_second");
  const auto seconds = positive_number(table, row, "seconds");
  const auto samples = positive_number(table, row, "samples");
  if (static_cast<int>(rate.has_value()) + seconds.has_value() + samples.has_value() < 2) {
    throw DataError("{}: two of samples_per_second, seconds and samples are needed", table.place(row));
  }
  epoch.samples = samples ? *samples : *rate * *seconds;
  epoch.seconds = seconds ? *seconds : *samples / *rate;
  epoch.samples_per_second = rate ? *rate : *samples / *seconds;
}

ImportedEpoch epoch_at(const CsvTable& table, std::size_t row) {
  const auto number = whole_number(table, row, "epoch", 1);
  if (!number) throw DataError("{}: no epoch", table.place(row));
  ImportedEpoch epoch;
  epoch.epoch = *number;
  epoch.rank = whole_number(table, row, "rank", 0);
  epoch.loss = table.number(row, "loss");
  epoch.error = error_of(table, row, "accuracy");
  epoch.test_error = error_of(table, row, "test_accuracy");
  take_rate(table, row, epoch);
  return epoch;
}

// One value in all rows, which the name of the file does not contradict.
void take_setting(const CsvTable& table, std::size_t row, const char* key,
                  std::map<std::string, std::string>& settings) {
  const auto value = whole_number(table, row, key, 1);
  if (!value) return;
  const auto [said, is_new] = settings.try_emplace(key, std::to_string(*value));
  if (is_new || said->second == std::to_string(*value)) return;
  throw DataError("{}: {} {} after {} {} in a row above or in the file's name: a log holds one run", table.place(row),
                  key, *value, key, said->second);
}

}  // namespace

ImportedLog parse_csv_log(std::string_view text, const std::string& name) {
  const CsvTable table(text, name);
  table.require_known(kColumns);
  if (table.rows() == 0) throw DataError("{}: no row below the column names", name);
  ImportedLog log;
  log.name = name;
  log.system = "CSV";
  log.settings = settings_from_name(name);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const ImportedEpoch epoch = epoch_at(table, row);
    if (!log.lines.empty() && epoch.epoch < log.lines.back().epoch) {
      throw DataError("{}: epoch {} comes after epoch {}", table.place(row), epoch.epoch, log.lines.back().epoch);
    }
    for (const char* const key : kSettings) take_setting(table, row, key, log.settings);
    log.lines.push_back(epoch);
  }
  return log;
}

ImportedLog read_csv_log(const std::filesystem::path& path) { return parse_csv_log(read_file(path), path.string()); }

}  // namespace convoy::study
