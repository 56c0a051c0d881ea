#include "convoy/study/log/keras_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <utility>

#include "convoy/study/log/log_runs.h"
#include "convoy/study/log/log_text.h"

namespace convoy::study {
namespace {

const std::regex& epoch_header_pattern() {
  static const std::regex pattern(R"(Epoch (\d{1,9})/(\d{1,9})(?::? (.*))?)");
  return pattern;
}

// The steps done, a bar, the time, the metrics.
const std::regex& progress_pattern() {
  static const std::regex pattern(
      R"((?:(\d{1,12})/(\d{1,12}) )?(?:\[[=>.]*\] )?(?:- )?(\d{1,9})s(?: (\d{1,12})(us|ms|s)/(step|sample))?((?: -)? .*)?)");
  return pattern;
}

const std::regex& metric_pattern() {
  static const std::regex pattern(R"(-?\s*([A-Za-z][A-Za-z0-9_]*): ([^ ]+) ?)");
  return pattern;
}

const std::regex& test_pattern() {
  static const std::regex pattern(R"([Tt]est (loss|accuracy): ([0-9.eE+-]+|nan)(%?))");
  return pattern;
}

// "acc", "accuracy", "sparse_categorical_accuracy", but not top-5 accuracies.
bool is_accuracy(const std::string& metric) {
  const bool is_top = metric.find("top") != std::string::npos;
  return metric == "acc" || metric == "accuracy" || (metric.ends_with("_accuracy") && !is_top);
}

// The contents of one line of finished progress.
struct Progress {
  std::int64_t units = 0;  // steps or samples; 0 if not given
  bool are_samples = false;
  double seconds = 0;  // 0 if it was too short for the printed digits
  std::optional<double> loss, accuracy, test_loss, test_accuracy;
};

double seconds_of_unit(const std::string& unit) { return unit == "us" ? 1e-6 : unit == "ms" ? 1e-3 : 1.0; }

// The whole seconds, or units times the time of one unit if that has more digits and agrees. It may be less, since some
// versions do not count the first step there.
double seconds_of(const std::smatch& parts, std::int64_t units) {
  const double whole = std::stod(parts[3]);
  if (!parts[4].matched || units == 0) return whole;
  const double each = std::stod(parts[4]);
  const double product = static_cast<double>(units) * each * seconds_of_unit(parts[5]);
  return each > whole && std::abs(product - whole) <= 1 ? product : whole;
}

// Removes the progress bar of Keras 3, which is drawn with characters beyond ASCII.
std::string without_drawn_bar(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    const bool is_second_blank = c == ' ' && plain.ends_with(' ');
    if (static_cast<unsigned char>(c) < 0x80 && !is_second_blank) plain += c;
  }
  return plain;
}

void take_metric(const std::string& name, const std::string& text, Progress& progress) {
  const auto value = number_in(text);
  if (!value) return;
  const bool is_test = name.starts_with("val_");
  const std::string metric = is_test ? name.substr(4) : name;
  if (metric == "loss") (is_test ? progress.test_loss : progress.loss) = value;
  if (is_accuracy(metric) && *value >= 0 && *value <= 1) (is_test ? progress.test_accuracy : progress.accuracy) = value;
}

// No value for other lines, and for unfinished progress: "235/235 ... ETA" or "12/235".
std::optional<Progress> progress_in(const std::string& line) {
  const std::string text = without_drawn_bar(line);
  std::smatch parts;
  if (text.find("ETA") != std::string::npos || !matches(text, progress_pattern(), parts)) return std::nullopt;
  if (parts[1].matched && parts[1] != parts[2]) return std::nullopt;
  const std::string metrics = parts[7];
  if (!parts[1].matched && metrics.find(": ") == std::string::npos) return std::nullopt;
  Progress progress;
  if (parts[1].matched) progress.units = std::stoll(parts[1]);
  progress.are_samples = parts[6] == "sample";
  progress.seconds = seconds_of(parts, progress.units);
  for (std::sregex_iterator at(metrics.begin(), metrics.end(), metric_pattern()), end; at != end; ++at) {
    take_metric((*at)[1], (*at)[2], progress);
  }
  return progress;
}

class KerasParser {
 public:
  explicit KerasParser(const std::string& name) : runs_(name, "Keras") {}

  void take(const LogLine& line) {
    std::smatch parts;
    if (matches(line.text, epoch_header_pattern(), parts)) {
      take_header(parts, line);
    } else if (matches(line.text, test_pattern(), parts)) {
      take_test(parts);
    } else if (goes_on(line)) {
      take_progress({line.number, last_.text + " " + line.text, last_.rank}, true);
    } else if (runs_.take_boundary(line)) {
      is_same_epoch_ = false;
      last_ = {};
    } else if (!take_progress(line, false)) {
      runs_.count_passed_over();
    }
  }

  std::vector<ImportedLog> finish() && {
    auto logs = std::move(runs_).finish("no finished epoch below a line such as 'Epoch 1/10'; is it a log of Keras?");
    for (ImportedLog& log : logs) {
      // Several workers mean Horovod, and its batch is that of each worker.
      if (log.settings.contains("workers") && log.settings["workers"] != "1") {
        log.settings.try_emplace("scaling", "weak");
      }
      add_notes(log);
    }
    return logs;
  }

 private:
  void take_header(const std::smatch& parts, const LogLine& line) {
    const std::int64_t epoch = std::stoll(parts[1]);
    announced_ = std::stoll(parts[2]);
    if (epoch != epoch_) is_same_epoch_ = false;
    epoch_ = epoch;
    last_ = {};
    if (parts[3].matched) (void)take_progress({line.number, parts[3], line.rank}, false);
  }

  // Whether this is the rest of a wrapped line.
  [[nodiscard]] bool goes_on(const LogLine& line) const {
    if (last_.text.empty() || line.number > last_.number + 1) return false;
    if (last_.text.ends_with('-') || last_.text.ends_with(':')) return true;
    std::smatch parts;
    const std::string first = line.text.substr(0, line.text.find(" - "));
    return matches(first, metric_pattern(), parts) &&
           (is_accuracy(without_val(parts[1])) || without_val(parts[1]) == "loss");
  }

  static std::string without_val(const std::string& name) { return name.starts_with("val_") ? name.substr(4) : name; }

  bool take_progress(const LogLine& line, bool replaces) {
    const auto progress = progress_in(line.text);
    if (!progress || epoch_ == 0) return false;
    if (is_evaluation(*progress)) {
      take_evaluation(*progress);
      return true;
    }
    ImportedEpoch epoch;
    epoch.epoch = epoch_;
    epoch.rank = line.rank;
    epoch.seconds = progress->seconds;
    if (progress->are_samples) epoch.samples = static_cast<double>(progress->units);
    if (epoch.samples > 0 && epoch.seconds > 0) epoch.samples_per_second = epoch.samples / epoch.seconds;
    epoch.loss = progress->loss;
    epoch.test_loss = progress->test_loss;
    if (progress->accuracy) epoch.error = 1 - *progress->accuracy;
    if (progress->test_accuracy) epoch.test_error = 1 - *progress->test_accuracy;
    if (replaces || overwrites(line, epoch)) {
      runs_.current().lines.back() = epoch;
    } else {
      runs_.add(epoch, announced_, line.number);
    }
    units_ = progress->units;
    is_same_epoch_ = true;
    last_ = line;
    return true;
  }

  // Whether the line replaces the last one: Keras 3 prints the last progress again when the evaluation is done.
  [[nodiscard]] bool overwrites(const LogLine& line, const ImportedEpoch& epoch) const {
    if (last_.text.empty() || line.rank != last_.rank) return false;
    const ImportedEpoch& before = runs_.lines().back();
    return line.number == last_.number ||
           (!before.test_error && !before.test_loss && (epoch.test_error || epoch.test_loss));
  }

  // `evaluate` prints its own progress after the last epoch, with another number of steps.
  [[nodiscard]] bool is_evaluation(const Progress& progress) const {
    return is_same_epoch_ && units_ != 0 && progress.units != 0 && progress.units != units_;
  }

  void take_evaluation(const Progress& progress) {
    if (epoch_ != announced_ || runs_.lines().empty()) return;
    ImportedEpoch& last = runs_.current().lines.back();
    if (!last.test_loss) last.test_loss = progress.loss;
    if (!last.test_error && progress.accuracy) last.test_error = 1 - *progress.accuracy;
    runs_.set_evaluated();
    last_ = {};
  }

  void take_test(const std::smatch& parts) {
    if (runs_.lines().empty()) return;
    ImportedEpoch& last = runs_.current().lines.back();
    const auto value = number_in(parts[2]);
    if (!value) return;
    const double share = parts[3].length() > 0 ? *value / 100 : *value;
    if (parts[1] == "loss" && !last.test_loss) last.test_loss = *value;
    if (parts[1] == "accuracy" && share >= 0 && share <= 1 && !last.test_error) last.test_error = 1 - share;
    runs_.set_evaluated();
  }

  static void add_notes(ImportedLog& log) {
    const auto any = [&](auto is) { return std::ranges::any_of(log.lines, is); };
    if (any([](const ImportedEpoch& line) { return line.test_error || line.test_loss; })) {
      log.notes.emplace_back("seconds of an epoch include its evaluation, as Keras counts them");
    }
    if (any([](const ImportedEpoch& line) { return line.samples == 0; })) {
      log.notes.emplace_back(
          "its lines do not say the samples of an epoch: there is no throughput unless `--set samples=N` says them");
    }
  }

  LogRuns runs_;
  std::int64_t epoch_ = 0;
  std::int64_t announced_ = 0;
  std::int64_t units_ = 0;      // of the last epoch's line
  bool is_same_epoch_ = false;  // a line about this epoch was read
  LogLine last_;                // the last line that was read as an epoch; empty after any other line
};

}  // namespace

std::vector<ImportedLog> parse_keras_log(std::string_view text, const std::string& name) {
  KerasParser parser(name);
  for (const LogLine& line : log_lines(text)) parser.take(line);
  return std::move(parser).finish();
}

}  // namespace convoy::study
