#include "convoy/exchange/tensorboard/run_events.h"

#include <fmt/format.h>

#include <cstdint>
#include <ctime>
#include <optional>

#include "convoy/exchange/tensorboard/event_file.h"

namespace convoy {
namespace {

// Seconds since 1970 of "2026-11-16T03:12:45Z"; 0 where the record does not say.
double start_of(const RunRecord& run) {
  std::tm time{};
  const char* const end = strptime(run.info.started.c_str(), "%Y-%m-%dT%H:%M:%S", &time);
  return end == nullptr ? 0 : static_cast<double>(timegm(&time));
}

void add_steps(const RunRecord& run, double start, EventFile& file) {
  double seconds = 0;
  for (const StepRecord& step : run.steps) {
    if (step.rank != 0) continue;
    seconds += step.times.seconds;
    file.add_scalar("step/loss", step.loss, step.step, start + seconds);
    file.add_scalar("step/learning_rate", step.learning_rate, step.step, start + seconds);
  }
}

void add_epoch(const EpochRecord& epoch, double start, EventFile& file) {
  const double time = start + epoch.elapsed_seconds;
  const auto add = [&](const char* tag, std::optional<double> value) {
    if (value) file.add_scalar(tag, *value, epoch.end_step, time);
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

}  // namespace

std::string event_file_name(const RunRecord& run) {
  return fmt::format("events.out.tfevents.{}.convoy", static_cast<std::int64_t>(start_of(run)));
}

std::string run_events(const RunRecord& run) {
  const double start = start_of(run);
  EventFile file(start);
  add_steps(run, start, file);
  for (const EpochRecord& epoch : run.epochs) add_epoch(epoch, start, file);
  return file.bytes();
}

}  // namespace convoy
