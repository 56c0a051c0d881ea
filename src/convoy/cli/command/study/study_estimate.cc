#include "convoy/cli/command/study/study_estimate.h"

#include <algorithm>

#include "convoy/cli/terminal/terminal_remarks.h"
#include "convoy/data/augment/augment_options.h"
#include "convoy/engine/stopwatch.h"
#include "convoy/graph/analysis.h"
#include "convoy/kernels/device.h"
#include "convoy/run/training_plan.h"
#include "convoy/study/analysis/point_statistics.h"
#include "convoy/study/plan/study_plan.h"

namespace convoy::cli {
namespace {

// Training reaches this part of a matrix product's rate (docs/performance.md: 0.5 to 1).
constexpr double kShareOfPeak = 0.6;
// Start, choosing kernels that are not in the cache yet, end.
constexpr double kStartSeconds = 2;
// Forward, and backward twice; two operations for a multiply-add.
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
