#include "convoy/cli/command/study/study_forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/cli/launch/hosts.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/comm/mpi/mpi_session.h"
#include "convoy/data/augment/augment_options.h"
#include "convoy/engine/stopwatch.h"
#include "convoy/graph/analysis.h"
#include "convoy/graph/training_memory.h"
#include "convoy/kernels/device.h"
#include "convoy/run/training_plan.h"
#include "convoy/study/analysis/point_statistics.h"
#include "convoy/study/plan/study_plan.h"

namespace convoy::cli {
namespace {

// Opens each data set only once, however many points use it.
class Sources {
 public:
  std::shared_ptr<data::Source> open(const TrainSettings& settings, const std::vector<Setting>& list) {
    std::string key;
    for (const Setting& setting : list) {
      if (setting.group == "Data") key += setting.key + '=' + setting.toml() + '\n';
    }
    std::shared_ptr<data::Source>& source = opened_[key];
    if (!source) source = open_training_source(settings, terminal_remarks());
    return source;
  }

 private:
  std::map<std::string, std::shared_ptr<data::Source>> opened_;
};

std::int64_t workers_on_a_host(const TrainSettings& settings, int workers) {
  const auto hosts = settings.hosts.empty() ? 1 : std::ssize(read_hosts(settings.hosts));
  return (workers + hosts - 1) / hosts;
}

void require_memory(const TrainingPlan& plan, const TrainSettings& settings, int workers, std::int64_t memory_bytes) {
  if (memory_bytes <= 0) return;
  const std::int64_t together = workers_on_a_host(settings, workers);
  const auto needed =
      static_cast<double>(together) *
      static_cast<double>(
          training_memory(plan.graph, rows_of_piece(plan.trainer, workers), plan.precision).total_bytes());
  if (needed <= static_cast<double>(memory_bytes)) return;
  throw UserError("{} would need about {} of memory, but {} are free; lower batch or workers, or raise accumulate",
                  together == 1 ? "it" : fmt::format("{} workers", together), bytes_text(needed),
                  bytes_text(static_cast<double>(memory_bytes)));
}

// Why the point cannot work; no value if it can.
std::optional<std::string> reason_against(const study::StudySpec& spec, const study::PlannedRun& run,
                                          std::int64_t memory_bytes, Sources& sources) {
  try {
    TrainSettings settings;
    const std::vector<Setting> list = train_setting_list(settings);
    const auto values = study::settings_of(spec, run);
    for (const Setting& setting : list) {
      if (const auto value = values.find(setting.key); value != values.end()) setting.parse(value->second);
    }
    const int workers = std::max(1, settings.workers.value_or(1));
    if (workers > 1) MpiSession::require_built();
    const TrainingPlan plan = plan_training(settings, workers, sources.open(settings, list));
    require_memory(plan, settings, workers, memory_bytes);
    return std::nullopt;
  } catch (const DataError&) {
    throw;  // missing or damaged data is not a fault of the point, and has its own exit code
  } catch (const UserError& error) {
    return error.what();
  }
}

}  // namespace

std::vector<ImpossiblePoint> impossible_points(const study::StudySpec& spec, std::int64_t memory_bytes) {
  Sources sources;
  std::vector<ImpossiblePoint> found;
  for (const study::PlannedRun& run : study::plan_runs(spec)) {
    if (run.repeat != 1) continue;  // repeats differ only in their seed
    if (auto reason = reason_against(spec, run, memory_bytes, sources)) {
      found.push_back({study::point_text(run.point), std::move(*reason)});
    }
  }
  std::ranges::sort(found, {}, &ImpossiblePoint::point);
  return found;
}

void require_possible(const study::StudySpec& spec, std::int64_t memory_bytes) {
  constexpr std::size_t kMost = 20;
  const std::vector<ImpossiblePoint> points = impossible_points(spec, memory_bytes);
  if (points.empty()) return;
  const std::size_t all = study::plan_runs(spec).size() / static_cast<std::size_t>(spec.repeats);
  const auto is_first = [&](const ImpossiblePoint& point) { return point.reason == points.front().reason; };
  // If all of them fail for the same reason, the study itself is wrong.
  if (points.size() == all && std::ranges::all_of(points, is_first)) throw UserError("{}", points.front().reason);
  std::string text = fmt::format("{} of {} points cannot work:", points.size(), all);
  for (std::size_t i = 0; i < std::min(points.size(), kMost); ++i) {
    text += fmt::format("\n  {}: {}", points[i].point, points[i].reason);
  }
  if (points.size() > kMost) text += fmt::format("\n  and {} more", points.size() - kMost);
  throw UserError("{}\nnothing was run; leave them out, or change what they name", text);
}

namespace {

// The share of a matrix product's rate that training reaches (docs/performance.md: 0.5 to 1).
constexpr double kShareOfPeak = 0.6;
// For starting, choosing kernels that are not in the cache yet, and ending.
constexpr double kStartSeconds = 2;
// Forward counts once and backward twice; a multiply-add is two operations.
constexpr double kTrainingOperations = 6;
constexpr double kTestOperations = 2;

double operations_of_epoch(const TrainingPlan& plan, const TrainSettings& settings) {
  const auto multiply_adds = static_cast<double>(analyse(plan.graph).multiply_adds);
  const auto train = static_cast<double>(plan.source->size(data::Split::train)) * settings.instances;
  double operations = kTrainingOperations * multiply_adds * train;
  if (settings.evaluate_every > 0) {
    const auto test = static_cast<double>(plan.source->size(data::Split::test));
    operations += kTestOperations * multiply_adds * test / static_cast<double>(settings.evaluate_every);
  }
  return operations;
}

}  // namespace

StudyEstimate estimate_study(const study::StudySpec& spec, const TrainSettings& settings) {
  TrainSettings resolved = settings;
  const TrainingPlan plan = plan_training(resolved, 1, terminal_remarks());
  const double operations = operations_of_epoch(plan, resolved);
  const double rate = kShareOfPeak * measure_peak_flops(kernels::Device(1));
  StudyEstimate estimate{.gflops = rate / 1e9};
  for (const study::PlannedRun& run : study::plan_runs(spec)) {
    data::AugmentOptions augment = plan.trainer.augment;
    augment.cutout_size = static_cast<int>(study::number_at(spec, run.point, "cutout", augment.cutout_size));
    data::validate_for(augment, plan.source->shape());
    const std::int64_t threads =
        study::number_at(spec, run.point, "workers", 1) * study::number_at(spec, run.point, "threads", 1);
    const auto busy = static_cast<double>(std::min<std::int64_t>(threads, spec.cores));
    const auto epochs = static_cast<double>(study::number_at(spec, run.point, "epochs", 1));
    estimate.seconds += kStartSeconds + epochs * operations / (rate * busy);
  }
  return estimate;
}

}  // namespace convoy::cli
