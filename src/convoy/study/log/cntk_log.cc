#include "convoy/study/log/cntk_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <regex>

#include "convoy/base/error.h"
#include "convoy/base/file/input_file.h"

namespace convoy::study {

namespace {

// The regular expressions of the standard library need stack for each character.
constexpr std::size_t kLongestLine = 1000;

bool matches(const std::string& line, const std::regex& pattern, std::smatch& parts) {
  return line.size() <= kLongestLine && std::regex_match(line, parts, pattern);
}

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

class Parser {
 public:
  explicit Parser(const std::string& name) {
    log_.name = name;
    log_.system = "CNTK";
    log_.settings = settings_from_name(name);
  }

  void take(const std::string& line) {
    ++number_;
    if (line.empty()) return;
    if (line.starts_with("Finished Epoch[")) {
      take_epoch(line);
    } else if (line.starts_with("Finished Evaluation [")) {
      take_evaluation(line);
    } else if (std::smatch parts; matches(line, parameters_pattern(), parts)) {
      log_.settings["parameters"] = parts[1];
    } else if (matches(line, minibatch_pattern(), parts)) {
      take_minibatches(parts);
    } else {
      ++passed_over_;
    }
  }

  ImportedLog finish() && {
    if (log_.lines.empty())
      throw DataError("{}: no line begins with 'Finished Epoch['; is it a log of CNTK?", log_.name);
    if (passed_over_ > 0) log_.notes.push_back(fmt::format("lines that were passed over: {}", passed_over_));
    take_batch();
    return std::move(log_);
  }

 private:
  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    throw DataError("{}:{}: {}", log_.name, number_, fmt::format(format, std::forward<Args>(args)...));
  }

  [[nodiscard]] double number_of(const std::string& text) const {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);  // "nan" too: a loss may have diverged
    if (end != text.c_str() + text.size()) fail("'{}' is no number", text);
    return value;
  }

  void take_epoch(const std::string& line) {
    std::smatch parts;
    if (!matches(line, epoch_pattern(), parts)) fail("this line about an epoch cannot be understood");
    ImportedEpoch epoch;
    epoch.epoch = static_cast<std::int64_t>(number_of(parts[1]));
    epoch.loss = number_of(parts[3]);
    epoch.samples = number_of(parts[4]);
    epoch.error = number_of(parts[5]) / 100;
    epoch.seconds = number_of(parts[7]);
    epoch.samples_per_second = number_of(parts[8]);
    if (epoch.epoch < 1) fail("epochs count from 1");
    if (epoch.seconds <= 0) fail("an epoch takes longer than {} s", epoch.seconds);
    if (!log_.lines.empty() && epoch.epoch < log_.lines.back().epoch) {
      fail("epoch {} comes after epoch {}: a log holds one run; split it", epoch.epoch, log_.lines.back().epoch);
    }
    log_.announced_epochs = static_cast<std::int64_t>(number_of(parts[2]));
    log_.lines.push_back(epoch);
  }

  void take_evaluation(const std::string& line) {
    std::smatch parts;
    if (!matches(line, evaluation_pattern(), parts)) fail("this evaluation cannot be understood");
    if (log_.lines.empty()) fail("an evaluation before the first epoch");
    log_.lines.back().test_error = number_of(parts[1]) / 100;  // every rank prints the same
  }

  // Samples of several batches. The last batches of an epoch may be smaller, so the largest mean counts.
  void take_minibatches(const std::smatch& parts) {
    const double count = number_of(parts[2]) - number_of(parts[1]) + 1;
    if (count < 1) fail("this line about minibatches cannot be understood");
    batch_ = std::max(batch_, number_of(parts[3]) / count);
  }

  void take_batch() {
    if (batch_ == 0 || batch_ != std::floor(batch_)) return;
    const std::string said = fmt::format("{:.0f}", batch_);
    const auto [named, is_new] = log_.settings.try_emplace("batch", said);
    if (is_new || named->second == said) return;
    log_.notes.push_back(fmt::format("its name says batch {}, its lines {}: the name counts", named->second, said));
  }

  ImportedLog log_;
  double batch_ = 0;  // by its lines; 0 when they do not say
  std::size_t number_ = 0;
  std::size_t passed_over_ = 0;
};

}  // namespace

ImportedLog parse_cntk_log(std::string_view text, const std::string& name) {
  Parser parser(name);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    parser.take(std::string(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(parser).finish();
}

ImportedLog read_cntk_log(const std::filesystem::path& path) { return parse_cntk_log(read_file(path), path.string()); }

}  // namespace convoy::study
