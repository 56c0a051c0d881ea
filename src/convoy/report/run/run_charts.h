// Names and charts of runs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "convoy/record/run_record.h"
#include "convoy/report/chart/line_chart.h"
#include "convoy/report/document.h"
#include "convoy/study/measure/run_measures.h"

namespace convoy::report {

// A run and what was computed from it.
struct NamedRun {
  std::string name;  // that of its folder, with a number if two would be equal
  const RunRecord* record = nullptr;
  study::RunMeasures measures;
};

// The result points into `runs`.
[[nodiscard]] std::vector<NamedRun> named_runs(const std::vector<RunRecord>& runs);

// A value of the run's configuration as text: "resnet20", "64", "true"; empty when there is none.
[[nodiscard]] std::string configured(const RunRecord& run, const std::string& key);

// "completed"; "diverged: loss is NaN at step 812"; "interrupted: signal 15, after 2 of 10 epochs".
[[nodiscard]] std::string state_text(const RunRecord& run);

// A line over the epochs of a run; epochs without a value are left out.
using EpochValue = std::function<std::optional<double>(const EpochRecord&)>;
[[nodiscard]] Series epoch_line(const NamedRun& run, std::string name, bool over_time, const EpochValue& get);

// Sections that are mostly figures. No value if there is nothing to draw.

// Training and test values, over epochs and over time.
[[nodiscard]] std::optional<Section> run_loss_section(const std::vector<NamedRun>& runs);
[[nodiscard]] std::optional<Section> run_accuracy_section(const std::vector<NamedRun>& runs);
[[nodiscard]] std::optional<Section> run_error_section(const std::vector<NamedRun>& runs);
[[nodiscard]] std::optional<Section> learning_rate_section(const std::vector<NamedRun>& runs);
[[nodiscard]] std::optional<Section> run_cpu_use_section(const std::vector<NamedRun>& runs);
// What each worker and each machine used, second by second. No value if the run has no samples.
[[nodiscard]] std::optional<Section> usage_section(const NamedRun& run);
[[nodiscard]] std::optional<Section> run_shares_section(const std::vector<NamedRun>& runs);
// For one run; no value unless its summary has class accuracies.
[[nodiscard]] std::optional<Section> class_accuracy_section(const NamedRun& run);

}  // namespace convoy::report
