#include "convoy/study/log/horovod_benchmark_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/study/log/log_runs.h"
#include "convoy/study/log/log_text.h"

namespace convoy::study {
namespace {

const std::regex& iteration_pattern() {
  static const std::regex pattern(R"(Iter #(\d{1,9}): (\d+(?:\.\d+)?) img/sec per (GPU|CPU)\.?)");
  return pattern;
}

const std::regex& total_pattern() {
  static const std::regex pattern(R"(Total img/sec on (\d{1,9}) (GPU|CPU)\(s\): (\d+(?:\.\d+)?) ?(?:\+-.*)?)");
  return pattern;
}

const std::regex& model_pattern() {
  static const std::regex pattern(R"(Model: (\S+))");
  return pattern;
}

const std::regex& batch_pattern() {
  static const std::regex pattern(R"(Batch size: (\d{1,9}))");
  return pattern;
}

const std::regex& devices_pattern() {
  static const std::regex pattern(R"(Number of (GPU|CPU)s: (\d{1,9}))");
  return pattern;
}

double mean_rate(const ImportedLog& log) {
  double sum = 0;
  for (const ImportedEpoch& line : log.lines) sum += line.samples_per_second;
  return sum / static_cast<double>(log.lines.size());
}

class HorovodBenchmarkParser {
 public:
  explicit HorovodBenchmarkParser(const std::string& name) : runs_(name, "Horovod") {}

  void take(const LogLine& line) {
    std::smatch parts;
    if (matches(line.text, model_pattern(), parts)) {
      runs_.begin_unless_empty();
      runs_.current().settings["model"] = parts[1];
    } else if (matches(line.text, batch_pattern(), parts)) {
      runs_.begin_unless_empty();
      runs_.current().settings["batch"] = parts[1];
    } else if (matches(line.text, devices_pattern(), parts)) {
      runs_.begin_unless_empty();
      take_workers(parts[2], parts[1]);
    } else if (matches(line.text, iteration_pattern(), parts)) {
      take_iteration(parts, line.number);
    } else if (matches(line.text, total_pattern(), parts)) {
      take_total(parts, line.number);
    } else if (!runs_.take_boundary(line) && !is_familiar(line.text)) {
      runs_.count_passed_over();
    }
  }

  std::vector<ImportedLog> finish() && {
    auto logs = std::move(runs_).finish("no line such as 'Iter #0: 123.4 img/sec per GPU'");
    totals_.resize(std::max(totals_.size(), logs.size()));
    for (std::size_t i = 0; i < logs.size(); ++i) complete(logs[i], totals_[i]);
    return logs;
  }

 private:
  struct Total {
    double rate = 0;            // as printed; 0 when it is missing
    bool is_only_line = false;  // it is the run's only line, so the rate is that of all workers
  };

  static bool is_familiar(const std::string& text) {
    return text.starts_with("Running ") || text.starts_with("Img/sec per ");
  }

  void take_workers(const std::string& count, const std::string& device) {
    runs_.current().settings["workers"] = count;
    runs_.current().settings["device"] = device == "GPU" ? "gpu" : "cpu";
  }

  void take_iteration(const std::smatch& parts, std::size_t number) {
    const std::int64_t iteration = std::stoll(parts[1]);
    if (iteration == 0) runs_.begin_unless_empty();
    ImportedEpoch epoch;
    epoch.epoch = iteration + 1;
    epoch.samples_per_second = std::stod(parts[2]);  // that of one worker, until their number is known
    if (epoch.samples_per_second <= 0) runs_.fail(number, "a rate of 0");
    runs_.add(epoch, 0, number);
  }

  void take_total(const std::smatch& parts, std::size_t number) {
    const double rate = std::stod(parts[3]);
    if (rate <= 0) runs_.fail(number, "a rate of 0");
    totals_.resize(std::max(totals_.size(), runs_.count()));
    const bool is_only_line = runs_.lines().empty();
    if (is_only_line) runs_.add({.epoch = 1, .samples_per_second = rate}, 0, number);
    take_workers(parts[1], parts[2]);
    totals_[runs_.count() - 1] = {rate, is_only_line};
  }

  static void complete(ImportedLog& log, const Total& total) {
    const auto found = log.settings.find("workers");
    if (found == log.settings.end()) {
      throw DataError("{}: it says images per second of a worker, but not how many workers; is its end missing?",
                      log.name);
    }
    log.settings.try_emplace("scaling", "weak");
    if (total.is_only_line) return;
    for (ImportedEpoch& line : log.lines) line.samples_per_second *= std::stod(found->second);
    log.notes.push_back(
        fmt::format("rates are those of the first worker times {}, as the benchmark's own total is", found->second));
    constexpr double kRounding = 0.005;  // because of the printed digits
    if (total.rate > 0 && std::abs(mean_rate(log) / total.rate - 1) > kRounding) {
      log.notes.push_back(
          fmt::format("its total says {:g} images/s, the mean of its lines is {:.1f}", total.rate, mean_rate(log)));
    }
  }

  LogRuns runs_;
  std::vector<Total> totals_;  // one for each run
};

}  // namespace

std::vector<ImportedLog> parse_horovod_benchmark_log(std::string_view text, const std::string& name) {
  HorovodBenchmarkParser parser(name);
  for (const LogLine& line : log_lines(text)) parser.take(line);
  return std::move(parser).finish();
}

}  // namespace convoy::study
