#include "convoy/exchange/tensorboard/run_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <optional>
#include <span>

namespace convoy {
namespace {

// "2026-11-16T03:12:45Z" as seconds since 1970; 0 if the record has no time.
double start_of(const RunRecord& run) {
  std::tm time{};
  const char* const end = strptime(run.info.started.c_str(), "%Y-%m-%dT%H:%M:%S", &time);
  return end == nullptr ? 0 : static_cast<double>(timegm(&time));
}

// Combines the lines of all ranks for one step; the first line is that of rank 0.
StepRecord over_ranks(std::span<const StepRecord> lines) {
  StepRecord step = lines.front();
  double loss_sum = 0;
  std::int64_t samples = 0;
  for (const StepRecord& line : lines) {
    samples += line.samples;
    loss_sum += line.loss * static_cast<double>(line.samples);
  }
  step.samples = samples;
  if (lines.size() > 1 && samples > 0) step.loss = loss_sum / static_cast<double>(samples);
  return step;
}

void add_steps(const RunRecord& run, double start, EventFile& file) {
  double seconds = 0;
  for (std::span<const StepRecord> rest = run.steps; !rest.empty();) {
    const auto end = std::ranges::find_if(rest, [&](const StepRecord& line) { return line.step != rest.front().step; });
    const auto lines = rest.first(static_cast<std::size_t>(end - rest.begin()));
    seconds += lines.front().times.seconds;
    add_step(over_ranks(lines), start + seconds, file);
    rest = rest.subspan(lines.size());
  }
}

// Paths, and settings that make no difference to the training, are left out.
constexpr std::array kHyperParameters = {
    "data", "model",     "loss",   "label-smoothing", "augment", "mixup",   "cutmix",   "epochs",    "batch",
    "seed", "optimizer", "lr",     "momentum",        "beta1",   "beta2",   "rho",      "trust",     "weight-decay",
    "clip", "schedule",  "warmup", "workers",         "threads", "sync-bn", "compress", "precision", "reproducible"};

}  // namespace

void add_step(const StepRecord& step, double wall_time, EventFile& file) {
  file.add_scalar("step/loss", step.loss, step.step, wall_time);
  file.add_scalar("step/learning_rate", step.learning_rate, step.step, wall_time);
  file.add_scalar("step/samples_per_second", static_cast<double>(step.samples) / step.times.seconds, step.step,
                  wall_time);
}

void add_epoch(const EpochRecord& epoch, double wall_time, EventFile& file) {
  const auto add = [&](const char* tag, std::optional<double> value) {
    if (value) file.add_scalar(tag, *value, epoch.end_step, wall_time);
  };
  const StepTimes& times = epoch.times;
  add("loss/train", epoch.train_loss);
  add("loss/test", epoch.test_loss);
  add("accuracy/train", epoch.train_accuracy);
  add("accuracy/test", epoch.test_top1);
  add("accuracy/test_top5", epoch.test_top5);
  add("speed/samples_per_second", epoch.samples_per_second);
  add("speed/cpu_use", epoch.cpu_use);
  add("time_share/compute", times.compute_seconds / times.seconds);
  add("time_share/input_wait", times.input_wait_seconds / times.seconds);
  add("time_share/exposed_communication", times.exposed_communication_seconds / times.seconds);
  add("memory/peak_megabytes", static_cast<double>(epoch.peak_memory_bytes) / (1 << 20));
}

std::vector<HyperParameter> hyper_parameters(const nlohmann::ordered_json& configuration) {
  std::vector<HyperParameter> parameters;
  if (!configuration.is_object()) return parameters;
  for (const char* const key : kHyperParameters) {
    const auto found = configuration.find(key);
    if (found == configuration.end()) continue;
    if (found->is_boolean()) parameters.emplace_back(key, found->get<bool>());
    if (found->is_number()) parameters.emplace_back(key, found->get<double>());
    if (found->is_string()) parameters.emplace_back(key, found->get<std::string>());
  }
  return parameters;
}

std::string event_file_name(const RunRecord& run) {
  return fmt::format("events.out.tfevents.{}.convoy", static_cast<std::int64_t>(start_of(run)));
}

std::string run_events(const RunRecord& run) {
  const double start = start_of(run);
  EventFile file(start);
  file.add_hyper_parameters(hyper_parameters(run.info.configuration), start);
  add_steps(run, start, file);
  for (const EpochRecord& epoch : run.epochs) add_epoch(epoch, start + epoch.elapsed_seconds, file);
  return file.bytes();
}

}  // namespace convoy
