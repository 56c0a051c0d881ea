#include "convoy/report/run/run_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace convoy::report {
namespace {

std::string folder_name(const RunRecord& run, std::size_t number) {
  const std::filesystem::path path = run.folder.lexically_normal();
  const std::string name = path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
  return name.empty() || name == "." ? fmt::format("run {}", number) : name;
}

std::string without_doubles(std::string name, const std::vector<NamedRun>& earlier, std::size_t number) {
  if (std::ranges::find(earlier, name, &NamedRun::name) == earlier.end()) return name;
  return fmt::format("{} ({})", name, number);
}

}  // namespace

std::vector<NamedRun> named_runs(const std::vector<RunRecord>& runs) {
  std::vector<NamedRun> named;
  for (const RunRecord& run : runs) {
    const std::size_t number = named.size() + 1;
    named.push_back({.name = without_doubles(folder_name(run, number), named, number),
                     .record = &run,
                     .measures = study::measure_run(run, run.summary.throughput.warm_up_epochs)});
  }
  return named;
}

std::string configured(const RunRecord& run, const std::string& key) {
  const auto& configuration = run.info.configuration;
  if (!configuration.is_object()) return "";
  const auto found = configuration.find(key);
  if (found == configuration.end() || found->is_null()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::string state_text(const RunRecord& run) {
  const RunSummary& summary = run.summary;
  if (summary.status == RunStatus::completed) return "completed";
  // A run that was killed could not say so.
  std::string text(summary.status == RunStatus::running ? "running or killed" : to_text(summary.status));
  if (!summary.reason.empty()) text += ": " + summary.reason;
  const std::string planned = configured(run, "epochs");
  text += fmt::format(", after {}{} epochs", run.epochs.size(), planned.empty() ? "" : " of " + planned);
  return text;
}

Series epoch_line(const NamedRun& run, std::string name, bool over_time, const EpochValue& get) {
  Series line{.name = std::move(name), .points = {}};
  for (const EpochRecord& epoch : run.record->epochs) {
    const std::optional<double> value = get(epoch);
    if (!value) continue;
    const double x = over_time ? epoch.elapsed_seconds : static_cast<double>(epoch.epoch);
    line.points.push_back({.x = x, .y = *value, .low = {}, .high = {}});
  }
  return line;
}

}  // namespace convoy::report
