#include "convoy/cli/command/study/study_child.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "convoy/base/clock.h"
#include "convoy/base/process/child_process.h"
#include "convoy/record/run_name.h"
#include "convoy/record/run_record.h"
#include "convoy/run/settings/train_settings.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

bool is_switch(const std::string& key) {
  TrainSettings settings;
  const auto list = train_setting_list(settings);
  const auto found = std::ranges::find(list, key, &Setting::key);
  return found != list.end() && found->is_switch;
}

void add_flag(std::vector<std::string>& words, const std::string& key, const std::string& value) {
  if (is_switch(key)) {
    if (value == "true") words.push_back("--" + key);
    return;
  }
  words.push_back("--" + key);
  words.push_back(value);
}

bool has_checkpoint(const fs::path& run) {
  std::error_code missing;
  return std::ranges::any_of(fs::directory_iterator(run / "checkpoints", missing), [](const fs::directory_entry& each) {
    return each.path().filename().string().starts_with("step-");
  });
}

double turnaround_before(const study::StudyFolder& folder, const study::Task& task) {
  const study::RunOutcome* const earlier = folder.outcome_of(task.run.id);
  return earlier == nullptr ? 0 : earlier->turnaround_seconds;
}

// The last error it printed or, if there is none, the last line.
std::string last_words(const fs::path& log) {
  std::ifstream file(log);
  std::string last;
  std::string error;
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    last = line;
    if (const auto at = line.find("error:"); at != std::string::npos) error = line.substr(at + 6);
  }
  const std::string& words = error.empty() ? last : error;
  const auto begin = words.find_first_not_of(' ');
  return begin == std::string::npos ? "" : words.substr(begin);
}

}  // namespace

std::vector<std::string> child_command(const std::string& program, const study::StudyFolder& folder,
                                       const study::Task& task, TaskStart start) {
  const std::string run = folder.run_folder(task.run.id).string();
  std::vector<std::string> words = {program, "train"};
  if (start == TaskStart::resumed) {
    words.insert(words.end(), {"--resume", run});
    for (const char* key : {"workers", "hosts"}) {
      const std::string value = study::value_at(folder.spec(), task.run.point, key, "");
      if (!value.empty()) add_flag(words, key, value);
    }
    add_flag(words, "epochs", fmt::format("{}", task.epochs));
  } else {
    auto settings = study::settings_of(folder.spec(), task.run);
    settings["epochs"] = fmt::format("{}", task.epochs);
    if (const auto model = settings.find("model"); model != settings.end()) {
      const fs::path network = folder.network_file(model->second);
      if (fs::exists(network)) model->second = network.string();
    }
    for (const auto& [key, value] : settings) add_flag(words, key, value);
    words.insert(words.end(), {"--run-dir", run});
  }
  words.emplace_back("--quiet");
  return words;
}

TaskStart prepare_folder(const study::StudyFolder& folder, const study::Task& task) {
  const fs::path run = folder.run_folder(task.run.id);
  const bool goes_on = study::kind_row(folder.spec().kind).resumable;
  if (goes_on && is_run_folder(run) && has_checkpoint(run)) return TaskStart::resumed;
  fs::remove_all(run);
  return TaskStart::fresh;
}

study::RunOutcome run_child_task(const std::string& program, const study::StudyFolder& folder, const study::Task& task,
                                 const std::function<int()>& signal) {
  const TaskStart start = prepare_folder(folder, task);
  const auto begin = Clock::now();
  const fs::path log = folder.log_file(task.run.id);
  study::RunOutcome outcome{.run = task.run, .epochs = task.epochs};
  outcome.exit_code =
      run_child(child_command(program, folder, task, start),
                {.stdout_file = folder.output_file(task.run.id), .stderr_file = log, .signal_to_send = signal});
  outcome.turnaround_seconds = seconds_since(begin);
  if (start == TaskStart::resumed) outcome.turnaround_seconds += turnaround_before(folder, task);
  if (outcome.exit_code != 0) outcome.message = last_words(log);
  outcome.finished = time_text(std::chrono::system_clock::now());
  return outcome;
}

}  // namespace convoy::cli
