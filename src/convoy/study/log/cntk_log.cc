#include "convoy/study/log/cntk_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>

#include "convoy/study/log/log_runs.h"
#include "convoy/study/log/log_text.h"

namespace convoy::study {

namespace {

const std::regex& epoch_pattern() {
  static const std::regex pattern(
      R"(Finished Epoch\[\s*(\d{1,9}) of (\d{1,9})\]: \[Training\] loss = (\S+) \* (\d{1,15}), metric = (\d+(?:\.\d+)?)% \* (\d+) )"
      R"((\d+(?:\.\d+)?)\s*s \(\s*(\d+(?:\.\d+)?) samples/s\);?)");
  return pattern;
}

const std::regex& evaluation_pattern() {
  static const std::regex pattern(R"(Finished Evaluation \[\d+\]: .*metric = (\d+(?:\.\d+)?)% \* \d+;?)");
  return pattern;
}

const std::regex& parameters_pattern() {
  static const std::regex pattern(R"(Training (\d+) parameters in \d+ parameter tensors\.?)");
  return pattern;
}

const std::regex& minibatch_pattern() {
  static const std::regex pattern(R"(Minibatch\[\s*(\d{1,9})-\s*(\d{1,9})\]: loss = \S+ \* (\d{1,15}),.*)");
  return pattern;
}

// How the lines that are read begin.
constexpr std::array<std::string_view, 4> kBeginnings = {"Finished Epoch[", "Finished Evaluation [", "Minibatch[",
                                                         "Training "};

bool begins_one(std::string_view text) {
  return std::ranges::any_of(kBeginnings, [&](std::string_view beginning) { return text.starts_with(beginning); });
}

bool is_complete(const std::string& text) {
  std::smatch parts;
  if (text.starts_with("Finished Epoch[")) return matches(text, epoch_pattern(), parts);
  if (text.starts_with("Finished Evaluation [")) return matches(text, evaluation_pattern(), parts);
  return true;
}

// Splits lines onto which several printed lines were joined.
std::vector<LogLine> part_lines(const std::vector<LogLine>& lines) {
  constexpr std::string_view kBeginning = "Finished E";
  std::vector<LogLine> parted;
  for (const LogLine& line : lines) {
    for (std::size_t begin = 0; begin < line.text.size();) {
      const std::size_t end = std::min(line.text.find(kBeginning, begin + 1), line.text.size());
      parted.push_back({line.number, line.text.substr(begin, end - begin), line.rank});
      if (parted.back().text.ends_with(' ')) parted.back().text.pop_back();
      begin = end;
    }
  }
  return parted;
}

// Joins wrapped lines again: a line that cannot be understood is joined with the ones after it until it can.
std::vector<LogLine> join_lines(std::vector<LogLine> lines) {
  constexpr std::size_t kMostParts = 6;
  std::vector<LogLine> joined;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    LogLine line = lines[i];
    for (std::size_t last = i + 1; last < std::min(i + kMostParts, lines.size()) && !is_complete(line.text); ++last) {
      if (begins_one(lines[last].text) || line.text.size() > kLongestLine) break;
      line.text += " " + lines[last].text;
      if (!is_complete(line.text)) continue;
      i = last;
    }
    joined.push_back(is_complete(line.text) ? std::move(line) : std::move(lines[i]));
  }
  return joined;
}

class CntkParser {
 public:
  explicit CntkParser(const std::string& name) : runs_(name, "CNTK") {}

  void take(const LogLine& line) {
    number_ = line.number;
    if (line.text.starts_with("Finished Epoch[")) {
      take_epoch(line);
    } else if (line.text.starts_with("Finished Evaluation [")) {
      take_evaluation(line.text);
    } else if (std::smatch parts; matches(line.text, parameters_pattern(), parts)) {
      runs_.begin_unless_empty();
      runs_.current().settings["parameters"] = parts[1];
    } else if (matches(line.text, minibatch_pattern(), parts)) {
      take_minibatches(parts);
    } else if (!runs_.take_boundary(line)) {
      runs_.count_passed_over();
    }
  }

  std::vector<ImportedLog> finish() && {
    std::vector<ImportedLog> logs =
        std::move(runs_).finish("no line begins with 'Finished Epoch['; is it a log of CNTK?");
    batches_.resize(std::max(batches_.size(), logs.size()));
    for (std::size_t i = 0; i < logs.size(); ++i) take_batch(batches_[i], logs[i]);
    return logs;
  }

 private:
  [[nodiscard]] double number_of(const std::string& text) const {
    const auto value = number_in(text);  // includes "nan", because a loss may have diverged
    if (!value) runs_.fail(number_, fmt::format("'{}' is not a number", text));
    return *value;
  }

  void take_epoch(const LogLine& line) {
    std::smatch parts;
    if (!matches(line.text, epoch_pattern(), parts)) {
      runs_.fail(number_, "this line about an epoch cannot be understood");
    }
    ImportedEpoch epoch;
    epoch.rank = line.rank;
    epoch.epoch = static_cast<std::int64_t>(number_of(parts[1]));
    epoch.loss = number_of(parts[3]);
    epoch.samples = number_of(parts[4]);
    epoch.error = number_of(parts[5]) / 100;
    epoch.seconds = number_of(parts[7]);
    epoch.samples_per_second = number_of(parts[8]);
    if (epoch.seconds <= 0) runs_.fail(number_, fmt::format("an epoch takes longer than {} s", epoch.seconds));
    runs_.add(epoch, static_cast<std::int64_t>(number_of(parts[2])), number_);
  }

  void take_evaluation(const std::string& line) {
    std::smatch parts;
    if (!matches(line, evaluation_pattern(), parts)) runs_.fail(number_, "this evaluation cannot be understood");
    if (runs_.current().lines.empty()) runs_.fail(number_, "an evaluation before the first epoch");
    runs_.current().lines.back().test_error = number_of(parts[1]) / 100;  // every rank prints the same
    runs_.set_evaluated();
  }

  // The line has the samples of several batches. The last batches of an epoch may be smaller, so the largest mean
  // counts.
  void take_minibatches(const std::smatch& parts) {
    runs_.begin_if_evaluated();
    const double count = number_of(parts[2]) - number_of(parts[1]) + 1;
    if (count < 1) runs_.fail(number_, "this line about minibatches cannot be understood");
    batches_.resize(std::max(batches_.size(), runs_.count()));
    double& batch = batches_[runs_.count() - 1];
    batch = std::max(batch, number_of(parts[3]) / count);
  }

  static void take_batch(double batch, ImportedLog& log) {
    if (batch == 0 || batch != std::floor(batch)) return;
    const std::string said = fmt::format("{:.0f}", batch);
    const auto [named, is_new] = log.settings.try_emplace("batch", said);
    if (is_new || named->second == said) return;
    log.notes.push_back(fmt::format("its name says batch {}, its lines {}: the name counts", named->second, said));
  }

  LogRuns runs_;
  std::vector<double> batches_;  // of each run, from its lines; 0 when they do not say
  std::size_t number_ = 0;
};

}  // namespace

std::vector<ImportedLog> parse_cntk_log(std::string_view text, const std::string& name) {
  CntkParser parser(name);
  for (const LogLine& line : join_lines(part_lines(log_lines(text)))) parser.take(line);
  return std::move(parser).finish();
}

}  // namespace convoy::study
