#include "convoy/study/log/tf_benchmark_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>

#include "convoy/study/log/log_runs.h"
#include "convoy/study/log/log_text.h"

namespace convoy::study {
namespace {

const std::regex& total_rate_pattern() {
  static const std::regex pattern(R"(total images/sec: (\d+(?:\.\d+)?))");
  return pattern;
}

const std::regex& step_pattern() {
  static const std::regex pattern(R"((\d{1,9}) images/sec: .*)");
  return pattern;
}

// "Batch size: 256 global" and, on the next line, "64 per device".
const std::regex& amount_pattern() {
  static const std::regex pattern(R"((?:Batch size: )?(\d{1,9}) (global|per device))");
  return pattern;
}

const std::regex& named_pattern() {
  static const std::regex pattern(R"((Model|Num batches|Devices): (.+))");
  return pattern;
}

class TfBenchmarkParser {
 public:
  explicit TfBenchmarkParser(const std::string& name) : runs_(name, "TensorFlow") {}

  void take(const LogLine& line) {
    std::smatch parts;
    if (matches(line.text, named_pattern(), parts)) {
      take_named(parts[1], parts[2]);
    } else if (matches(line.text, amount_pattern(), parts)) {
      take_amount(parts);
    } else if (matches(line.text, total_rate_pattern(), parts)) {
      take_total(std::stod(parts[1]), line.number);
    } else if (!matches(line.text, step_pattern(), parts) && !runs_.take_boundary(line)) {
      runs_.count_passed_over();
    }
  }

  std::vector<ImportedLog> finish() && {
    return std::move(runs_).finish("no line 'total images/sec: R'; is the end of the benchmark missing?");
  }

 private:
  void take_named(const std::string& name, const std::string& value) {
    if (name == "Model") {
      begin();
      runs_.current().settings["model"] = value;
    } else if (name == "Num batches") {
      batches_ = number_in(value).value_or(0);
    } else {
      take_devices(value);
    }
  }

  void begin() {
    runs_.begin_unless_empty();
    batches_ = global_batch_ = 0;
  }

  // "['/gpu:0', '/gpu:1']"
  void take_devices(const std::string& value) {
    const auto quotes = std::ranges::count(value, '\'');
    if (quotes == 0 || quotes % 2 != 0) return;
    runs_.current().settings["workers"] = std::to_string(quotes / 2);
    runs_.current().settings["device"] = value.find("gpu") != std::string::npos ? "gpu" : "cpu";
  }

  void take_amount(const std::smatch& parts) {
    if (parts[2] == "global") {
      global_batch_ = std::stod(parts[1]);
      return;
    }
    runs_.current().settings["batch"] = parts[1];
    runs_.current().settings["scaling"] = "weak";
  }

  void take_total(double rate, std::size_t number) {
    if (rate <= 0) runs_.fail(number, "a rate of 0");
    if (!runs_.lines().empty()) return;  // every worker prints it
    ImportedEpoch epoch{.epoch = 1, .samples_per_second = rate};
    if (batches_ >= 1 && global_batch_ >= 1) {
      epoch.samples = batches_ * global_batch_;
      epoch.seconds = epoch.samples / rate;
    }
    runs_.add(epoch, 0, number);
  }

  LogRuns runs_;
  double batches_ = 0;  // 0 when not known
  double global_batch_ = 0;
};

}  // namespace

std::vector<ImportedLog> parse_tf_benchmark_log(std::string_view text, const std::string& name) {
  TfBenchmarkParser parser(name);
  for (const LogLine& line : log_lines(text)) parser.take(line);
  return std::move(parser).finish();
}

}  // namespace convoy::study
