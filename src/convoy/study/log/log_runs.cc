#include "convoy/study/log/log_runs.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/study/log/command_settings.h"

namespace convoy::study {

LogRuns::LogRuns(std::string name, std::string system) : name_(std::move(name)), system_(std::move(system)) { begin(); }

void LogRuns::begin() {
  ImportedLog run;
  run.name = name_;
  run.system = system_;
  run.settings = settings_from_name(name_);
  runs_.push_back(std::move(run));
  is_evaluated_ = false;
}

void LogRuns::begin_unless_empty() {
  if (!current().lines.empty()) begin();
}

void LogRuns::begin_if_evaluated() {
  if (is_evaluated_) begin();
}

bool LogRuns::take_boundary(const LogLine& line) {
  if (!command_.empty()) {
    take_command(std::exchange(command_, "") + " " + line.text);
    return true;
  }
  if (is_heading(line)) {
    after_heading_ = true;
    return true;
  }
  if (!is_command_line(line.text)) return false;
  take_command(line.text);
  return true;
}

void LogRuns::take_command(std::string_view text) {
  if (text.ends_with('\\')) {  // continues on the next line
    command_ = text.substr(0, text.size() - 1);
    return;
  }
  if (current().lines.empty()) runs_.pop_back();  // an earlier command printed nothing that counts
  begin();
  for (const auto& [key, value] : settings_from_command(text)) {
    const auto [named, is_new] = current().settings.try_emplace(key, value);
    if (is_new || named->second == value) continue;
    current().notes.push_back(
        fmt::format("its name says {0} {1}, its command {0} {2}: the command counts", key, named->second, value));
    named->second = value;
  }
}

void LogRuns::add(const ImportedEpoch& epoch, std::int64_t announced_epochs, std::size_t line) {
  if (epoch.epoch < 1) fail(line, "epochs count from 1");
  if (!current().lines.empty()) {
    const std::int64_t last = current().lines.back().epoch;
    const bool is_over = is_evaluated_ || last == current().announced_epochs;
    if (epoch.epoch <= last && (after_heading_ || (is_over && epoch.epoch < last))) {
      begin();
    } else if (epoch.epoch < last) {
      fail(line,
           fmt::format("epoch {} comes after epoch {}, and nothing says that another run begins", epoch.epoch, last));
    }
  }
  after_heading_ = false;
  current().announced_epochs = announced_epochs;
  current().lines.push_back(epoch);
}

void LogRuns::fail(std::size_t line, std::string_view message) const {
  throw DataError("{}:{}: {}", name_, line, message);
}

// Names every run after its place in the file. Runs with the same settings also get the place as a setting, so that
// they differ.
void LogRuns::tell_apart() {
  if (runs_.size() < 2) return;
  std::map<std::map<std::string, std::string>, int> alike;
  for (const ImportedLog& run : runs_) ++alike[run.settings];
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    runs_[i].name = fmt::format("{}, run {}", name_, i + 1);
    if (alike.at(runs_[i].settings) == 1) continue;
    std::string& name = runs_[i].settings[kNameSetting];
    name = fmt::format("{}{}run{}", name, name.empty() ? "" : "-", i + 1);
  }
}

std::vector<ImportedLog> LogRuns::finish(std::string_view what_is_missing) && {
  if (current().lines.empty() && runs_.size() > 1) runs_.pop_back();
  if (current().lines.empty()) throw DataError("{}: {}", name_, what_is_missing);
  if (passed_over_ > 0) {
    current().notes.insert(current().notes.begin(), fmt::format("lines that were passed over: {}", passed_over_));
  }
  tell_apart();
  return std::move(runs_);
}

}  // namespace convoy::study
