#include "convoy/study/log/csv_log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/nearest.h"
#include "convoy/base/printable_text.h"
#include "convoy/study/log/csv_table.h"
#include "convoy/study/log/log_text.h"

namespace convoy::study {

namespace {

// The names that a column may have, Convoy's own first.
const std::vector<std::vector<std::string>> kColumnNames = {
    {"epoch"},
    {"samples_per_second", "images_per_second", "samples_per_sec", "images_per_sec", "throughput"},
    {"seconds", "epoch_seconds", "epoch_time", "epoch_time_seconds", "time"},
    {"samples", "images"},
    {"loss", "train_loss", "training_loss"},
    {"test_loss", "val_loss", "validation_loss"},
    {"accuracy", "acc", "train_accuracy", "train_acc", "training_accuracy", "categorical_accuracy",
     "sparse_categorical_accuracy", "binary_accuracy"},
    {"test_accuracy", "test_acc", "val_accuracy", "val_acc", "validation_accuracy", "val_categorical_accuracy",
     "val_sparse_categorical_accuracy", "val_binary_accuracy"},
    {"error", "train_error", "training_error"},
    {"test_error", "val_error", "validation_error"},
    {"rank"},
    {"workers", "nodes", "ranks", "gpus"},
    {"batch", "batch_size", "minibatch", "minibatch_size"},
    {"threads"},
    {"model", "network"},
    {"run"},
    {"learning_rate", "lr"}};

constexpr std::array kSettingColumns = {"workers", "batch", "threads", "model"};
constexpr std::string_view kPercentEnding = "_percent";

// "Test accuracy (%)" becomes test_accuracy_percent, "Epoch time (s)" becomes epoch_time_s without its unit.
std::string plain_column(std::string_view column) {
  std::string plain;
  for (const char c : column) {
    if (c == '%') plain += "percent";
    const auto byte = static_cast<unsigned char>(c);
    const bool is_between = c == ' ' || c == '_' || c == '-' || c == '/' || c == '(';
    if (is_between && !plain.empty() && plain.back() != '_') plain += '_';
    if (std::isalnum(byte) != 0) plain += static_cast<char>(std::tolower(byte));
  }
  while (plain.ends_with('_')) plain.pop_back();
  if (plain.ends_with("_s") && plain != "samples_s" && plain != "images_s") plain.resize(plain.size() - 2);
  return plain;
}

// A table whose columns can be found by Convoy's names.
class EpochTable {
 public:
  EpochTable(std::string_view text, const std::string& name) : table_(text, name) {
    for (const std::string& column : table_.columns()) {
      const std::string own = own_name(column, name);
      if (own.empty()) continue;
      if (!columns_.try_emplace(own, column).second) {
        throw DataError("{}: two columns say '{}'", name, own);
      }
    }
  }

  [[nodiscard]] std::size_t rows() const { return table_.rows(); }
  [[nodiscard]] std::string place(std::size_t row) const { return table_.place(row); }

  [[nodiscard]] std::string text(std::size_t row, const std::string& column) const {
    const auto found = columns_.find(column);
    return found == columns_.end() ? "" : table_.text(row, found->second);
  }
  [[nodiscard]] std::optional<double> number(std::size_t row, const std::string& column) const {
    const auto found = columns_.find(column);
    return found == columns_.end() ? std::nullopt : table_.number(row, found->second);
  }

 private:
  // Keras' CSVLogger writes every metric twice, for training and for validation data.
  [[nodiscard]] bool is_keras_metric(const std::string& column) const {
    constexpr std::string_view kValidation = "val_";
    return column.starts_with(kValidation) ? table_.has_column(column.substr(kValidation.size()))
                                           : table_.has_column(std::string(kValidation) + column);
  }

  // Convoy's name for a column; empty for one that is skipped.
  [[nodiscard]] std::string own_name(const std::string& column, const std::string& file) const {
    std::string plain = plain_column(column);
    const bool is_percent = plain.ends_with(kPercentEnding);
    if (is_percent) plain.resize(plain.size() - kPercentEnding.size());
    std::vector<std::string> known;
    std::vector<std::string> own;
    for (const auto& names : kColumnNames) {
      const bool may_be_percent = names.front().ends_with("accuracy") || names.front().ends_with("error");
      if (std::ranges::find(names, plain) != names.end() && (!is_percent || may_be_percent)) {
        return names.front() + (is_percent ? std::string(kPercentEnding) : "");
      }
      known.insert(known.end(), names.begin(), names.end());
      own.push_back(names.front());
    }
    if (is_keras_metric(column)) return "";
    const auto nearest = nearest_name(plain, known);
    throw DataError("{}: the column '{}' is not known{}; known are {}, and other common names of these", file,
                    quoted_text(column), nearest ? "; did you mean '" + *nearest + "'?" : "", fmt::join(own, ", "));
  }

  CsvTable table_;
  std::map<std::string, std::string> columns_;  // by Convoy's name
};

// A cell as a whole number that is at least `least`.
std::optional<std::int64_t> whole_number(const EpochTable& table, std::size_t row, const char* column,
                                         std::int64_t least) {
  const auto value = table.number(row, column);
  if (!value) return std::nullopt;
  constexpr double kMost = 1e15;  // larger doubles cannot represent every whole number
  if (*value != std::floor(*value) || *value < static_cast<double>(least) || *value > kMost) {
    throw DataError("{}: '{}' is {}, which is not a whole number from {} on", table.place(row), column, *value, least);
  }
  return static_cast<std::int64_t>(*value);
}

std::optional<double> positive_number(const EpochTable& table, std::size_t row, const char* column) {
  const auto value = table.number(row, column);
  if (value && *value <= 0) throw DataError("{}: '{}' is {}, which is not above 0", table.place(row), column, *value);
  return value;
}

struct ShareCell {
  double value = 0;
  bool has_sign = false;  // "40.1%"
};

// A number, with or without a percent sign.
std::optional<ShareCell> share_cell(const EpochTable& table, std::size_t row, const std::string& column) {
  std::string text = table.text(row, column);
  if (!text.ends_with('%')) {
    const auto value = table.number(row, column);
    return value ? std::optional(ShareCell{.value = *value}) : std::nullopt;
  }
  text.pop_back();
  while (text.ends_with(' ')) text.pop_back();
  const auto value = number_in(text);
  if (!value) throw DataError("{}: '{}' in column '{}' is not a number", table.place(row), quoted_text(text), column);
  return ShareCell{.value = *value, .has_sign = true};
}

// The column `name`, as a share or with a percent sign, or the column `name`_percent.
std::optional<double> share_in(const EpochTable& table, std::size_t row, const std::string& name) {
  const auto plain = share_cell(table, row, name);
  const auto percent = share_cell(table, row, name + std::string(kPercentEnding));
  std::optional<double> share;
  if (plain) share = plain->has_sign ? plain->value / 100 : plain->value;
  if (percent) share = percent->value / 100;
  if (share && (!std::isfinite(*share) || *share < 0 || *share > 1)) {
    throw DataError("{}: an {} of {:g} %; shares belong in '{}', percentages in '{}_percent' or before a percent sign",
                    table.place(row), name.ends_with("error") ? "error" : "accuracy", 100 * *share, name, name);
  }
  return share;
}

// The error if it is given, otherwise 1 - accuracy.
std::optional<double> error_of(const EpochTable& table, std::size_t row, const std::string& prefix) {
  const auto error = share_in(table, row, prefix + "error");
  const auto accuracy = share_in(table, row, prefix + "accuracy");
  if (error && accuracy && std::abs(*error + *accuracy - 1) > 0.01) {
    throw DataError("{}: an error of {:g} % and an accuracy of {:g} %", table.place(row), 100 * *error,
                    100 * *accuracy);
  }
  return accuracy ? std::optional(1 - *accuracy) : error;
}

// Any two of the three numbers give the third.
void take_rate(const EpochTable& table, std::size_t row, ImportedEpoch& epoch) {
  const auto rate = positive_number(table, row, "samples_per_second");
  const auto seconds = positive_number(table, row, "seconds");
  const auto samples = positive_number(table, row, "samples");
  const int known = static_cast<int>(rate.has_value()) + seconds.has_value() + samples.has_value();
  epoch.samples = samples.value_or(0);
  epoch.seconds = seconds.value_or(0);
  epoch.samples_per_second = rate.value_or(0);
  if (known < 2) {
    if (epoch.loss || epoch.error || epoch.test_error || epoch.test_loss) return;
    throw DataError("{}: two of samples_per_second, seconds and samples are needed, or a loss or accuracy",
                    table.place(row));
  }
  if (!samples) epoch.samples = *rate * *seconds;
  if (!seconds) epoch.seconds = *samples / *rate;
  if (!rate) epoch.samples_per_second = *samples / *seconds;
}

ImportedEpoch epoch_at(const EpochTable& table, std::size_t row) {
  const auto number = whole_number(table, row, "epoch", 0);
  if (!number) throw DataError("{}: no epoch", table.place(row));
  ImportedEpoch epoch;
  epoch.epoch = *number;
  epoch.rank = whole_number(table, row, "rank", 0);
  epoch.loss = table.number(row, "loss");
  epoch.error = error_of(table, row, "");
  epoch.test_loss = table.number(row, "test_loss");
  epoch.test_error = error_of(table, row, "test_");
  take_rate(table, row, epoch);
  return epoch;
}

// The settings of its run that a row says.
std::map<std::string, std::string> settings_at(const EpochTable& table, std::size_t row) {
  std::map<std::string, std::string> settings;
  for (const char* const key : kSettingColumns) {
    const bool is_name = std::string_view(key) == "model";
    const auto value = is_name ? std::nullopt : whole_number(table, row, key, 1);
    const std::string text = is_name ? table.text(row, key) : value ? std::to_string(*value) : "";
    if (!text.empty()) settings[key] = text;
  }
  if (const std::string run = table.text(row, "run"); !run.empty()) settings[kNameSetting] = "run" + run;
  return settings;
}

class CsvParser {
 public:
  CsvParser(const EpochTable& table, const std::string& name) : table_(table), name_(name) {}

  void take(std::size_t row) {
    const ImportedEpoch epoch = epoch_at(table_, row);
    ImportedLog& log = run_of(row);
    if (!log.lines.empty() && epoch.epoch < log.lines.back().epoch) {
      throw DataError("{}: epoch {} comes after epoch {}", table_.place(row), epoch.epoch, log.lines.back().epoch);
    }
    log.lines.push_back(epoch);
  }

  std::vector<ImportedLog> finish() && {
    for (std::size_t i = 0; i < logs_.size(); ++i) {
      count_from_one(logs_[i]);
      if (logs_.size() > 1) logs_[i].name = fmt::format("{}, run {}", name_, i + 1);
    }
    return std::move(logs_);
  }

 private:
  // The run with the same settings, or a new one.
  ImportedLog& run_of(std::size_t row) {
    const auto said = settings_at(table_, row);
    const auto [found, is_new] = places_.try_emplace(said, logs_.size());
    if (!is_new) return logs_[found->second];
    ImportedLog log;
    log.name = name_;
    log.system = "CSV";
    log.settings = settings_from_name(name_);
    for (const auto& [key, value] : said) {
      if (key == kNameSetting) {
        if (is_number_of_run(value)) continue;
        std::string& named = log.settings[kNameSetting];
        named += (named.empty() ? "" : "-") + value;
      } else if (const auto named = log.settings.try_emplace(key, value); named.first->second != value) {
        throw DataError("{}: {} {}, but the file's name says {}", table_.place(row), key, value, named.first->second);
      }
    }
    logs_.push_back(std::move(log));
    return logs_.back();
  }

  // "run2": one of several like it, and not another kind of run, as "runbaseline" may be.
  static bool is_number_of_run(const std::string& name) {
    return std::all_of(name.begin() + 3, name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  }

  static void count_from_one(ImportedLog& log) {
    if (log.lines.front().epoch > 0) return;
    for (ImportedEpoch& line : log.lines) ++line.epoch;
    log.notes.emplace_back("its epochs count from 0, here from 1");
  }

  const EpochTable& table_;
  std::string name_;
  std::vector<ImportedLog> logs_;
  // Indices of the runs, by the settings of their rows.
  std::map<std::map<std::string, std::string>, std::size_t> places_;
};

}  // namespace

std::vector<ImportedLog> parse_csv_log(std::string_view text, const std::string& name) {
  const EpochTable table(text, name);
  if (table.rows() == 0) throw DataError("{}: no row below the column names", name);
  CsvParser parser(table, name);
  for (std::size_t row = 0; row < table.rows(); ++row) parser.take(row);
  return std::move(parser).finish();
}

}  // namespace convoy::study
